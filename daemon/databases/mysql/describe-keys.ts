/** Keys and indexes, which the catalog gives a column a row, as the lists of a description; who refers to a table, which costs a server more. */

import { answered, answering } from '../../query/answering.ts';
import type { ForeignKey, IncomingForeignKey, Index } from '../../query/database.ts';
import { quoteIdentifier } from '../../query/identifiers.ts';
import { grouped } from '../grouped.ts';
import type { LookUp } from './look-up.ts';
import { text } from './parameters.ts';

type Row = readonly (string | null)[];

function cells(rows: readonly Row[], at: number): string[] {
  return rows.map(row => row[at] ?? '');
}

export function foreignKeys(keys: readonly Row[], rules: readonly Row[]): ForeignKey[] {
  const pointing = keys.filter(row => row[3] !== null);
  return grouped(pointing, row => row[0] ?? '').map(rows => {
    const [name, , referencedSchema, referencedTable] = rows[0] ?? [];
    const rule = rules.find(row => row[0] === name);
    return {
      name: name ?? null,
      columns: cells(rows, 1),
      referencedSchema: referencedSchema ?? null,
      referencedTable: referencedTable ?? '',
      referencedColumns: cells(rows, 4),
      onUpdate: rule?.[1] ?? null,
      onDelete: rule?.[2] ?? null,
    };
  });
}

/** MariaDB opens each table of the server to answer this, some 0.2 ms each, and no condition spares it that. */
const incomingSeconds = 1;

/** @param ofTable the condition that names the table. @returns null where the server has too many tables to look through. */
export async function incomingKeys(
  lookUp: LookUp,
  ofTable: string,
  isMariadb: boolean,
): Promise<readonly IncomingForeignKey[] | null> {
  const within = isMariadb ? `SET STATEMENT max_statement_time = ${incomingSeconds} FOR ` : '';
  const found = await answering(() =>
    lookUp(
      `${within}SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
       WHERE ${ofTable} ORDER BY CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME`,
    ),
  );
  if (found.kind === 'timeout' && isMariadb) return null;
  const keys = answered(found);
  if (keys.length === 0) return [];
  // MariaDB finds a table at once by `=` alone, not by IN nor by a join.
  const parts = keys.map(
    ([schema, table, name], index) =>
      `SELECT ${index} AS place, ORDINAL_POSITION AS position, COLUMN_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE
       WHERE TABLE_SCHEMA = ${text(schema ?? '')} AND TABLE_NAME = ${text(table ?? '')}
       AND CONSTRAINT_NAME = ${text(name ?? '')} AND REFERENCED_COLUMN_NAME IS NOT NULL`,
  );
  const columns = await lookUp(`${parts.join('\nUNION ALL ')}\nORDER BY place, position`);
  return keys.map(([schema, table, name], index) => {
    const own = columns.filter(([place]) => place === `${index}`);
    return {
      ...{ name: name ?? null, schema: schema ?? null, table: table ?? '' },
      ...{ columns: cells(own, 2), referencedColumns: cells(own, 3) },
    };
  });
}

export function indexesOf(rows: readonly Row[], ddl: string | null): Index[] {
  const lines = (ddl ?? '').split('\n').map(line => line.trim().replace(/,$/, ''));
  return grouped(rows, row => row[0] ?? '').map(group => {
    const [name, nonUnique, , method] = group[0] ?? [];
    const start = name === 'PRIMARY' ? 'PRIMARY KEY ' : `KEY ${quoteIdentifier('mysql', name ?? '')} `;
    return {
      name: name ?? '',
      columns: cells(group, 2),
      unique: nonUnique === '0',
      method: method ?? null,
      definition:
        lines.find(line => /^(PRIMARY |UNIQUE |FULLTEXT |SPATIAL |VECTOR )?KEY /.test(line) && line.includes(start)) ??
        null,
    };
  });
}
