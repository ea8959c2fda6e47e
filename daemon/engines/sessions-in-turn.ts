/**
 * Queues calls that wait for a session, one queue per principal, before an engine is asked for one.
 * Counts sessions and opens none; session-turns.ts decides whose turn it is. A principal's running
 * requests bound how many may wait (spec §13).
 */

import { millisecondsLeft, secondsOf } from './call-clock.ts';
import type { CallContext, DatabaseFailure } from './engine.ts';
import type { SessionRoom } from './session-room.ts';
import { nextInTurn, type Standing, sharesOf } from './session-turns.ts';

export interface SessionsInTurn {
  /** Calls `work` once it is the principal's turn: before this returns if a session is free. */
  within<T>(context: CallContext, work: () => Promise<T>): Promise<T | DatabaseFailure>;
  /** Ends every wait; nothing waits from now on. */
  close(): void;
}

interface Waiter {
  readonly since: number;
  /** Null: its turn has come. */
  end: (failure: DatabaseFailure | null) => void;
}

class Own implements Standing {
  readonly principal: string | null;
  readonly queue: Waiter[] = [];
  held = 0;
  lastTurn = 0;

  constructor(principal: string | null) {
    this.principal = principal;
  }

  get waitingSince(): number | null {
    return this.queue[0]?.since ?? null;
  }
}

const closedFailure: DatabaseFailure = {
  kind: 'not_connected',
  message: 'The connection was closed while the call waited for its turn, so nothing ran.',
};

/**
 * @param shared sessions that one principal may hold; `mostSessions` says how many there are.
 * @param room knows if the server allows fewer.
 */
export function sessionsInTurn(
  shared: number,
  room: Pick<SessionRoom, 'most' | 'limitedMilliseconds'> = { most: Number.POSITIVE_INFINITY, limitedMilliseconds: 0 },
): SessionsInTurn {
  const all = new Map<string | null, Own>();
  let busy = 0;
  let events = 0;
  let closed = false;
  let forgetting: NodeJS.Timeout | null = null;

  function ownOf(principal: string | null): Own {
    const own = all.get(principal) ?? new Own(principal);
    all.set(principal, own);
    return own;
  }

  function forgetIfGone(own: Own): void {
    if (own.held === 0 && own.queue.length === 0) all.delete(own.principal);
  }

  function serve(): void {
    const next = (): Own | null => nextInTurn(all.values(), busy, sharesOf(shared, room.most));
    for (let own = next(); own !== null; own = next()) {
      const waiter = own.queue.shift();
      own.held += 1;
      busy += 1;
      events += 1;
      own.lastTurn = events;
      waiter?.end(null);
    }
    serveOnceForgotten();
  }

  /** That the server's limit is forgotten is no event, and lets calls in. */
  function serveOnceForgotten(): void {
    const milliseconds = room.limitedMilliseconds;
    if (forgetting !== null || milliseconds === 0 || ![...all.values()].some(own => own.queue.length > 0)) return;
    forgetting = setTimeout(() => {
      forgetting = null;
      serve();
    }, milliseconds).unref();
  }

  /** @returns null if the turn came at once. */
  function turnOf(own: Own, context: CallContext): Promise<DatabaseFailure | null> | null {
    const { signal, clock } = context;
    if (clock !== undefined) clock.stage = 'session';
    let isTurn = false;
    events += 1;
    const waiter: Waiter = {
      since: events,
      end: () => {
        isTurn = true;
      },
    };
    own.queue.push(waiter);
    serve();
    if (isTurn) return null;
    return new Promise(resolve => {
      const leave = (failure: DatabaseFailure): void => {
        own.queue.splice(own.queue.indexOf(waiter), 1);
        forgetIfGone(own);
        waiter.end(failure);
      };
      const cancel = (): void => leave({ kind: 'cancelled' });
      const milliseconds = millisecondsLeft(context);
      const timer = setTimeout(
        () => leave({ kind: 'no_free_session', seconds: secondsOf(milliseconds), sessions: busy, own: own.held }),
        milliseconds,
      );
      signal.addEventListener('abort', cancel, { once: true });
      waiter.end = failure => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        resolve(failure);
      };
    });
  }

  return {
    async within(context, work) {
      if (context.signal.aborted) return { kind: 'cancelled' };
      if (closed) return work();
      const own = ownOf(context.principal);
      const turn = turnOf(own, context);
      const failure = turn === null ? null : await turn;
      if (failure !== null) return failure;
      try {
        return await work();
      } finally {
        own.held -= 1;
        busy -= 1;
        forgetIfGone(own);
        serve();
      }
    },
    close() {
      closed = true;
      for (const own of [...all.values()]) {
        for (const waiter of own.queue.splice(0)) waiter.end(closedFailure);
        forgetIfGone(own);
      }
    },
  };
}
