/**
 * Reads from the tokens of a MySQL or MariaDB statement what it takes as a whole or changes:
 * tables, partitions, old row versions, other objects, accounts. Asks no catalog.
 */

import type { QualifiedName } from '../types.ts';
import { alteredNames, classifyDrop, classifyTruncate } from './alterations.ts';
import { plainTokens } from './data-change.ts';
import type { Reading } from './reading.ts';
import { nameAt, namesAt } from './tables.ts';
import { type Account, accountsAt, grantedOn } from './taken-names.ts';
import { closingParenthesis, hasKeywords, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

export interface MysqlTaking {
  readonly act: 'emptied' | 'dropped' | 'altered' | 'rights';
  readonly tables: readonly QualifiedName[];
  /**
   * A whole database: that of DROP DATABASE, or of a GRANT on all its tables; null for any other
   * statement.
   */
  readonly database: string | null;
  /** Partitions of the first table that lose their rows. */
  readonly partitions: readonly string[];
  /** How the old row versions of the first table go: all, or those that DELETE HISTORY names. */
  readonly history: 'all' | 'some' | null;
  /** Other objects: a kind in lower case and a name. */
  readonly objects: readonly string[];
  readonly accounts: readonly Account[];
  /** True for a GRANT on every database. */
  readonly isEverywhere: boolean;
}

const nothing: MysqlTaking = {
  act: 'altered',
  tables: [],
  database: null,
  partitions: [],
  history: null,
  objects: [],
  accounts: [],
  isEverywhere: false,
};

/** @returns null if nothing is known of such a statement, or if the text can't be cut. */
export function readTaking(sql: string, reading: Reading): MysqlTaking | null {
  const tokens = plainTokens(sql, reading);
  if (tokens === null) return null;
  const [first, second, third, fourth] = [0, 1, 2, 3].map(index => tokenAt(tokens, index).key);
  const replaces = first === 'CREATE' && second === 'OR' && third === 'REPLACE';
  const isDatabase = (word?: string) => word === 'DATABASE' || word === 'SCHEMA';
  if ((first === 'DROP' && isDatabase(second)) || (replaces && isDatabase(fourth))) {
    const named = nameAt(tokens, replaces || keywordsAt(tokens, 2, 'IF', 'EXISTS') ? 4 : 2);
    return named === null ? null : { ...nothing, act: 'dropped', database: named.name.name };
  }
  const isTable = tokens.slice(1, 4).some(({ key }) => key === 'TABLE' || key === 'TABLES');
  switch (first) {
    case 'TRUNCATE':
      return { ...nothing, act: 'emptied', tables: classifyTruncate(tokens).tables };
    case 'DROP':
      return isTable ? { ...nothing, act: 'dropped', tables: classifyDrop(tokens).tables } : dropped(tokens);
    case 'ALTER':
      return isTable ? altered(tokens) : changed(tokens);
    case 'RENAME':
      return isTable ? { ...nothing, tables: namesAt(tokens, 2) } : changed(tokens);
    case 'GRANT':
    case 'REVOKE':
      return granted(tokens);
    case 'CREATE':
      if (replaces)
        return fourth === 'TABLE' ? { ...nothing, act: 'dropped', tables: namesAt(tokens, 4).slice(0, 1) } : null;
      return created(tokens);
    case 'DELETE':
      return keywordsAt(tokens, 1, 'HISTORY', 'FROM')
        ? { ...nothing, tables: namesAt(tokens, 3).slice(0, 1), history: 'some' }
        : null;
    default:
      return null;
  }
}

/** What DROP removes that is no table: an index is a part of one. */
function dropped(tokens: readonly Token[]): MysqlTaking | null {
  const kind = tokenAt(tokens, 1).key;
  const at = keywordsAt(tokens, 2, 'IF', 'EXISTS') ? 4 : 2;
  if (kind === 'USER' || kind === 'ROLE') return { ...nothing, act: 'dropped', accounts: accountsAt(tokens, at) };
  if (kind === 'INDEX') return { ...nothing, tables: tableAfterOn(tokens) };
  if (!/^(VIEW|SEQUENCE|FUNCTION|PROCEDURE|TRIGGER|EVENT|PACKAGE|SERVER)$/.test(kind)) return null;
  const objects = namesAt(tokens, at).map(name => objectName(kind, name));
  return { ...nothing, act: 'dropped', objects };
}

function changed(tokens: readonly Token[]): MysqlTaking | null {
  if (tokenAt(tokens, 1).key === 'USER') return { ...nothing, accounts: accountsAt(tokens, 2) };
  const [view] = hasKeywords(tokens, 'VIEW') ? alteredNames(tokens, 'VIEW') : [];
  return view === undefined ? null : { ...nothing, objects: [objectName('VIEW', view)] };
}

function created(tokens: readonly Token[]): MysqlTaking {
  const isOnTable = tokens.slice(1, 8).some(({ key }) => key === 'TRIGGER' || key === 'INDEX');
  return isOnTable ? { ...nothing, tables: tableAfterOn(tokens) } : nothing;
}

function tableAfterOn(tokens: readonly Token[]): readonly QualifiedName[] {
  const on = tokens.findIndex(({ key }) => key === 'ON');
  return on < 0 ? [] : namesAt(tokens, on + 1).slice(0, 1);
}

function granted(tokens: readonly Token[]): MysqlTaking | null {
  const on = grantedOn(tokens);
  if (on === null) return null;
  const taking: MysqlTaking = { ...nothing, act: 'rights' };
  if (on === 'every') return { ...taking, isEverywhere: true };
  return 'table' in on ? { ...taking, tables: [on.table] } : { ...taking, database: on.database ?? '' };
}

function altered(tokens: readonly Token[]): MysqlTaking | null {
  const [target] = alteredNames(tokens, 'TABLE');
  if (target === undefined) return null;
  // EXCHANGE PARTITION p WITH TABLE t: the rows of both swap places.
  const exchanged = tokens.findIndex(({ key }) => key === 'EXCHANGE');
  const other = tokens.findIndex(({ key }, index) => exchanged > 0 && index > exchanged && key === 'WITH');
  const others = other < 0 ? [] : namesAt(tokens, other + 2).slice(0, 1);
  return {
    ...nothing,
    tables: [target, ...others],
    partitions: emptiedPartitions(tokens),
    history: hasKeywords(tokens, 'DROP', 'SYSTEM', 'VERSIONING') ? 'all' : null,
  };
}

/**
 * The partitions that TRUNCATE PARTITION or DROP PARTITION names; a column may have such a name.
 */
function emptiedPartitions(tokens: readonly Token[]): readonly string[] {
  const at = tokens.findIndex(
    ({ key }, index) => (key === 'TRUNCATE' || key === 'DROP') && tokenAt(tokens, index + 1).key === 'PARTITION',
  );
  if (at < 0) return [];
  const from = keywordsAt(tokens, at + 2, 'IF', 'EXISTS') ? at + 4 : at + 2;
  const end = tokenAt(tokens, from).key === '(' ? closingParenthesis(tokens, from) : tokens.length;
  return tokens
    .slice(from, end)
    .filter(isName)
    .map(({ text }) => text);
}

function objectName(kind: string, { schema, name }: QualifiedName): string {
  return `${kind.toLowerCase()} ${schema === null ? name : `${schema}.${name}`}`;
}
