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
    const columns = parts.map(part => text(part[1]));
    const own = await primaryKeyOf(lookUp, schema, text(parent));
    const referencedColumns = to === null ? own : parts.map(part => text(part[2]));
    const unique = [own, ...(await uniqueIndexesOf(lookUp, schema, text(parent)))];
    const isKey = referencedColumns.length === columns.length && unique.some(key => isSame(key, referencedColumns));
    const deferred = written[keys.length]?.state ?? null;
    const states = [...(deferred === null ? [] : [deferred]), ...(isKey ? [] : [withoutParent])];
    keys.push({
      name: null,
      columns,
      referencedSchema: schema,
      referencedTable: text(parent),
      referencedColumns,
      onUpdate: textOrNull(onUpdate),
      onDelete: textOrNull(onDelete),
      ...(states.length > 0 && { state: states.join(', ') }),
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

/** SQLite takes such a definition, and then refuses what it would have to check. */
const withoutParent = 'BROKEN: NO SUCH KEY';

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const names = (of: readonly string[]) => JSON.stringify(of.map(name => name.toLowerCase()).sort());
  return names(one) === names(other);
}

/** Of indexes over all rows; those of UNIQUE among them. */
async function uniqueIndexesOf(lookUp: LookUp, schema: Schema, table: string): Promise<readonly (readonly string[])[]> {
  const rows = await lookUp(
    `select json_group_array(coalesce(x.name, '')) from temp.pragma_index_list(?, ?) as l
     join temp.pragma_index_xinfo(l.name, ?) as x on x.key = 1 where l."unique" and not l.partial group by l.seq`,
    table,
    schema,
    schema,
  );
  return rows.map(([names]) => JSON.parse(text(names)) as readonly string[]);
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
