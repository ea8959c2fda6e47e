/** What is said beside the result of a statement that ran: what its text asks for and may not have got, and what isn't recorded. */

import type { ActivityLog } from '../activity.ts';
import type { Call } from './call.ts';
import { unrecordedWarning } from './record.ts';
import { temporaryWarning } from './temporary-objects.ts';

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
