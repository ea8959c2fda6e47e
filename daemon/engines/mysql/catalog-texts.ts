/**
 * Names and comments of tables, columns and routines, for a search: three queries for any number of
 * tables.
 */

import { type CatalogText, mostCatalogTexts } from '../engine.ts';
import type { LookUp } from './look-up.ts';
import { text } from './run/parameters.ts';
import { listTables, within } from './schema.ts';

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
     WHERE ${within(database)}${holding('COLUMN_NAME', 'COLUMN_COMMENT')} LIMIT ${mostCatalogTexts}`,
  );
  const routines = await lookUp(
    `SELECT ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_TYPE, ROUTINE_COMMENT FROM information_schema.ROUTINES
     WHERE ${within(database, 'ROUTINE_SCHEMA')}${holding('ROUTINE_NAME', 'ROUTINE_COMMENT')}`,
  );
  const ofTables = tables.map(({ schema, name, kind, comment }) => ({
    schema,
    object: name,
    kind,
    objectComment: comment,
  }));
  const objects = [
    ...ofTables,
    ...routines.map(([schema, name, type, comment]) => ({
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
  const own = objects.flatMap((object): CatalogText[] => {
    const name = { ...object, column: null, isComment: false, text: object.object };
    return object.objectComment === null ? [name] : [name, { ...name, isComment: true, text: object.objectComment }];
  });
  return [...own, ...ofColumns].slice(0, mostCatalogTexts);
}
