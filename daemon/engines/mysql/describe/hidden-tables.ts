/**
 * Which tables are out of sight, with the views and routines that reach them: all questions are
 * asked at once, for descriptions and for what a server's error may name.
 */

import { hiddenAmong } from '../../../guard/mysql/hidden-among.ts';
import type { Sight } from '../../../guard/sight.ts';
import type { HiddenTables } from '../../engine.ts';
import type { LookUp } from '../look-up.ts';
import { schemaCondition } from '../schema.ts';

export async function hiddenTables(lookUp: LookUp, sight: Sight | undefined): Promise<HiddenTables> {
  if (sight === undefined) return { tables: [], bareNames: [] };
  const tables = await lookUp(
    `SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE ${schemaCondition(null)}`,
  );
  const views = await lookUp(
    `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION, '' FROM information_schema.VIEWS WHERE ${schemaCondition(null)}`,
  );
  const routines = await lookUp(
    `SELECT ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_DEFINITION, SQL_MODE FROM information_schema.ROUTINES WHERE ${schemaCondition(null, 'ROUTINE_SCHEMA')}`,
  );
  const named = tables.map(([schema, name]) => ({ schema: schema ?? '', name: name ?? '' }));
  const codeOf = (kind: 'view' | 'routine') => (row: readonly (string | null)[]) => {
    const [schema, name, text, sqlMode] = row.map(cell => cell ?? '');
    return { kind, schema: schema ?? '', name: name ?? '', text: text ?? '', sqlMode: sqlMode ?? '' };
  };
  const hidden = hiddenAmong(sight, named, [...views.map(codeOf('view')), ...routines.map(codeOf('routine'))]);
  const inSight = new Set(named.filter(table => !hidden.includes(table)).map(({ name }) => name));
  return { tables: hidden, bareNames: hidden.map(({ name }) => name).filter(name => !inSight.has(name)) };
}
