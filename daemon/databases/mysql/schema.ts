/** Lists tables from `information_schema`, every name qualified. What one table is made of stands in `describe.ts`. */

import type { Table } from '../../query/database.ts';
import type { LookUp } from './look-up.ts';
import { text } from './parameters.ts';

const systemDatabases = ['information_schema', 'mysql', 'performance_schema', 'sys'];

/** @param database null: all but the server's own */
export async function listTables(lookUp: LookUp, database: string | null): Promise<readonly Table[]> {
  const where =
    database === null
      ? `TABLE_SCHEMA NOT IN (${systemDatabases.map(text).join(', ')})`
      : `TABLE_SCHEMA = ${text(database)}`;
  const rows = await lookUp(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS
     FROM information_schema.TABLES WHERE ${where} ORDER BY TABLE_SCHEMA, TABLE_NAME`,
  );
  return rows.map(tableOf);
}

function tableOf([schema, name, type, comment, rows]: readonly (string | null)[]): Table {
  const kind = tableKind(type ?? '');
  return {
    name: name ?? '',
    schema: schema ?? null,
    kind,
    comment: tableComment(kind, comment ?? null),
    approximateRowCount: kind === 'table' ? numberOrNull(rows ?? null) : null,
  };
}

export function tableKind(type: string): Table['kind'] {
  switch (type) {
    case 'BASE TABLE':
    case 'SYSTEM VERSIONED':
    case 'TEMPORARY':
      return 'table';
    case 'VIEW':
    case 'SYSTEM VIEW':
      return 'view';
    case 'SEQUENCE':
      return 'sequence';
    default:
      return 'other';
  }
}

/** A view has no comment: the column says `VIEW`, or why the view is broken. */
export function tableComment(kind: Table['kind'], comment: string | null): string | null {
  return kind === 'view' || comment === '' ? null : comment;
}

export function numberOrNull(value: string | null): number | null {
  return value === null ? null : Number(value);
}
