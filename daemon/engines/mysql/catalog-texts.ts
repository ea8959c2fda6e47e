/**
 * Names and comments of tables, columns and routines, and the names of constraints and indexes, for
 * a search: three queries for any number of tables.
 */

import { type CatalogText, mostCatalogTexts } from '../engine.ts';
import type { LookUp } from './look-up.ts';
import { text } from './run/parameters.ts';
import { listTables, schemaCondition } from './schema.ts';

/** @param database null: every database but the server's own */
export async function catalogTexts(
  lookUp: LookUp,
  database: string | null,
  words: readonly string[] | null,
): Promise<readonly CatalogText[]> {
  const holding = (...columns: readonly string[]): string =>
    words === null
      ? ''
      : ` AND (${columns.flatMap(column => words.map(word => `LOCATE(${text(word)}, ${column}) > 0`)).join(' OR ')})`;
  const tables = await listTables(lookUp, database, false);
  const columns = await lookUp(
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_COMMENT FROM information_schema.COLUMNS
     WHERE ${schemaCondition(database)}${holding('COLUMN_NAME', 'COLUMN_COMMENT')} LIMIT ${mostCatalogTexts}`,
  );
  // One question, for each is a wait. A unique index is a constraint of its name; InnoDB gives a
  // foreign key an index of its own.
  const others = await lookUp(
    `SELECT ROUTINE_SCHEMA, NULL, ROUTINE_NAME, ROUTINE_TYPE, ROUTINE_COMMENT FROM information_schema.ROUTINES
     WHERE ${schemaCondition(database, 'ROUTINE_SCHEMA')}${holding('ROUTINE_NAME', 'ROUTINE_COMMENT')}
     UNION SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, 'constraint', NULL FROM information_schema.TABLE_CONSTRAINTS
     WHERE ${schemaCondition(database)} AND CONSTRAINT_NAME <> 'PRIMARY'${holding('CONSTRAINT_NAME')}
     UNION SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, 'index', NULL FROM information_schema.STATISTICS
     WHERE ${schemaCondition(database)} AND NON_UNIQUE = 1${holding('INDEX_NAME')} LIMIT ${mostCatalogTexts}`,
  );
  const routines = others.filter(([, table]) => table === null);
  const parts = others.filter(([, table]) => table !== null);
  const ofTables = tables.map(({ schema, name, kind, comment }) => ({
    schema,
    object: name,
    kind,
    objectComment: comment,
  }));
  const objects = [
    ...ofTables,
    ...routines.map(([schema, , name, type, comment]) => ({
      schema: schema ?? null,
      object: name ?? '',
      kind: type === 'PROCEDURE' ? ('procedure' as const) : ('function' as const),
      objectComment: comment || null,
    })),
  ];
  // Tables alone: a routine may share a table's name.
  const known = new Map(ofTables.map(table => [JSON.stringify([table.schema, table.object]), table]));
  const ofColumns = columns.flatMap(([schema, table, column, comment]): CatalogText[] => {
    const of = known.get(JSON.stringify([schema, table]));
    if (of === undefined || column === null || column === undefined) return [];
    const name = { ...of, column, isComment: false, text: column };
    return comment ? [name, { ...of, column, isComment: true, text: comment }] : [name];
  });
  const ofParts = [...Map.groupBy(parts, ([schema, table, name]) => JSON.stringify([schema, table, name])).values()];
  const named = ofParts.flatMap((rows): CatalogText[] => {
    const [[schema, table, name] = []] = rows;
    const of = known.get(JSON.stringify([schema, table]));
    if (of === undefined || !name) return [];
    const part = rows.some(([, , , kind]) => kind === 'constraint') ? 'constraint' : 'index';
    return [{ ...of, column: null, isComment: false, text: name, part }];
  });
  const own = objects.flatMap((object): CatalogText[] => {
    const name = { ...object, column: null, isComment: false, text: object.object };
    return object.objectComment === null ? [name] : [name, { ...name, isComment: true, text: object.objectComment }];
  });
  return [...own, ...ofColumns, ...named].slice(0, mostCatalogTexts);
}
