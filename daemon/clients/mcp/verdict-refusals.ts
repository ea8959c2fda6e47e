/** Why there was no yes, as a refusal (spec §4, §12). Decides nothing. */

import type { Verdict } from '../../access/questions/approvals.ts';
import type { Refusal } from '../../refusal.ts';

export function tooLongForClient(connection: string): Refusal {
  return { kind: 'no_yes', why: 'too_long_for_client', connection, secondsLeft: 0 };
}

export function refusalOfVerdict(verdict: Exclude<Verdict, { kind: 'yes' }>, connection: string): Refusal {
  if (verdict.kind === 'cancelled') return { kind: 'cancelled' };
  const secondsLeft = verdict.kind === 'quiet' ? verdict.secondsLeft : 0;
  return { kind: 'no_yes', why: verdict.kind, connection, secondsLeft };
}
