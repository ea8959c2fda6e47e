/**
 * Reads from the tokens of a MySQL or MariaDB statement which tables it takes as a whole. Asks no
 * catalog.
 */

import type { QualifiedName } from '../types.ts';
import { alteredNames, classifyDrop, classifyTruncate } from './alterations.ts';
import { plainTokens } from './data-change.ts';
import type { Reading } from './reading.ts';
import { nameAt, namesAt } from './tables.ts';
import { keywordsAt, tokenAt } from './tokens.ts';

export interface MysqlTaking {
  readonly act: 'emptied' | 'dropped' | 'altered';
  readonly tables: readonly QualifiedName[];
  /** For DROP DATABASE; null for any other statement. */
  readonly database: string | null;
}

/** Null if it takes none, or if the text can't be cut. */
export function readTaking(sql: string, reading: Reading): MysqlTaking | null {
  const tokens = plainTokens(sql, reading);
  if (tokens === null) return null;
  const [first, second, third, fourth] = [0, 1, 2, 3].map(index => tokenAt(tokens, index).key);
  const replaces = first === 'CREATE' && second === 'OR' && third === 'REPLACE';
  const isDatabase = (word?: string) => word === 'DATABASE' || word === 'SCHEMA';
  if ((first === 'DROP' && isDatabase(second)) || (replaces && isDatabase(fourth))) {
    const named = nameAt(tokens, replaces || keywordsAt(tokens, 2, 'IF', 'EXISTS') ? 4 : 2);
    return named === null ? null : { act: 'dropped', tables: [], database: named.name.name };
  }
  if (first === 'TRUNCATE') return taking('emptied', classifyTruncate(tokens).tables);
  const isTable = tokens.slice(1, 4).some(({ key }) => key === 'TABLE' || key === 'TABLES');
  if (first === 'DROP' && isTable) return taking('dropped', classifyDrop(tokens).tables);
  const isReplaced = replaces && fourth === 'TABLE';
  if (!isReplaced && !(first === 'ALTER' && isTable)) return null;
  const [target] = isReplaced ? namesAt(tokens, 4) : alteredNames(tokens, 'TABLE');
  if (target === undefined) return null;
  // EXCHANGE PARTITION p WITH TABLE t: the rows of both swap places.
  const exchanged = tokens.findIndex(({ key }) => key === 'EXCHANGE');
  const other = tokens.findIndex(({ key }, index) => exchanged > 0 && index > exchanged && key === 'WITH');
  const others = other < 0 ? [] : namesAt(tokens, other + 2).slice(0, 1);
  return taking(isReplaced ? 'dropped' : 'altered', [target, ...others]);
}

function taking(act: MysqlTaking['act'], tables: readonly QualifiedName[]): MysqlTaking {
  return { act, tables, database: null };
}
