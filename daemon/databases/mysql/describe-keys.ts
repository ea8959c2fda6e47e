/** Keys and indexes, which the catalog gives a column a row, as the lists of a description. */

import type { ForeignKey, IncomingForeignKey, Index } from '../../query/database.ts';
import { quoteIdentifier } from '../../query/identifiers.ts';
import { grouped } from '../grouped.ts';

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

export function incomingKeys(rows: readonly Row[]): IncomingForeignKey[] {
  return grouped(rows, row => JSON.stringify(row.slice(0, 3))).map(group => {
    const [name, schema, table] = group[0] ?? [];
    return {
      name: name ?? null,
      schema: schema ?? null,
      table: table ?? '',
      columns: cells(group, 3),
      referencedColumns: cells(group, 4),
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
