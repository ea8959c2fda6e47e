/**
 * What `information_schema` says of several tables, one question a catalog. Each is a union of one part a table, because MariaDB
 * finds a table at once by `=` alone; by IN or by a join it opens every table of the server.
 */

import { answering } from '../../query/answering.ts';
import type { Table } from '../../query/database.ts';
import type { LookUp } from './look-up.ts';
import { text } from './parameters.ts';
import { tableComment, tableKind } from './schema.ts';

export interface FoundTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: Table['kind'];
  readonly comment: string | null;
  readonly rows: string | null;
  readonly bytes: string | null;
  readonly isMariadb: boolean;
  /** Whether `Orders` and `orders` are one table on this server (lower_case_table_names). */
  readonly foldsNames: boolean;
  /** Whether the server says what expressions an index has (MySQL 8.0.13). */
  readonly knowsExpressions: boolean;
}

type Rows = readonly (readonly (string | null)[])[];

/** One for each name, in their order; null where there is no such table. */
export async function findTables(
  lookUp: LookUp,
  database: string,
  names: readonly string[],
): Promise<(FoundTable | null)[]> {
  const parts = names.map(
    (name, place) =>
      `SELECT ${place} AS place, TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH AS bytes,
         VERSION() AS version, @@lower_case_table_names AS folds
       FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${text(database)} AND TABLE_NAME = ${text(name)}`,
  );
  const known = new Map<string, FoundTable>();
  return byPlace(await lookUp(parts.join('\nUNION ALL ')), names.length).map((candidates, place) => {
    // The catalog compares without regard to case; where the server does too, the one row has the real name.
    const row = candidates.find(([, name]) => name === names[place]) ?? candidates[0];
    if (row === undefined) return null;
    const [schema, name, type, comment, rows, bytes, version, folds] = row.map(cell => cell ?? null);
    const kind = tableKind(type ?? '');
    const isMariadb = /mariadb/i.test(version ?? '');
    const table = {
      schema: schema ?? database,
      name: name ?? '',
      kind,
      comment: tableComment(kind, comment ?? null),
      rows: rows ?? null,
      bytes: bytes ?? null,
      isMariadb,
      foldsNames: folds !== '0',
      knowsExpressions: !isMariadb && isFrom(version ?? '', [8, 0, 13]),
    };
    const before = known.get(table.name);
    if (before === undefined) known.set(table.name, table);
    return before ?? table;
  });
}

export interface Catalog {
  readonly columns: readonly Rows[];
  readonly keys: readonly Rows[];
  readonly rules: readonly Rows[];
  readonly indexes: readonly Rows[];
  readonly triggers: readonly Rows[];
  readonly parts: readonly Rows[];
  readonly checks: readonly Rows[];
}

/** Of each catalog the rows of each table, in the order of `tables`, which are of one server. */
export async function catalogOf(lookUp: LookUp, tables: readonly FoundTable[]): Promise<Catalog> {
  const [first] = tables;
  const isMariadb = first?.isMariadb === true;
  const ask = async ({ columns, from, schema, table, order, where }: Part): Promise<readonly Rows[]> => {
    const parts = tables.map(
      (of, place) =>
        `SELECT ${place} AS place, ${columns} FROM information_schema.${from}
         WHERE ${schema} = ${text(of.schema)} AND ${table} = ${text(of.name)}${where === undefined ? '' : ` AND ${where}`}`,
    );
    return byPlace(await lookUp(`${parts.join('\nUNION ALL ')}\nORDER BY place, ${order}`), tables.length);
  };
  const ofTable = { schema: 'TABLE_SCHEMA', table: 'TABLE_NAME' };
  return {
    columns: await ask({
      ...ofTable,
      columns:
        'COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, COLUMN_KEY, COLUMN_COMMENT, GENERATION_EXPRESSION, ORDINAL_POSITION',
      from: 'COLUMNS',
      order: 'ORDINAL_POSITION',
    }),
    keys: await ask({
      ...ofTable,
      columns:
        'CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME, ORDINAL_POSITION',
      from: 'KEY_COLUMN_USAGE',
      order: 'CONSTRAINT_NAME, ORDINAL_POSITION',
    }),
    rules: await ask({
      ...{ schema: 'CONSTRAINT_SCHEMA', table: 'TABLE_NAME' },
      columns: 'CONSTRAINT_NAME, UPDATE_RULE, DELETE_RULE',
      from: 'REFERENTIAL_CONSTRAINTS',
      order: 'CONSTRAINT_NAME',
    }),
    indexes: await ask({
      ...ofTable,
      columns: `INDEX_NAME, NON_UNIQUE, COLUMN_NAME, INDEX_TYPE, SUB_PART, COLLATION, ${first?.knowsExpressions === true ? 'EXPRESSION' : 'NULL'}, SEQ_IN_INDEX`,
      from: 'STATISTICS',
      order: 'INDEX_NAME, SEQ_IN_INDEX',
    }),
    triggers: await ask({
      ...{ schema: 'EVENT_OBJECT_SCHEMA', table: 'EVENT_OBJECT_TABLE' },
      columns: 'TRIGGER_NAME, ACTION_TIMING, EVENT_MANIPULATION, ACTION_STATEMENT',
      from: 'TRIGGERS',
      order: 'TRIGGER_NAME',
    }),
    parts: await ask({
      ...ofTable,
      columns:
        'PARTITION_NAME, PARTITION_METHOD, PARTITION_EXPRESSION, PARTITION_DESCRIPTION, PARTITION_ORDINAL_POSITION',
      from: 'PARTITIONS',
      order: 'PARTITION_ORDINAL_POSITION',
      where: 'PARTITION_NAME IS NOT NULL',
    }),
    checks: await checksOf(() => ask(isMariadb ? mariadbChecks : mysqlChecks)),
  };
}

interface Part {
  readonly columns: string;
  readonly from: string;
  /** The columns that name the table. */
  readonly schema: string;
  readonly table: string;
  readonly order: string;
  readonly where?: string;
}

const mariadbChecks: Part = {
  columns: 'CONSTRAINT_NAME, CHECK_CLAUSE',
  from: 'CHECK_CONSTRAINTS',
  schema: 'CONSTRAINT_SCHEMA',
  table: 'TABLE_NAME',
  order: 'CONSTRAINT_NAME',
};

const mysqlChecks: Part = {
  columns: 'k.CONSTRAINT_NAME AS name, k.CHECK_CLAUSE',
  from: `CHECK_CONSTRAINTS k JOIN information_schema.TABLE_CONSTRAINTS t
    ON t.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = k.CONSTRAINT_NAME`,
  schema: 't.TABLE_SCHEMA',
  table: 't.TABLE_NAME',
  order: 'name',
  where: "t.CONSTRAINT_TYPE = 'CHECK'",
};

/** MySQL 5.7 has no such catalog, as it has no checks. */
async function checksOf(ask: () => Promise<readonly Rows[]>): Promise<readonly Rows[]> {
  const checks = await answering(ask);
  return checks.kind === 'done' ? checks.value : [];
}

/** The rows of each part of a union, without the number of the part that each begins with. */
function byPlace(rows: Rows, count: number): Rows[] {
  const places: (readonly (string | null)[])[][] = Array.from({ length: count }, () => []);
  for (const [place, ...cells] of rows) places[Number(place)]?.push(cells);
  return places;
}

function isFrom(version: string, wanted: readonly number[]): boolean {
  const [major = 0, minor = 0, patch = 0] = (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '').split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = wanted;
  return (major - wantedMajor || minor - wantedMinor || patch - wantedPatch) >= 0;
}
