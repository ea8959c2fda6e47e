/**
 * Queues calls that wait for a session before an engine is asked for one. Counts sessions and opens
 * none; session-turns.ts says who may take one. A principal's running requests bound how many may
 * wait (spec §13).
 */

import { FairQueue, type Queued } from '../fair-queue.ts';
import { millisecondsLeft, secondsOf } from './call-clock.ts';
import type { CallContext, DatabaseFailure } from './engine.ts';
import { type InTime, inTime } from './in-time.ts';
import type { SessionRoom } from './session-room.ts';
import { rankOf, sharesOf } from './session-turns.ts';

export interface SessionsInTurn {
  /**
   * Calls `work` once it is the principal's turn: before this returns if a session is free. Answers
   * when the call's time is over (in-time.ts); a session counts until its work has ended.
   */
  within<Context extends CallContext, T>(
    context: Context,
    work: (inTime: InTime<Context>) => Promise<T | DatabaseFailure>,
  ): Promise<T | DatabaseFailure>;
  /** Ends every wait; nothing waits from now on. */
  close(): void;
}

interface Waiter extends Queued {
  /** Null: its turn has come. */
  end: (failure: DatabaseFailure | null) => void;
}

const closedFailure: DatabaseFailure = {
  kind: 'not_connected',
  message: 'The connection was closed while the call waited for its turn, so nothing ran.',
};

/**
 * @param shared sessions that one principal may hold; `mostSessions` says how many there are.
 * @param now monotonic milliseconds.
 * @param room knows if the server allows fewer.
 */
export function sessionsInTurn(
  shared: number,
  now: () => number,
  room: Pick<SessionRoom, 'most' | 'limitedMilliseconds'> = { most: Number.POSITIVE_INFINITY, limitedMilliseconds: 0 },
): SessionsInTurn {
  const queue = new FairQueue<Waiter>();
  /** Sessions by principal. */
  const held = new Map<string | null, number>();
  let busy = 0;
  let closed = false;
  let forgetting: NodeJS.Timeout | null = null;

  const heldBy = (principal: string | null): number => held.get(principal) ?? 0;

  function change(principal: string | null, by: 1 | -1): void {
    busy += by;
    const now = heldBy(principal) + by;
    if (now === 0) held.delete(principal);
    else held.set(principal, now);
  }

  function serve(): void {
    const shares = sharesOf(shared, room.most);
    const next = (): Waiter | null => queue.next(({ principal }) => rankOf(principal, heldBy(principal), busy, shares));
    for (let waiter = next(); waiter !== null; waiter = next()) {
      change(waiter.principal, 1);
      waiter.end(null);
    }
    serveOnceForgotten();
  }

  /** That the server's limit is forgotten is no event, and lets calls in. */
  function serveOnceForgotten(): void {
    const milliseconds = room.limitedMilliseconds;
    if (forgetting !== null || milliseconds === 0 || queue.waiting.length === 0) return;
    forgetting = setTimeout(() => {
      forgetting = null;
      serve();
    }, milliseconds).unref();
  }

  /** @returns null if the turn came at once. */
  function turnOf(context: CallContext): Promise<DatabaseFailure | null> | null {
    const { principal, signal, clock } = context;
    if (clock !== undefined) clock.stage = 'session';
    let isTurn = false;
    const waiter: Waiter = {
      principal,
      end: () => {
        isTurn = true;
      },
    };
    queue.add(waiter);
    serve();
    if (isTurn) return null;
    return new Promise(resolve => {
      const leave = (failure: DatabaseFailure): void => {
        queue.remove(waiter);
        waiter.end(failure);
      };
      const cancel = (): void => leave({ kind: 'cancelled' });
      const milliseconds = millisecondsLeft(context);
      const timer = setTimeout(
        () =>
          leave({ kind: 'no_free_session', seconds: secondsOf(milliseconds), sessions: busy, own: heldBy(principal) }),
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
      if (closed) return inTime(now, context, work);
      const turn = turnOf(context);
      const failure = turn === null ? null : await turn;
      if (failure !== null) return failure;
      return inTime(now, context, asked =>
        work(asked).finally(() => {
          change(context.principal, -1);
          serve();
        }),
      );
    },
    close() {
      closed = true;
      for (const waiter of queue.waiting) {
        queue.remove(waiter);
        waiter.end(closedFailure);
      }
    },
  };
}
