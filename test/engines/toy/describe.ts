/** The tables of a folder, and their columns. */

import type { Answer, Table, TableDescription } from '../../../daemon/engines/engine.ts';
import type { Link } from './link.ts';

export function listTables(dialled: Answer<Link>): Answer<readonly Table[]> {
  if (dialled.kind !== 'done') return dialled;
  const { value: link } = dialled;
  return {
    kind: 'done',
    value: link.names().map(name => ({
      ...{ name, schema: null, kind: 'table', comment: null },
      approximateRowCount: link.read(name)?.rows.length ?? null,
    })),
  };
}

export function describeTables(
  dialled: Answer<Link>,
  names: readonly string[],
): Answer<readonly (TableDescription | null)[]> {
  if (dialled.kind !== 'done') return dialled;
  return { kind: 'done', value: names.map(name => described(dialled.value, name)) };
}

function described(link: Link, name: string): TableDescription | null {
  const table = link.read(name);
  if (table === null) return null;
  return {
    ...{ name, schema: null, kind: 'table', comment: null, primaryKey: [], foreignKeys: [], referencedBy: [] },
    ...{ indexes: [], checks: [], triggers: [], partitioning: null, ddl: null, sizeBytes: null },
    ...{ approximateRowCount: table.rows.length, isCounted: true },
    columns: table.columns.map(column => ({
      ...{ name: column, type: 'text', nullable: false, default: null, generated: null, primaryKey: false },
      ...{ comment: null, allowedValues: null },
    })),
  };
}
