/**
 * Recognises the one full-text command that deletes rows without loss:
 * `insert into search(search) values ('rebuild')` makes an index anew from its table. Matched word
 * for word; anything else is counted.
 */

import { isComment, tokensOf, unquoted } from '../describe/definition-tokens.ts';

/** @returns the table's name in lower case; null for any other statement. */
export function rebuiltBy(sql: string): string | null {
  const words = tokensOf(sql).flatMap(token => (isComment(token) ? [] : [token.text]));
  const [insert, into, ...named] = words.filter(word => word !== ';');
  if (insert?.toLowerCase() !== 'insert' || into?.toLowerCase() !== 'into') return null;
  if (named[1] === '.' && unquoted(named[0] ?? '').toLowerCase() === 'main') named.splice(0, 2);
  const [table = '', open, column = '', close, ...rest] = named;
  const name = unquoted(table).toLowerCase();
  if (open !== '(' || close !== ')' || unquoted(column).toLowerCase() !== name) return null;
  return rest.join(' ').toLowerCase() === "values ( 'rebuild' )" ? name : null;
}
