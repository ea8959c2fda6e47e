/** Why there is no fitting role: a folder has the rights of its files. */

import type { Answer, PlannedRole } from '../../../daemon/engines/engine.ts';

export async function planRole(): Promise<Answer<PlannedRole>> {
  return { kind: 'unsupported', message: 'A folder has no roles.' };
}
