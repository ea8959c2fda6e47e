/**
 * Foreign keys of an SQLite table, in both directions. They have no names, and refer only to tables
 * of the same schema.
 */

import type { ForeignKey, IncomingForeignKey } from '../../engine.ts';
import { type LookUp, text, textOrNull } from '../look-up.ts';
import type { Schema } from '../schema.ts';
import type { Constraints } from './constraints.ts';

/**
 * The rows of one key, in order: id, from, to, table, on_update, on_delete. `to` is null if it
 * means the parent's key.
 */
const keyColumns = 'f.id, f."from", f."to", f."table", f.on_update, f.on_delete';

export async function foreignKeysOf(
  lookUp: LookUp,
  schema: Schema,
  table: string,
  { rules }: Constraints,
): Promise<readonly ForeignKey[]> {
  const rows = await lookUp(
    `select ${keyColumns} from temp.pragma_foreign_key_list(?, ?) as f order by f.id, f.seq`,
    table,
    schema,
  );
  // SQLite numbers them from the last.
  const written = rules.filter(({ kind }) => kind === 'foreign key').toReversed();
  const keys: ForeignKey[] = [];
  for (const parts of Map.groupBy(rows, row => text(row[0])).values()) {
    const [, , to, parent, onUpdate, onDelete] = parts[0] ?? [];
    const state = written[keys.length]?.state ?? null;
    keys.push({
      name: null,
      columns: parts.map(part => text(part[1])),
      referencedSchema: schema,
      referencedTable: text(parent),
      referencedColumns:
        to === null ? await primaryKeyOf(lookUp, schema, text(parent)) : parts.map(part => text(part[2])),
      onUpdate: textOrNull(onUpdate),
      onDelete: textOrNull(onDelete),
      ...(state !== null && { state }),
    });
  }
  return keys;
}

export async function referencesTo(
  lookUp: LookUp,
  schema: Schema,
  table: string,
): Promise<readonly IncomingForeignKey[]> {
  const rows = await lookUp(
    `select ${keyColumns}, t.name from temp.pragma_table_list as t
     join temp.pragma_foreign_key_list(t.name, t.schema) as f on f."table" = ? collate nocase
     where t.schema = ? and t.type = 'table' order by t.name, f.id, f.seq`,
    table,
    schema,
  );
  const own = await primaryKeyOf(lookUp, schema, table);
  return [...Map.groupBy(rows, row => JSON.stringify([row[6], row[0]])).values()].map(parts => ({
    name: null,
    schema,
    table: text(parts[0]?.[6]),
    columns: parts.map(part => text(part[1])),
    referencedColumns: parts[0]?.[2] === null ? own : parts.map(part => text(part[2])),
  }));
}

async function primaryKeyOf(lookUp: LookUp, schema: Schema, table: string): Promise<readonly string[]> {
  // Only tables: a view has no key, and a broken one would fail the description of every table that
  // refers to it.
  const rows = await lookUp(
    `select x.name from ${schema}.sqlite_schema as s join temp.pragma_table_xinfo(s.name, ?) as x
     where s.type = 'table' and s.rootpage > 0 and s.name = ? collate nocase and x.pk > 0 order by x.pk`,
    schema,
    table,
  );
  return rows.map(([name]) => text(name));
}
