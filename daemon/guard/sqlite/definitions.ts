/**
 * Index of the first keyword after EXPLAIN, and where a CREATE, ALTER or DROP names its table or
 * view. Classifies nothing.
 */

import type { Token } from './tokenizer.ts';

/**
 * Index of the table or view that a CREATE, ALTER or DROP names, or of the table of an index or
 * trigger; -1 for all else.
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

/** Index of the first word after EXPLAIN. */
export function statementAt(tokens: readonly Token[]): number {
  if (!isWordAt(tokens, 0, 'explain')) return 0;
  return isWordAt(tokens, 1, 'query') ? 3 : 1;
}

/** Index of the word after CREATE, ALTER or DROP that says what kind of object is meant. */
export function definedKindAt(tokens: readonly Token[], verbAt: number): number {
  let at = verbAt + 1;
  while (['temp', 'temporary', 'virtual', 'unique'].some(word => isWordAt(tokens, at, word))) at++;
  return at;
}

export function isWordAt(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokens[at];
  return token?.kind === 'word' && token.text === text;
}
