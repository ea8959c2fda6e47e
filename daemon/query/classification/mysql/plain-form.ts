/**
 * Rewrites a query into one of the same shape that every SQL parser reads: clauses, subqueries and set operations stay,
 * expressions without a subquery become the single operand `x`, what only MySQL and MariaDB know goes. Judges nothing.
 */

import { isMinus, isOperandStart, operandLength } from './operands.ts';
import { ownClauseEnd } from './own-clauses.ts';
import { at, closing, type Token } from './tokens.ts';

export interface PlainToken {
  readonly key: string;
  readonly text: string;
  readonly isOperand: boolean;
}

const queryStart = new Set(['SELECT', 'WITH', 'TABLE', 'VALUES']);
const unary = new Set(['NOT', '!', '~', '-', '+', 'BINARY', 'OF', 'EXISTS']);
const quantifiers = new Set(['ALL', 'ANY', 'SOME']);
const binary = new Set(
  '+ - * / % = < > <= >= <> != <=> || && | & ^ << >> -> ->> AND OR XOR LIKE REGEXP RLIKE IS BETWEEN DIV MOD COLLATE ESCAPE SOUNDS MEMBER'.split(
    ' ',
  ),
);

const operand: PlainToken = { key: 'x', text: 'x', isOperand: true };
const groupEnd: PlainToken = { key: ')', text: ')', isOperand: true };
const plain = (text: string): PlainToken => ({ key: text, text, isOperand: false });

export function plainForm(tokens: readonly Token[]): PlainToken[] {
  return rewritten(tokens.at(-1)?.key === ';' ? tokens.slice(0, -1) : tokens);
}

function rewritten(tokens: readonly Token[]): PlainToken[] {
  const out: PlainToken[] = [];
  for (let index = 0; index < tokens.length; ) index = step(tokens, index, out);
  return out;
}

/** Appends what stands at `index` and returns where to go on. */
function step(tokens: readonly Token[], index: number, out: PlainToken[]): number {
  const token = at(tokens, index);
  const afterOperand = out.at(-1)?.isOperand === true;
  const skipped = ownClauseEnd(tokens, index);
  if (skipped > index) return skipped;
  if (token.key === '(') return stepGroup(tokens, index, out);
  if (token.key === 'END') {
    out.push({ key: 'END', text: 'END', isOperand: true });
    return index + 1;
  }
  if (token.key === 'TABLE' && !afterOperand) {
    out.push(plain('SELECT'), plain('*'), plain('FROM'));
    return index + 1;
  }
  if (token.key === 'EXISTS' && !afterOperand && at(tokens, index + 1).key === '(') {
    out.push(operand, plain('IN'));
    return index + 1;
  }
  if (afterOperand && token.key === 'NOT') return index + 1;
  if (afterOperand && binary.has(token.key)) return stepBinary(tokens, index, out);
  if (!afterOperand && unary.has(token.key)) return index + 1;
  if (isOperandStart(tokens, index)) {
    const length = Math.max(1, operandLength(tokens, index));
    out.push(operand);
    if (at(tokens, index + length - 1).key === '*') out.push(plain('.'), plain('*'));
    return index + length;
  }
  out.push(plain(isMinus(tokens, index) ? 'EXCEPT' : token.key));
  return index + 1;
}

/** The right side goes, save a subquery or a CASE, whose place is kept. */
function stepBinary(tokens: readonly Token[], index: number, out: PlainToken[]): number {
  let next = index + 1;
  while ([unary, quantifiers, binary].some(words => words.has(at(tokens, next).key))) next++;
  if (at(tokens, next).key === 'PREVIOUS') next = ownClauseEnd(tokens, next);
  if (at(tokens, next).key === 'CASE') {
    out.push(plain('='));
    return next;
  }
  if (at(tokens, next).key !== '(') return next + operandLength(tokens, next);
  const end = closing(tokens, next);
  const inside = tokens.slice(next + 1, end);
  if (!holdsQuery(inside)) return end + 1;
  out.push(plain(isSetOperation(inside) ? 'IN' : '='));
  return next;
}

function stepGroup(tokens: readonly Token[], index: number, out: PlainToken[]): number {
  const end = closing(tokens, index);
  const inside = tokens.slice(index + 1, end);
  const before = out.at(-1);
  const isList = ['IN', 'USING', 'VALUES'].includes(before?.key ?? '') || (before?.key === ',' && isInValues(out));
  if (holdsQuery(inside) && before?.isOperand === true && before.key !== ')' && !queryStart.has(at(inside, 0).key)) {
    out.push(plain('('), ...subqueriesOf(inside), groupEnd);
  } else if (holdsQuery(inside)) out.push(plain('('), ...rewritten(inside), groupEnd);
  else if (isList) out.push(plain('('), operand, groupEnd);
  else if (before?.isOperand !== true) {
    const isJoin = before?.key === 'JOIN' || inside.some(token => token.key === 'JOIN');
    if (isJoin) out.push(plain('('), ...rewritten(inside), groupEnd);
    else out.push(operand);
  }
  // Behind an operand a group holds a function's arguments or a list of columns, and goes.
  return Math.min(end, tokens.length) + 1;
}

/** `(…) UNION (…)`, which the parser takes behind IN but not behind `=`. */
function isSetOperation(tokens: readonly Token[]): boolean {
  if (at(tokens, 0).key !== '(') return false;
  return ['UNION', 'EXCEPT', 'INTERSECT', 'MINUS'].includes(at(tokens, closing(tokens, 0) + 1).key);
}

/** Of a function's arguments, which have a syntax of their own in many a function, what holds a query. */
function subqueriesOf(tokens: readonly Token[]): PlainToken[] {
  const found: PlainToken[] = [];
  for (let index = 0; index < tokens.length; index++) {
    if (at(tokens, index).key !== '(') continue;
    const end = closing(tokens, index);
    const inside = tokens.slice(index + 1, end);
    if (holdsQuery(inside)) {
      if (found.length > 0) found.push(plain(','));
      const isQuery = queryStart.has(at(inside, 0).key);
      found.push(plain('('), ...(isQuery ? rewritten(inside) : subqueriesOf(inside)), groupEnd);
    }
    index = end;
  }
  return found;
}

function isInValues(out: readonly PlainToken[]): boolean {
  return out.findLast(token => token.key === 'SELECT' || token.key === 'VALUES')?.key === 'VALUES';
}

function holdsQuery(tokens: readonly Token[]): boolean {
  return tokens.some(({ key }, index) => queryStart.has(key) && (index === 0 || at(tokens, index - 1).key === '('));
}
