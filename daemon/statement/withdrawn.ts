/**
 * What a call is told if it was stopped because the user withdrew its access (spec §6), instead of
 * how its statement ended.
 */

import type { UsedAccess } from '../access/access-in-use.ts';
import type { Refusal } from '../refusal.ts';

/**
 * @param access null if the owner runs it.
 * @param mayStay whether the stopped statement could have left something.
 */
export function orWithdrawn(access: Pick<UsedAccess, 'withdrawn'> | null, refusal: Refusal, mayStay: boolean): Refusal {
  const why = access?.withdrawn() ?? null;
  if (why === null || refusal.kind === 'withdrawn') return refusal;
  const isUnknown = refusal.kind === 'tool_error' && refusal.word === 'outcome_unknown';
  return { kind: 'withdrawn', why, mayHaveRun: isUnknown || (mayStay ? false : null) };
}
