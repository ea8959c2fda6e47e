/** Sentences of `status` that a person ought to read. */

import type { WideningMode } from './access/widening.ts';
import type { ActivityLog } from './activity.ts';

export function activityNotes(activity: Pick<ActivityLog, 'problem'>): string[] {
  const problem = activity.problem();
  return problem === null ? [] : [problem];
}

export function wideningNotes(mode: WideningMode): string[] {
  return mode === 'free'
    ? [
        'Widening is free: any program that runs as you can give AI clients more access, as you can. `sallyport passphrase set` makes Sallyport ask you.',
      ]
    : [];
}
