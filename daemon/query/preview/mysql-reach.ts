/** What a piece of a MySQL or MariaDB server's stored code names: tables and routines. Asks nothing. */

import type { QualifiedName } from '../classification/classification.ts';
import { userDefined } from '../classification/mysql/calls.ts';
import { callsInCode, proceduresIn } from '../classification/mysql/stored-body.ts';
import { touchedTables } from '../classification/mysql/tables.ts';
import { plainTokens, readingOf } from './mysql-reading.ts';

export interface Item {
  /** `read`: only read by the statement; a view may call what writes. */
  readonly kind: 'table' | 'read' | 'routine';
  readonly schema: string;
  readonly name: string;
}

export function itemsOf(kind: Item['kind'], names: readonly QualifiedName[], schema: string | null): Item[] {
  return names.map(name => ({ kind, schema: name.schema ?? schema ?? '', name: name.name }));
}

/** What code names; `unreadable` where it can't be cut or isn't to be seen, `dynamic` where it runs SQL from a string. */
export type CodeReach =
  | { readonly kind: 'reaches'; readonly items: readonly Item[] }
  | { readonly kind: 'unreadable' | 'dynamic' };

/**
 * @param sqlMode what the code was stored under. @param schema where names without one are looked up.
 * @param kind what its tables are to the statement.
 */
export function reachOfCode(text: string, sqlMode: string, schema: string, kind: 'table' | 'read'): CodeReach {
  const tokens = plainTokens(text, readingOf('mysql', sqlMode));
  if (tokens === null || tokens.length === 0) return { kind: 'unreadable' };
  if (tokens.some(token => ['PREPARE', 'EXECUTE'].includes(token.key))) return { kind: 'dynamic' };
  const { unknown } = userDefined(callsInCode(tokens));
  const items = [
    ...itemsOf(kind, touchedTables(tokens), schema),
    ...itemsOf('routine', [...unknown, ...proceduresIn(tokens)], schema),
  ];
  return { kind: 'reaches', items };
}
