/**
 * Reads from an SQLite statement's tokens which table it takes, or whose rows it takes. Asks no
 * catalog.
 */

import { readHead } from './statement.ts';
import { isWord, tokenize } from './tokenizer.ts';

export interface SqliteTaking {
  readonly act: 'dropped' | 'altered' | 'deleted' | 'updated';
  /** Folded to lower case, as SQLite compares names. */
  readonly table: string;
}

const acts: Readonly<Record<string, SqliteTaking['act']>> = {
  delete: 'deleted',
  replace: 'deleted',
  update: 'updated',
  drop: 'dropped',
  alter: 'altered',
};

/** Null if it takes nothing of one table that it names. */
export function readTaking(sql: string): SqliteTaking | null {
  const head = readHead(tokenize(sql));
  const act = head === null || head.explain !== 'no' ? undefined : acts[head.verb];
  if (head === null || act === undefined) return null;
  const target = head.names.tables.find(({ role }) => role === 'target') ?? head.tables[0];
  const isOfTable = head.isDml || isWord(head.body[0], 'table');
  return target === undefined || !isOfTable || (target.schema ?? 'main') !== 'main'
    ? null
    : { act, table: target.name };
}
