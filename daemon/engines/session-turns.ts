/**
 * Decides whose call gets the next session of a database with which only so many are kept: the rule
 * alone, for every engine. It keeps no queue, lends no session and knows no clock but the order of
 * events.
 */

/**
 * A principal that waits for a session or holds some. Null: the owner, by a shell, or Sallyport
 * itself.
 */
export interface Standing {
  readonly principal: string | null;
  readonly held: number;
  /** When its oldest waiting call asked, counted in events; null where none waits. */
  readonly waitingSince: number | null;
  /** When it last got a session, counted likewise; 0 where it didn't yet. */
  readonly lastTurn: number;
}

const keptForNewcomers = 1;
const keptForOwner = 1;

/** Sessions there are at most. @param shared those that one principal may hold all of. */
export function mostSessions(shared: number): number {
  return shared + keptForNewcomers + keptForOwner;
}

/**
 * Whoever holds a session already leaves the last ones to who holds none, or a greedy client could
 * keep the others waiting for as long as its statements take; and two greedy ones can't keep the
 * owner from looking what goes on.
 */
function mayStart({ principal, held }: Standing, busy: number, shared: number): boolean {
  if (held > 0) return busy < shared;
  return busy < (principal === null ? mostSessions(shared) : shared + keptForNewcomers);
}

/**
 * The one with the fewest sessions; of those the one that had no turn for longest. What comes later
 * never goes before in that order, so that a stream of newcomers doesn't keep anyone waiting who
 * holds as few.
 */
export function nextInTurn<Own extends Standing>(standings: Iterable<Own>, busy: number, shared: number): Own | null {
  let next: { readonly own: Own; readonly since: number } | null = null;
  for (const own of standings) {
    if (own.waitingSince === null || !mayStart(own, busy, shared)) continue;
    const since = Math.max(own.waitingSince, own.lastTurn);
    if (next === null || own.held < next.own.held || (own.held === next.own.held && since < next.since)) {
      next = { own, since };
    }
  }
  return next?.own ?? null;
}
