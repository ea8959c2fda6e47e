/** The tables of a folder, and their columns. */

import type { Answer, Table, TableDescription } from '../../../daemon/engines/engine.ts';
import type { Session } from './session.ts';

export function listTables(dialled: Answer<Session>): Answer<readonly Table[]> {
  if (dialled.kind !== 'done') return dialled;
  const { value: session } = dialled;
  return {
    kind: 'done',
    value: session.names().map(name => ({
      name,
      schema: null,
      kind: 'table',
      comment: null,
      approximateRowCount: session.read(name)?.rows.length ?? null,
    })),
  };
}

export function describeTables(
  dialled: Answer<Session>,
  names: readonly string[],
): Answer<readonly (TableDescription | null)[]> {
  if (dialled.kind !== 'done') return dialled;
  return { kind: 'done', value: names.map(name => described(dialled.value, name)) };
}

function described(session: Session, name: string): TableDescription | null {
  const table = session.read(name);
  if (table === null) return null;
  return {
    name,
    schema: null,
    kind: 'table',
    comment: null,
    primaryKey: [],
    foreignKeys: [],
    referencedBy: [],
    indexes: [],
    checks: [],
    triggers: [],
    partitioning: null,
    ddl: null,
    sizeBytes: null,
    approximateRowCount: table.rows.length,
    isCounted: true,
    columns: table.columns.map(column => ({
      name: column,
      type: 'text',
      nullable: false,
      default: null,
      generated: null,
      primaryKey: false,
      comment: null,
      allowedValues: null,
    })),
  };
}
