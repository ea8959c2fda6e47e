/**
 * Finds the foreign keys that point to tables; this costs a server more than the rest of a
 * description.
 */

import { answering, valueOrThrow } from '../../answering.ts';
import type { IncomingForeignKey } from '../../engine.ts';
import type { LookUp } from '../look-up.ts';
import { text } from '../run/parameters.ts';
import type { FoundTable } from './catalog.ts';

/** MariaDB opens each table of the server for this, some 0.2 ms each, whatever the condition. */
const incomingSeconds = 1;
/** MariaDB's, for its `max_statement_time`. */
const statementTimeout = '1969';

/**
 * @param tables of one schema.
 * @returns one list per table; null if the server has too many tables to look through.
 */
export async function incomingKeys(
  lookUp: LookUp,
  tables: readonly FoundTable[],
): Promise<readonly (readonly IncomingForeignKey[])[] | null> {
  const [first] = tables;
  if (first === undefined) return [];
  const within = first.isMariadb ? `SET STATEMENT max_statement_time = ${incomingSeconds} FOR ` : '';
  const found = await answering(() =>
    lookUp(
      `${within}SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, REFERENCED_TABLE_NAME
       FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE UNIQUE_CONSTRAINT_SCHEMA = ${text(first.schema)}
       AND REFERENCED_TABLE_NAME IN (${tables.map(({ name }) => text(name)).join(', ')})
       ORDER BY CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME`,
    ),
  );
  const isLate = found.kind === 'timeout' || (found.kind === 'query_failed' && found.code === statementTimeout);
  if (isLate && first.isMariadb) return null;
  const keys = valueOrThrow(found);
  const columns =
    keys.length === 0 ? [] : [...Map.groupBy(await lookUp(columnsSql(keys)), ([place]) => place ?? '').values()];
  const columnsOf = new Map(columns.map(rows => [rows[0]?.[0], rows]));
  const folded = (name: string): string => (first.foldsNames ? name.toLowerCase() : name);
  return tables.map(({ name: referenced }) =>
    keys.flatMap(([schema, table, name, to], index) => {
      if (folded(to ?? '') !== folded(referenced)) return [];
      const own = columnsOf.get(`${index}`) ?? [];
      return [
        {
          name: name ?? null,
          schema: schema ?? null,
          table: table ?? '',
          columns: own.map(row => row[2] ?? ''),
          referencedColumns: own.map(row => row[3] ?? ''),
        },
      ];
    }),
  );
}

/** MariaDB finds a table fast only by `=`, not by IN or a join. */
function columnsSql(keys: readonly (readonly (string | null)[])[]): string {
  const parts = keys.map(
    ([schema, table, name], index) =>
      `SELECT ${index} AS place, ORDINAL_POSITION AS position, COLUMN_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE
       WHERE TABLE_SCHEMA = ${text(schema ?? '')} AND TABLE_NAME = ${text(table ?? '')}
       AND CONSTRAINT_NAME = ${text(name ?? '')} AND REFERENCED_COLUMN_NAME IS NOT NULL`,
  );
  return `${parts.join('\nUNION ALL ')}\nORDER BY place, position`;
}
