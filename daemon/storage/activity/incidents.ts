/** What the log has to say of itself, and the rows that say it. */

import type { OwnAction } from '../../activity.ts';
import { type Facts, factsOf } from './row.ts';

export interface Incident {
  readonly action: OwnAction;
  readonly reason: string;
  readonly count: number;
}

/** @param time milliseconds since 1970. */
export function factsOfIncident(time: number, { action, reason, count }: Incident): Facts {
  const isFault = action !== 'activity.pruned' && action !== 'activity.adopted';
  const result = { outcome: isFault ? 'error' : 'success', reason, count } as const;
  return factsOf(time, 'event', null, { category: 'admin', action }, result);
}

export function rowRange(from: number, to: number): string {
  return from === to ? `row ${from}` : `rows ${from} to ${to}`;
}
