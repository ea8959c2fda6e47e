/** Lists tables from `information_schema` with qualified names. `describe.ts` describes a table. */

import type { SchemaList, Table } from '../engine.ts';
import type { LookUp } from './look-up.ts';
import { text } from './run/parameters.ts';

export const systemDatabases = ['information_schema', 'mysql', 'performance_schema', 'sys'];

/** @param database null: all but the server's own */
export async function listTables(
  lookUp: LookUp,
  database: string | null,
  rowCounts: boolean,
): Promise<readonly Table[]> {
  // For row counts the server opens each table, even 10,000 of them.
  const rows = await lookUp(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, ${rowCounts ? 'TABLE_ROWS' : 'NULL'}
     FROM information_schema.TABLES WHERE ${schemaCondition(database)} ORDER BY TABLE_SCHEMA, TABLE_NAME`,
  );
  return rows.map(tableOf);
}

export async function listSchemas(lookUp: LookUp, own: string | null, databases: 'own' | 'all'): Promise<SchemaList> {
  const rows = await lookUp(
    `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE ${schemaCondition(null, 'SCHEMA_NAME')} ORDER BY SCHEMA_NAME`,
  );
  const all = rows.map(([name]) => name ?? '').filter(name => databases === 'all' || name === own);
  const schemas = [...all.filter(name => name === own), ...all.filter(name => name !== own)];
  return { schemas, databases: all.length > 1 ? all : [] };
}

/** @param database null: every one but the server's own */
export function schemaCondition(database: string | null, column = 'TABLE_SCHEMA'): string {
  return database === null
    ? `${column} NOT IN (${systemDatabases.map(text).join(', ')})`
    : `${column} = ${text(database)}`;
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

/** A view has no comment: the column holds `VIEW`, or why the view is broken. */
export function tableComment(kind: Table['kind'], comment: string | null): string | null {
  return kind === 'view' || comment === '' ? null : comment;
}

export function numberOrNull(value: string | null): number | null {
  return value === null ? null : Number(value);
}
