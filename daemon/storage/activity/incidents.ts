/** Incidents of the log itself, and the rows that record them. */

import type { StoreDoubt } from '../../access/store-doubt.ts';
import type { OwnAction } from '../../activity.ts';
import { type Facts, factsOf } from './row.ts';

export interface Incident {
  readonly action: OwnAction;
  readonly reason: string;
  readonly count: number;
}

const doubted: { readonly [Action in OwnAction]?: StoreDoubt } = {
  'activity.older_copy': 'older_store',
  'activity.truncated': 'older_store',
  'activity.last_row_changed': 'older_store',
  'activity.head_missing': 'older_store',
  'activity.older_secrets': 'older_secrets',
  'activity.key_missing': 'older_secrets',
};

/**
 * Whether an incident at the start may have given access back. The store's incident comes before
 * the secrets'.
 */
export function doubtOf(incidents: readonly Incident[]): StoreDoubt | null {
  const doubts = incidents.flatMap(({ action }) => doubted[action] ?? []);
  return doubts.find(each => each === 'older_store') ?? doubts[0] ?? null;
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
