/**
 * Reads `information_schema` for several tables in few queries, as each is a round trip. A query is
 * a union with one part per table and catalog: MariaDB finds a table fast only by `=`; for IN or a
 * join it opens every table of the server.
 */

import { answering } from '../../answering.ts';
import type { Table } from '../../engine.ts';
import type { LookUp } from '../look-up.ts';
import { text } from '../run/parameters.ts';
import { inPlainMode } from '../run/session-contract.ts';
import { tableComment, tableKind } from '../schema.ts';
import {
  checksPart,
  columnsPart,
  indexesPart,
  isSince,
  keysPart,
  type Part,
  partitionsPart,
  rulesPart,
  type Server,
  triggersPart,
} from './catalog-parts.ts';

export interface FoundTable extends Server {
  readonly schema: string;
  readonly name: string;
  readonly kind: Table['kind'];
  readonly comment: string | null;
  readonly rows: string | null;
  readonly bytes: string | null;
  readonly isVersioned: boolean;
  /** Null for a view. */
  readonly collation: string | null;
  /** The session's. */
  readonly sqlMode: string;
  /** True if `Orders` and `orders` are one table on this server (lower_case_table_names). */
  readonly foldsNames: boolean;
}

type Rows = readonly (readonly (string | null)[])[];

/** @returns one per name, in their order; null if there is no such table. */
export async function findTables(
  lookUp: LookUp,
  database: string,
  names: readonly string[],
): Promise<(FoundTable | null)[]> {
  const parts = names.map(
    (name, place) =>
      `SELECT ${place} AS place, TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH AS bytes,
         VERSION() AS version, @@lower_case_table_names AS folds, TABLE_COLLATION, @@sql_mode AS mode
       FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${text(database)} AND TABLE_NAME = ${text(name)}`,
  );
  const known = new Map<string, FoundTable>();
  return byPlace(await lookUp(parts.join('\nUNION ALL ')), names.length).map((candidates, place) => {
    // The catalog ignores case. If the server does too, the one row has the real name.
    const row = candidates.find(([, name]) => name === names[place]) ?? candidates[0];
    if (row === undefined) return null;
    const [schema, name, type, comment, rows, bytes, version, folds, collation, mode] = row.map(cell => cell ?? null);
    const kind = tableKind(type ?? '');
    const table = {
      schema: schema ?? database,
      name: name ?? '',
      kind,
      comment: tableComment(kind, comment ?? null) ?? brokenView(kind, comment ?? null),
      rows: rows ?? null,
      bytes: bytes ?? null,
      isMariadb: /mariadb/i.test(version ?? ''),
      version: version ?? '',
      isVersioned: type === 'SYSTEM VERSIONED',
      collation: collation ?? null,
      sqlMode: mode ?? '',
      foldsNames: folds !== '0',
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

/** @returns per catalog the rows of each table, in the order of `tables` (all of one server). */
export async function catalogOf(lookUp: LookUp, tables: readonly FoundTable[]): Promise<Catalog> {
  const [server = { isMariadb: false, version: '' }] = tables;
  const ask = (parts: readonly Part[]) => askTogether(lookUp, tables, parts);
  const checksOf = checksPart(server);
  const knowsChecks = isSince(server, [8, 0, 16], [10, 3, 10]);
  const [columns = [], keys = [], rules = [], indexes = [], triggers = [], parts = [], checks] = await ask([
    columnsPart(server),
    keysPart,
    rulesPart,
    indexesPart(server),
    triggersPart,
    partitionsPart,
    ...(knowsChecks ? [checksOf] : []),
  ]);
  // MySQL 5.7 has neither checks nor this catalog; what calls itself 8.0.11 may have both.
  const others = knowsChecks ? null : await answering(() => ask([checksOf]));
  const tolerated = others?.kind === 'done' ? others.value[0] : undefined;
  return { columns, keys, rules, indexes, triggers, parts, checks: checks ?? tolerated ?? tables.map(() => []) };
}

/** Asks every part in one round trip. @returns per part the rows of each table */
async function askTogether(
  lookUp: LookUp,
  tables: readonly FoundTable[],
  parts: readonly Part[],
): Promise<readonly (readonly Rows[])[]> {
  const width = Math.max(...parts.map(({ columns }) => columns.length));
  const selects = parts.flatMap(({ columns, from, schema, table, order: [byText, byNumber], where }, part) =>
    tables.map((of, place) => {
      // MySQL's catalogs differ in collation and can't be united otherwise.
      const cells = Array.from({ length: width }, (_, at) => `CONVERT(${columns[at] ?? 'NULL'} USING utf8mb4)`);
      return `SELECT ${part * tables.length + place} AS place, CONVERT(${byText} USING utf8mb4) AS by_text, ${byNumber} AS by_number, ${cells.join(', ')}
        FROM information_schema.${from}
        WHERE ${schema} = ${text(of.schema)} AND ${table} = ${text(of.name)}${where === undefined ? '' : ` AND ${where}`}`;
    }),
  );
  const rows = await lookUp(`${inPlainMode}${selects.join('\nUNION ALL ')}\nORDER BY place, by_text, by_number`);
  const places = byPlace(rows, parts.length * tables.length);
  return parts.map(({ columns }, part) =>
    tables.map((_, place) =>
      (places[part * tables.length + place] ?? []).map(([, , ...cells]) => cells.slice(0, columns.length)),
    ),
  );
}

/** @returns the rows of each part, without the leading part number. */
function byPlace(rows: Rows, count: number): Rows[] {
  const places: (readonly (string | null)[])[][] = Array.from({ length: count }, () => []);
  for (const [place, ...cells] of rows) places[Number(place)]?.push(cells);
  return places;
}

/** The server says it in the place of a comment. */
function brokenView(kind: Table['kind'], comment: string | null): string | null {
  return kind === 'view' && comment !== 'VIEW' && comment !== '' ? comment : null;
}
