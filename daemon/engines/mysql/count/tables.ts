/**
 * What the catalog says about the tables that a statement takes: sizes, engines, and what follows
 * them by foreign keys.
 */

import { quoteQualified } from '../../../guard/identifiers.ts';
import { valueOrThrow } from '../../answering.ts';
import type { Countable } from '../../count/count-whole.ts';
import type { TakenTable } from '../../count/taken.ts';
import { shownName } from '../../count/taken-words.ts';
import type { Cell } from '../../row-text.ts';
import { literal } from '../dialect/literal.ts';
import { inPlainMode } from '../run/session-contract.ts';

/** Asks one question and returns its rows. */
export type Ask = (sql: string) => Promise<readonly (readonly Cell[])[]>;

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

export interface MysqlTable extends TableName, Countable {
  readonly engine: string;
  readonly hasForeignKeys: boolean;
}

/** @param where these tables, or a whole database. @returns those that exist, without views. */
async function tablesThere(ask: Ask, where: readonly TableName[] | string): Promise<readonly MysqlTable[]> {
  if (where.length === 0) return [];
  const isMeant =
    typeof where === 'string'
      ? `t.TABLE_SCHEMA = ${literal(where)}`
      : where
          .map(({ schema, name }) => `(t.TABLE_SCHEMA = ${literal(schema)} AND t.TABLE_NAME = ${literal(name)})`)
          .join(' OR ');
  const rows = await ask(`SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.ENGINE, t.TABLE_ROWS, EXISTS (
SELECT 1 FROM information_schema.KEY_COLUMN_USAGE AS k WHERE k.REFERENCED_TABLE_NAME IS NOT NULL
AND (k.TABLE_SCHEMA = t.TABLE_SCHEMA AND k.TABLE_NAME = t.TABLE_NAME OR k.REFERENCED_TABLE_SCHEMA = t.TABLE_SCHEMA AND k.REFERENCED_TABLE_NAME = t.TABLE_NAME))
FROM information_schema.TABLES AS t WHERE t.TABLE_TYPE <> 'VIEW' AND t.TABLE_TYPE <> 'SYSTEM VIEW' AND (${isMeant}) ORDER BY 1, 2`);
  return rows.map(([schema, name, engine, estimate, keys]) => ({
    schema: String(schema),
    name: String(name),
    engine: String(engine),
    mayCount: true,
    estimate: estimate === null || estimate === undefined ? null : Number(estimate),
    hasForeignKeys: Number(keys) === 1,
  }));
}

export interface CascadedTable extends TableName {
  readonly act: 'deleted' | 'updated';
  readonly of: TableName;
}

/** Tables whose rows go or change with rows of these, at every level. */
export async function cascadedTables(
  ask: Ask,
  tables: readonly TableName[],
  act: CascadedTable['act'],
): Promise<readonly CascadedTable[]> {
  const keys =
    await ask(`SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME, DELETE_RULE, UPDATE_RULE
FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA NOT IN ('sys', 'mysql', 'performance_schema')
AND (DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION') OR UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION'))`);
  const found: CascadedTable[] = [];
  const seen = new Set(tables.map(table => keyOf(table, act)));
  // The list grows while it is walked.
  const reached: { readonly table: TableName; readonly act: CascadedTable['act'] }[] = tables.map(table => ({
    table,
    act,
  }));
  for (const { table, act: taken } of reached) {
    for (const [schema, name, ofSchema, of, onDelete, onUpdate] of keys) {
      if (!isSame(table, { schema: String(schema), name: String(name) })) continue;
      const rule = String(taken === 'deleted' ? onDelete : onUpdate);
      if (rule === 'RESTRICT' || rule === 'NO ACTION') continue;
      const follower = { schema: String(ofSchema), name: String(of) };
      const does = taken === 'deleted' && rule === 'CASCADE' ? 'deleted' : 'updated';
      if (seen.has(keyOf(follower, does))) continue;
      seen.add(keyOf(follower, does));
      found.push({ ...follower, act: does, of: table });
      reached.push({ table: follower, act: does });
    }
  }
  return found;
}

/**
 * Adds the tables behind a MERGE table, which lose their rows unless it is dropped; each has a
 * clause on why.
 */
export async function wholeTables(
  ask: Ask,
  where: readonly TableName[] | string,
  withMerged: boolean,
): Promise<readonly (MysqlTable & { readonly because: string | null })[]> {
  const found = await tablesThere(ask, where);
  const behind: (MysqlTable & { readonly because: string })[] = [];
  for (const table of withMerged ? found : []) {
    if (table.engine.toUpperCase() !== 'MRG_MYISAM') continue;
    const because = `whose rows ${shownName(`${table.schema}.${table.name}`)} shows`;
    for (const other of await tablesThere(ask, await mergedOf(ask, table))) behind.push({ ...other, because });
  }
  const further = behind.filter(other => !found.some(table => isSame(table, other)));
  return [...found.map(table => ({ ...table, because: null })), ...further];
}

async function mergedOf(ask: Ask, { schema, name }: TableName): Promise<readonly TableName[]> {
  const [row = []] = await ask(`${inPlainMode}SHOW CREATE TABLE ${quoteQualified('mysql', schema, name)}`);
  const text = String(row[1]);
  if (!text.includes('ENGINE=')) return valueOrThrow({ kind: 'unsupported', message: notTold });
  // The last one: a comment comes before it.
  const list = text.slice(Math.max(text.lastIndexOf(' UNION=('), 0) || text.length);
  return [...list.matchAll(nameInList)].map(([, of, table = '']) => ({
    schema: of === undefined ? schema : unquoted(of),
    name: unquoted(table),
  }));
}

const notTold =
  "The server does not tell the tables behind a MERGE table while this session's SQL mode has ANSI or NO_TABLE_OPTIONS; ask the user to change it.";

const quotedName = '`(?:[^`]|``)*`|"(?:[^"]|"")*"';
const nameInList = new RegExp(`(?:(${quotedName})\\.)?(${quotedName})`, 'g');

function unquoted(name: string): string {
  const quote = name.slice(0, 1);
  return name.slice(1, -1).replaceAll(quote + quote, quote);
}

export function isSame(one: TableName, other: TableName): boolean {
  return keyOf(one, '') === keyOf(other, '');
}

function keyOf({ schema, name }: TableName, act: TakenTable['act'] | ''): string {
  return JSON.stringify([schema.toLowerCase(), name.toLowerCase(), act]);
}

export function quotedTable({ schema, name }: TableName): string {
  return quoteQualified('mysql', schema, name);
}

export function countOf(of: TableName, most: number | null = null): string {
  const table = quotedTable(of);
  const source = most === null ? table : `(SELECT 1 FROM ${table} LIMIT ${most}) AS t`;
  return `SELECT COUNT(*) FROM ${source}`;
}
