/**
 * Decides who may take a session of a database with a bounded number of them, and who goes first:
 * only the rule, for every engine. No queue, no sessions, no clock.
 */

import { notNow } from '../fair-queue.ts';

const keptForNewcomers = 1;
const keptForOwner = 1;

/** How many sessions there are. @param shared how many one principal may hold. */
export function mostSessions(shared: number): number {
  return shared + keptForNewcomers + keptForOwner;
}

/** How many sessions may be busy before the next is left to others. */
export interface Shares {
  /** For a principal that holds some. */
  readonly shared: number;
  readonly newcomer: number;
  readonly owner: number;
}

/**
 * @param most how many the server allows; of one or two none is kept, as even a client alone would
 *   then have no two at once.
 */
export function sharesOf(shared: number, most: number): Shares {
  if (most >= mostSessions(shared)) return { shared, newcomer: shared + keptForNewcomers, owner: mostSessions(shared) };
  const kept = Math.min(keptForNewcomers + keptForOwner, Math.floor((most - 1) / 2));
  return { shared: Math.min(shared, most - kept), newcomer: most - Math.max(0, kept - keptForNewcomers), owner: most };
}

/**
 * The rank of a principal's call: the fewest sessions first. A principal with a session leaves the
 * last ones to principals without. Otherwise a greedy client could block the others for as long as
 * its statements take, and two of them the owner.
 *
 * @param principal null: the owner (by a shell), or Sallyport itself.
 * @param busy sessions of all principals.
 */
export function rankOf(principal: string | null, held: number, busy: number, shares: Shares): number {
  const most = held > 0 ? shares.shared : principal === null ? shares.owner : shares.newcomer;
  return busy < most ? held : notNow;
}
