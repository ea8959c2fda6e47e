/**
 * Rewrites a query into one of the same shape that every SQL parser reads: clauses, subqueries and set operations stay,
 * expressions without a subquery become the single operand `x`, what only MySQL and MariaDB know goes. Classifies nothing.
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
  '+ - * / % = < > <= >= <> != <=> || && | & ^ << >> -> ->> AND OR XOR LIKE REGEXP RLIKE IS BETWEEN DIV MOD COLLATE ESCAPE SOUNDS MEMBER :='.split(
    ' ',
  ),
);

const operand: PlainToken = { key: 'x', text: 'x', isOperand: true };
const groupEnd: PlainToken = { key: ')', text: ')', isOperand: true };
const plain = (text: string): PlainToken => ({ key: text, text, isOperand: false });

export function plainForm(tokens: readonly Token[]): PlainToken[] {
  const draft = new Draft([]);
  rewrite(tokens.at(-1)?.key === ';' ? tokens.slice(0, -1) : tokens, draft);
  return draft.tokens;
}

/** What is written so far, of the whole or inside one group. */
class Draft {
  readonly tokens: PlainToken[];
  /** What was written last in this group. */
  last: PlainToken | undefined;
  private clause: string | null = null;
  /** CASEs that are open in this group: another END is a name. */
  cases = 0;

  constructor(tokens: PlainToken[]) {
    this.tokens = tokens;
  }

  /** Whether a comma written next would part rows of VALUES. */
  get isInValues(): boolean {
    return this.clause === 'VALUES';
  }

  push(...added: readonly PlainToken[]): void {
    for (const token of added) {
      this.tokens.push(token);
      this.last = token;
      if (token.key === 'SELECT' || token.key === 'VALUES') this.clause = token.key;
      if (token.key === 'CASE') this.cases++;
      if (token.key === 'END') this.cases--;
    }
  }

  group(write: (inside: Draft) => void): void {
    this.push(plain('('));
    const inside = new Draft(this.tokens);
    write(inside);
    this.clause = inside.clause ?? this.clause;
    this.push(groupEnd);
  }
}

function rewrite(tokens: readonly Token[], draft: Draft): void {
  const values = tokens.findIndex(token => token.key === 'VALUES');
  const firstValues = values < 0 ? tokens.length : values;
  for (let index = 0; index < tokens.length; ) index = step(tokens, index, firstValues, draft);
}

/** Writes what stands at `index` and returns where to go on. */
function step(tokens: readonly Token[], index: number, firstValues: number, draft: Draft): number {
  const token = at(tokens, index);
  const afterOperand = draft.last?.isOperand === true;
  const skipped = ownClauseEnd(tokens, index, firstValues);
  if (skipped > index) return skipped;
  if (token.key === '(') return stepGroup(tokens, index, draft);
  if (token.key === 'END') {
    draft.push(draft.cases > 0 ? { key: 'END', text: 'END', isOperand: true } : operand);
    return index + 1;
  }
  if (token.key === 'TABLE' && !afterOperand) {
    draft.push(plain('SELECT'), plain('*'), plain('FROM'));
    return index + 1;
  }
  if (token.key === 'EXISTS' && !afterOperand && at(tokens, index + 1).key === '(') {
    draft.push(operand, plain('IN'));
    return index + 1;
  }
  if (afterOperand && token.key === 'NOT') return index + 1;
  if (afterOperand && binary.has(token.key)) return stepBinary(tokens, index, firstValues, draft);
  if (!afterOperand && unary.has(token.key)) return index + 1;
  if (isOperandStart(tokens, index)) {
    const length = Math.max(1, operandLength(tokens, index));
    draft.push(operand);
    if (at(tokens, index + length - 1).key === '*') draft.push(plain('.'), plain('*'));
    return index + length;
  }
  draft.push(plain(isMinus(tokens, index) ? 'EXCEPT' : token.key));
  return index + 1;
}

/** The right side goes, save a subquery or a CASE, whose place is kept. */
function stepBinary(tokens: readonly Token[], index: number, firstValues: number, draft: Draft): number {
  let next = index + 1;
  while ([unary, quantifiers, binary].some(words => words.has(at(tokens, next).key))) next++;
  if (at(tokens, next).key === 'PREVIOUS') next = ownClauseEnd(tokens, next, firstValues);
  if (at(tokens, next).key === 'CASE') {
    draft.push(plain('='));
    return next;
  }
  if (at(tokens, next).key !== '(') return next + operandLength(tokens, next);
  const end = closing(tokens, next);
  const inside = tokens.slice(next + 1, end);
  if (!holdsQuery(inside)) return end + 1;
  draft.push(plain(isSetOperation(inside) ? 'IN' : '='));
  return next;
}

function stepGroup(tokens: readonly Token[], index: number, draft: Draft): number {
  const end = closing(tokens, index);
  const inside = tokens.slice(index + 1, end);
  const before = draft.last;
  const holds = holdsQuery(inside);
  const isList = ['IN', 'USING', 'VALUES'].includes(before?.key ?? '') || (before?.key === ',' && draft.isInValues);
  if (holds && before?.isOperand === true && before.key !== ')' && !queryStart.has(at(inside, 0).key)) {
    draft.group(group => writeSubqueries(inside, group));
  } else if (holds) draft.group(group => rewrite(inside, group));
  else if (isList) draft.group(group => group.push(operand));
  else if (before?.isOperand !== true) {
    const isJoin = before?.key === 'JOIN' || inside.some(token => token.key === 'JOIN');
    if (isJoin) draft.group(group => rewrite(inside, group));
    else draft.push(operand);
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
function writeSubqueries(tokens: readonly Token[], draft: Draft): void {
  for (let index = 0; index < tokens.length; index++) {
    if (at(tokens, index).key !== '(') continue;
    const end = closing(tokens, index);
    const inside = tokens.slice(index + 1, end);
    if (holdsQuery(inside)) {
      if (draft.last !== undefined) draft.push(plain(','));
      const isQuery = queryStart.has(at(inside, 0).key);
      draft.group(group => (isQuery ? rewrite(inside, group) : writeSubqueries(inside, group)));
    }
    index = end;
  }
}

function holdsQuery(tokens: readonly Token[]): boolean {
  return tokens.some(({ key }, index) => queryStart.has(key) && (index === 0 || at(tokens, index - 1).key === '('));
}
