/**
 * Decides whose call gets the next session of a database with a bounded number of them: only the
 * rule, for every engine. No queue, no sessions, and no clock but the order of events.
 */

/**
 * A principal that waits for a session or holds some. Null: the owner (by a shell), or Sallyport
 * itself.
 */
export interface Standing {
  readonly principal: string | null;
  readonly held: number;
  /** When its oldest waiting call asked, counted in events; null if none waits. */
  readonly waitingSince: number | null;
  /** When it last got a session, counted likewise; 0 if never. */
  readonly lastTurn: number;
}

const keptForNewcomers = 1;
const keptForOwner = 1;

/** How many sessions there are. @param shared how many one principal may hold. */
export function mostSessions(shared: number): number {
  return shared + keptForNewcomers + keptForOwner;
}

/** How many sessions may be busy before the next is left to others. */
interface Shares {
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
 * A principal with a session leaves the last ones to principals without. Otherwise a greedy client
 * could block the others for as long as its statements take, and two of them the owner.
 */
function mayStart({ principal, held }: Standing, busy: number, shares: Shares): boolean {
  if (held > 0) return busy < shares.shared;
  return busy < (principal === null ? shares.owner : shares.newcomer);
}

/**
 * The principal with the fewest sessions; among equals, the one that waited longest since its last
 * turn. A newcomer never goes before one that holds as few, so a stream of newcomers blocks nobody.
 */
export function nextInTurn<Own extends Standing>(standings: Iterable<Own>, busy: number, shares: Shares): Own | null {
  let next: { readonly own: Own; readonly since: number } | null = null;
  for (const own of standings) {
    if (own.waitingSince === null || !mayStart(own, busy, shares)) continue;
    const since = Math.max(own.waitingSince, own.lastTurn);
    if (next === null || own.held < next.own.held || (own.held === next.own.held && since < next.since)) {
      next = { own, since };
    }
  }
  return next?.own ?? null;
}
