/**
 * Warnings beside the result of a statement that ran: what its text asks for and may not have got,
 * and what isn't recorded.
 */

import type { ActivityLog } from '../activity.ts';
import type { Call } from './call.ts';
import { unrecordedWarning } from './record.ts';

export async function warningsBeside(
  activity: Pick<ActivityLog, 'problem'>,
  { database, context, sql }: Call,
  mayWrite: boolean,
): Promise<readonly string[]> {
  const said = [
    mayWrite ? temporaryWarning(sql) : null,
    ...(database.dialect.sessionWarnings?.(sql) ?? []),
    (await database.misreading?.(context, sql, 'run')) ?? null,
    unrecordedWarning(activity),
  ];
  return said.filter(sentence => sentence !== null);
}

const leading = /^(?:\s|--[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/;
const makesTemporary =
  /^create\s+(?:or\s+replace\s+)?(?:(?:global|local)\s+)?temp(?:orary)?\s+(?:table|(?:recursive\s+)?view|sequence)\b/i;
const isQuery = /^(?:select|with)\b/i;
/** PostgreSQL's SELECT … INTO, but not an INSERT in its WITH into a table called temp. */
const intoTemporary = /(?<!\binsert\s)\binto\s+(?:(?:global|local)\s+)?temp(?:orary)?\s+(?:table\s+)?(?!from\b)["\w]/i;

const gone =
  'What is temporary is gone when the call ends, so no later statement finds it; WITH names a result within one statement.';

/**
 * A later call doesn't find temporary objects: each call has a session as good as new.
 * @param sql of a statement that may write.
 */
export function temporaryWarning(sql: string): string | null {
  const code = sql.replace(leading, '');
  const isTemporary = makesTemporary.test(code) || (isQuery.test(code) && intoTemporary.test(code));
  return isTemporary ? gone : null;
}
