/** Why there is no fitting role: a folder has its files' permissions. */

import type { Answer, PlannedRole } from '../../../daemon/engines/engine.ts';

export async function planRole(): Promise<Answer<PlannedRole>> {
  return { kind: 'unsupported', message: 'A folder has no roles.' };
}
