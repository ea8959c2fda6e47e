/** Lists the tables and views of an SQLite file, from PRAGMA functions and `sqlite_stat1`. */

import { answering } from '../answering.ts';
import type { Answer, Table } from '../engine.ts';
import { type LookUp, numberOrNull, text } from './look-up.ts';

export type Schema = 'main' | 'temp';

export const kinds: Readonly<Record<string, Table['kind']>> = {
  table: 'table',
  view: 'view',
  virtual: 'virtual_table',
};

export function schemaOf(name: string | null): Schema {
  return name?.toLowerCase() === 'temp' ? 'temp' : 'main';
}

/** Shadow tables belong to a virtual table, `sqlite_` names to SQLite. */
export const isVisible = "t.schema = ? and t.type <> 'shadow' and t.name not like 'sqlite\\_%' escape '\\'";

export function listTables(lookUp: LookUp, schemaName: string | null): Promise<Answer<readonly Table[]>> {
  const schema = schemaOf(schemaName);
  return answering(async () => {
    const rows = await lookUp(
      `select t.name, t.type from temp.pragma_table_list as t where ${isVisible} order by t.name`,
      schema,
    );
    const counts = await analysedRowCounts(lookUp, schema);
    return rows.map(([name, type]) => ({
      name: text(name),
      schema,
      kind: kinds[text(type)] ?? 'other',
      comment: null,
      approximateRowCount: counts.get(text(name).toLowerCase()) ?? null,
    }));
  });
}

/**
 * ANALYZE's counts; empty if it never ran. A partial index counts only its own rows, hence the
 * largest count.
 */
export async function analysedRowCounts(lookUp: LookUp, schema: Schema): Promise<ReadonlyMap<string, number>> {
  const known = await lookUp(`select 1 from ${schema}.sqlite_schema where name = 'sqlite_stat1'`);
  if (known.length === 0) return new Map();
  const rows = await lookUp(
    `select lower(tbl), max(cast(substr(stat, 1, instr(stat || ' ', ' ')) as integer)) from ${schema}.sqlite_stat1 group by 1`,
  );
  return new Map(rows.map(([table, count]) => [text(table), numberOrNull(count) ?? 0]));
}
