/**
 * Reads from an SQLite statement's tokens which table it takes, or whose rows it takes. Asks no
 * catalog.
 */

import { readHead } from './statement.ts';
import { isWord, type Token, tokenize } from './tokenizer.ts';

export interface SqliteTaking {
  readonly act: 'dropped' | 'altered' | 'deleted' | 'updated';
  /** Folded to lower case, as SQLite compares names. */
  readonly table: string;
  /** A view, index or trigger that is dropped, instead of a table. */
  readonly object?: { readonly kind: string; readonly name: string };
}

const acts: Readonly<Record<string, SqliteTaking['act']>> = {
  delete: 'deleted',
  replace: 'deleted',
  update: 'updated',
  drop: 'dropped',
  alter: 'altered',
};

function droppedObject(body: readonly Token[]): SqliteTaking['object'] {
  const kind = body[0]?.text ?? '';
  return isWord(body[0], kind) && /^(view|index|trigger)$/.test(kind)
    ? { kind, name: body.at(-1)?.text ?? '' }
    : undefined;
}

/** Null if it takes nothing of one table that it names. */
export function readTaking(sql: string): SqliteTaking | null {
  const head = readHead(tokenize(sql));
  const makesOnTable =
    head?.body.slice(0, 2).some(token => isWord(token, 'trigger') || isWord(token, 'index')) === true;
  const verb = head?.verb === 'create' && makesOnTable ? 'alter' : head?.verb;
  const act = head === null || head.explain !== 'no' ? undefined : acts[verb ?? ''];
  if (head === null || act === undefined) return null;
  const object = act === 'dropped' ? droppedObject(head.body) : undefined;
  if (object !== undefined) return { act, table: '', object };
  const wanted = head.isDml ? 'target' : 'definition';
  const target = head.names.tables.find(({ role }) => role === wanted) ?? head.tables[0];
  const isOfTable = head.isDml || isWord(head.body[0], 'table') || head.verb === 'create';
  return target === undefined || !isOfTable || (target.schema ?? 'main') !== 'main'
    ? null
    : { act, table: target.name };
}
