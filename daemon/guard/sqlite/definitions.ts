/**
 * Index of the first keyword after EXPLAIN, and where a CREATE, ALTER or DROP names its table or
 * view. Classifies nothing.
 */

import type { Token } from './tokenizer.ts';

/**
 * Where the table or view of a CREATE, ALTER or DROP is named, or the table of an index or trigger;
 * -1 in all else.
 */
export function definitionAt(tokens: readonly Token[]): number {
  let at = statementAt(tokens);
  if (!['create', 'alter', 'drop'].some(verb => isWordAt(tokens, at, verb))) return -1;
  const kindAt = definedKindAt(tokens, at);
  const kind = tokens[kindAt]?.text;
  if ((kind === 'index' || kind === 'trigger') && isWordAt(tokens, at, 'create')) {
    const on = tokens.findIndex((_, place) => place > kindAt && isWordAt(tokens, place, 'on'));
    return on === -1 ? -1 : on + 1;
  }
  if (kind !== 'table' && kind !== 'view') return -1;
  at = kindAt + 1;
  if (!isWordAt(tokens, at, 'if')) return at;
  return isWordAt(tokens, at + 1, 'not') ? at + 3 : at + 2;
}

/** Index of the first word of what is done: behind EXPLAIN. */
export function statementAt(tokens: readonly Token[]): number {
  if (!isWordAt(tokens, 0, 'explain')) return 0;
  return isWordAt(tokens, 1, 'query') ? 3 : 1;
}

/** Of the word behind CREATE, ALTER or DROP that says what kind of thing is meant. */
export function definedKindAt(tokens: readonly Token[], verbAt: number): number {
  let at = verbAt + 1;
  while (['temp', 'temporary', 'virtual', 'unique'].some(word => isWordAt(tokens, at, word))) at++;
  return at;
}

export function isWordAt(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokens[at];
  return token?.kind === 'word' && token.text === text;
}
