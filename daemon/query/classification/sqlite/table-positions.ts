/** Where in a statement a table may stand, by the words before it: FROM lists with their parentheses, JOIN, INTO, UPDATE and IN. */

import type { Token } from './tokenizer.ts';

const opening = new Set(['from', 'join', 'into', 'update']);
const closing = new Set(
  'where group order limit having window union intersect except set values select returning'.split(' '),
);

/** @returns indexes of the last part of each name that may be a table's. More than are tables: a guess too many only refuses. */
export function tablePositions(tokens: readonly Token[]): readonly number[] {
  const found: number[] = [];
  /** For each open parenthesis whether a comma in it introduces a table. */
  const lists = [false];
  let isExpected = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    const next = tokens[at + 1];
    if (kind === 'word' && opening.has(text)) {
      lists[lists.length - 1] = true;
      isExpected = true;
    } else if (kind === 'word' && closing.has(text)) {
      lists[lists.length - 1] = false;
      isExpected = false;
    } else if (kind === 'word' && text === 'in') {
      isExpected = next?.text !== '(';
    } else if (kind === 'operator' && text === '(') {
      lists.push(isExpected);
    } else if (kind === 'operator' && text === ')') {
      if (lists.length > 1) lists.pop();
      isExpected = false;
    } else if (kind === 'operator' && text === ',') {
      isExpected = lists.at(-1) === true;
    } else if (isExpected && (kind === 'word' || kind === 'name' || kind === 'string')) {
      const isSchema = next?.kind === 'operator' && next.text === '.';
      if (!isSchema) found.push(at);
      isExpected = isSchema;
    }
  }
  return found;
}
