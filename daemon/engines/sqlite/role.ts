/** SQLite has no roles, so there is no fitting one. */

import type { Answer, PlannedRole } from '../engine.ts';

export async function planRole(): Promise<Answer<PlannedRole>> {
  const message =
    "SQLite has no roles: at the level read-only Sallyport opens the file so that it can't write, and the file's permissions hold too.";
  return { kind: 'unsupported', message };
}
