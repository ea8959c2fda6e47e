/**
 * A column that is only made wider: `MODIFY name VARCHAR(200)`. The text says what the column will
 * be; the catalog says whether it is that already, save for its length.
 */

import { isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

export interface WiderColumn {
  readonly name: string;
  /** In characters. */
  readonly length: number;
  readonly takesNull: boolean;
  /** Null if it has none, or NULL. */
  readonly default: string | null;
}

/** Texts that every catalog shows as they are. */
const plain = /^[ !#-&(-[\]-~]{0,100}$/;

/** @returns null for whatever else is done, or said of the column. */
export function widerColumn(part: readonly Token[]): WiderColumn | null {
  const { key } = tokenAt(part, 0);
  if (key !== 'MODIFY' && key !== 'CHANGE') return null;
  const named = tokenAt(part, 1).key === 'COLUMN' ? 2 : 1;
  const { text: name } = tokenAt(part, named);
  const from = key === 'CHANGE' ? named + 1 : named;
  if (!isName(tokenAt(part, named)) || tokenAt(part, from).text !== name) return null;
  const [type, open, length, close] = part.slice(from + 1, from + 5);
  if (type?.key !== 'VARCHAR' || open?.key !== '(' || length?.kind !== 'number' || close?.key !== ')') return null;
  const rest = part.slice(from + 5);
  const isRequired = keywordsAt(rest, 0, 'NOT', 'NULL');
  const behind = rest.slice(isRequired ? 2 : tokenAt(rest, 0).key === 'NULL' ? 1 : 0);
  const [word, value, ...more] = behind;
  const column = { name, length: Number(length.text), takesNull: !isRequired, default: null };
  if (word === undefined) return column;
  if (word.key !== 'DEFAULT' || more.length > 0) return null;
  if (value?.key === 'NULL') return column;
  return value?.kind === 'string' && plain.test(value.text) ? { ...column, default: value.text } : null;
}
