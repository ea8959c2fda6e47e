/** SQLite has no roles, so there is no fitting one. */

import type { Answer, PlannedRole } from '../engine.ts';

export async function planRole(): Promise<Answer<PlannedRole>> {
  const message =
    'SQLite has no roles: the level read-only holds here, in a handle that cannot write, and so do the permissions of the file.';
  return { kind: 'unsupported', message };
}
