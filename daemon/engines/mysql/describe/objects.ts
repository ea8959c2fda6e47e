/**
 * Describes stored functions and procedures by name, each with the statement that creates it if the
 * role may see it.
 */

import { quoteQualified } from '../../../guard/identifiers.ts';
import { answering } from '../../answering.ts';
import type { ObjectDescription } from '../../engine.ts';
import type { LookUp } from '../look-up.ts';
import { text } from '../run/parameters.ts';
import { inPlainMode } from '../run/session-contract.ts';

export async function describeObjects(
  lookUp: LookUp,
  database: string | null,
  name: string,
): Promise<readonly ObjectDescription[]> {
  if (database === null) return [];
  const rows = await lookUp(
    `SELECT ROUTINE_NAME, ROUTINE_TYPE, ROUTINE_COMMENT FROM information_schema.ROUTINES
     WHERE ROUTINE_SCHEMA = ${text(database)} AND ROUTINE_NAME = ${text(name)} LIMIT 2`,
  );
  const described: ObjectDescription[] = [];
  for (const [routine, type, comment] of rows) {
    const kind = type === 'PROCEDURE' ? 'procedure' : 'function';
    const shown = await answering(() =>
      lookUp(`${inPlainMode}SHOW CREATE ${kind.toUpperCase()} ${quoteQualified('mysql', database, routine ?? name)}`),
    );
    const definition = shown.kind === 'done' ? (shown.value[0]?.[2] ?? null) : null;
    described.push({ name: routine ?? name, schema: database, kind, comment: comment || null, definition });
  }
  return described;
}
