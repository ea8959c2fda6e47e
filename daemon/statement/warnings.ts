/** What is said beside the result of a statement that ran: what its text asks for and may not have got, and what isn't recorded. */

import type { ActivityLog } from '../activity.ts';
import type { Call } from './call.ts';
import { unrecordedWarning } from './record.ts';
import { sessionWarnings } from './session-state.ts';
import { temporaryWarning } from './temporary-objects.ts';
import { timeZoneWarning } from './time-zone-names.ts';
import { valueInFromWarning } from './values-in-from.ts';

export async function warningsBeside(
  activity: Pick<ActivityLog, 'problem'>,
  { database, context, sql }: Call,
  mayWrite: boolean,
): Promise<readonly string[]> {
  const said = [
    mayWrite ? temporaryWarning(sql) : null,
    ...sessionWarnings(database.engine, sql),
    await valueInFromWarning(database, context, sql),
    await timeZoneWarning(database, context, sql),
    unrecordedWarning(activity),
  ];
  return said.filter(sentence => sentence !== null);
}
