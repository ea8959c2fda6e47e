/**
 * What a call is told that was stopped because the user withdrew the access that it used (spec §6),
 * in place of how its statement ended.
 */

import type { UsedAccess } from '../access/access-in-use.ts';
import type { Refusal } from '../refusal.ts';

/**
 * @param access null where the owner runs it.
 * @param mayStay whether what was stopped could have left something.
 */
export function orWithdrawn(access: Pick<UsedAccess, 'withdrawn'> | null, refusal: Refusal, mayStay: boolean): Refusal {
  const why = access?.withdrawn() ?? null;
  if (why === null || refusal.kind === 'withdrawn') return refusal;
  const isUnknown = refusal.kind === 'tool_error' && refusal.word === 'outcome_unknown';
  return { kind: 'withdrawn', why, mayHaveRun: isUnknown || (mayStay ? false : null) };
}
