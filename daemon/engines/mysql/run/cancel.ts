/**
 * Stops statements by `KILL` over a second connection that is kept ready. The killed connection is
 * never used again, so the kill is for the whole connection: a `KILL QUERY` that arrives before the
 * statement starts is lost.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint } from '../../../access/connection.ts';
import type { LockSeen } from '../../lock-holder.ts';
import type { SessionRoom } from '../../session-room.ts';
import type { Dial } from '../dial.ts';
import type { Session } from '../session.ts';
import { lockSeen } from './lock-seen.ts';

export interface Canceller {
  /**
   * Dials the second connection if there is none, so a later kill is fast.
   * @returns whether there is one
   */
  warm(session: Session): Promise<boolean>;
  /**
   * Ends the connection here and in the server; the server's part may still run when this returns.
   */
  stop(session: Session): void;
  /**
   * Ends the statement and keeps its session, which can then tell what it rolls back. Resolves when
   * no kill is under way. A server that doesn't end the statement in time loses the session too.
   * @param ended settles when the statement has ended
   */
  interrupt(session: Session, ended: Promise<unknown>): Promise<void>;
  /**
   * Asks on the second connection whether its statement waits for a lock. Never rejects.
   * @param signal aborted once nobody waits for the answer
   */
  lockSeen(session: Session, signal: AbortSignal): Promise<LockSeen | null>;
  /**
   * Waits for running kills as long as the server completes one every two seconds, at most six;
   * then closes.
   */
  close(): Promise<void>;
}

const idleSeconds = 60;
const killSeconds = 5;
/** Kills wait behind the question who holds a lock. */
const lockSeconds = 1;
/** A new second connection to a distant server takes six round trips. */
const closeMilliseconds = 2_000;
/** A service manager kills what takes ten seconds to stop. */
const closeRounds = 3;
/** Time for the server to end a stopped write, rollback included. */
const interruptSeconds = 3;
/** How often a full server is tried again for a kill. */
const roomMilliseconds = 250;
/** A KILL QUERY that arrives before the statement starts is lost, so it is repeated. */
const repeatMilliseconds = 50;

/** A server knows only its own sessions, so each of the connection's servers has its own. */
export function openCanceller(dial: Dial, room: SessionRoom): Canceller {
  const known = new Map<Endpoint, Canceller>();
  const of = ({ endpoint }: Session): Canceller => {
    const canceller = known.get(endpoint) ?? cancellerAt(endpoint, dial, room);
    known.set(endpoint, canceller);
    return canceller;
  };
  return {
    warm: session => of(session).warm(session),
    stop: session => of(session).stop(session),
    interrupt: (session, ended) => of(session).interrupt(session, ended),
    lockSeen: (session, signal) => of(session).lockSeen(session, signal),
    close: async () => {
      await Promise.all([...known.values()].map(canceller => canceller.close()));
    },
  };
}

/** A server that takes longer to answer loses the session. */
async function guarded<T>(session: Session, seconds: number, ask: () => Promise<T>): Promise<T> {
  const guard = setTimeout(() => session.destroy(), seconds * 1000);
  guard.unref();
  return ask().finally(() => clearTimeout(guard));
}

function cancellerAt(server: Endpoint, dial: Dial, room: SessionRoom): Canceller {
  const closing = new AbortController();
  let side: Promise<Session | null> | null = null;
  let idle: NodeJS.Timeout | null = null;
  let kills: Promise<void> = Promise.resolve();
  let killsLeft = 0;

  let ready: Session | null = null;
  // A call that waits for room has more use for it.
  room.addIdle(() => {
    if (ready === null || ready.dead || killsLeft > 0) return false;
    ready.destroy();
    return true;
  });

  /** A session may also end in the middle of a question. */
  const forgetDead = (): void => {
    if (ready?.dead !== true) return;
    side = null;
    ready = null;
  };

  /** @returns null if there is no room for one, or the server can't be reached. */
  const connect = (): Promise<Session | null> => {
    forgetDead();
    side ??= dial({ client: 'cancellation', database: null }, killSeconds, closing.signal, server).then(answer => {
      if (answer.kind !== 'done') {
        side = null;
        return null;
      }
      ready = answer.value;
      answer.value.keepsProcess(false);
      restartIdle(answer.value);
      return answer.value;
    });
    return side;
  };

  const connectIfRoom = async (): Promise<Session | null> => {
    forgetDead();
    return side !== null || room.makesRoom() ? connect() : null;
  };

  const restartIdle = (session: Session): void => {
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(() => session.destroy(), idleSeconds * 1000);
    idle.unref();
  };

  const kill = async (what: 'CONNECTION' | 'QUERY', threadId: number): Promise<void> => {
    const until = performance.now() + killSeconds * 1000;
    // Twice, because the ready connection may have died unnoticed.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      let session = await connectIfRoom();
      while (session === null && room.isLimited && !closing.signal.aborted && performance.now() < until) {
        await room.changed.next(closing.signal, roomMilliseconds);
        session = await connectIfRoom();
      }
      if (session === null) return;
      session.keepsProcess(true);
      const answer = await guarded(session, killSeconds, () => session.ask(`KILL ${what} ${threadId}`));
      if (answer.kind !== 'lost') {
        session.keepsProcess(false);
        restartIdle(session);
        return;
      }
    }
  };

  const inTurn = (what: 'CONNECTION' | 'QUERY', { threadId }: Session): Promise<void> => {
    killsLeft += 1;
    kills = kills.then(async () => {
      await kill(what, threadId);
      killsLeft -= 1;
      // Its session may be closed from now on.
      room.changed.tell();
    });
    return kills;
  };

  const stop = (session: Session): void => {
    session.destroy();
    void inTurn('CONNECTION', session);
  };

  return {
    warm: async () => !room.isLimited && (await connect()) !== null,
    stop,
    lockSeen: (session, signal) => {
      const seen = kills.then(async () => {
        if (signal.aborted) return null;
        const own = await Promise.race([connectIfRoom(), wait(lockSeconds * 1_000, null, { ref: false })]);
        return own === null ? null : guarded(own, lockSeconds, () => lockSeen(own, session.threadId));
      });
      kills = seen.then(() => {});
      return seen;
    },
    interrupt: async (session, ended) => {
      let over = false;
      const guard = setTimeout(() => stop(session), interruptSeconds * 1000);
      const settle = (): void => {
        over = true;
        clearTimeout(guard);
      };
      const end = ended.then(settle, settle);
      while (!over) {
        await inTurn('QUERY', session);
        await Promise.race([end, wait(repeatMilliseconds)]);
      }
    },
    close: async () => {
      // One limit for all would leave statements running on a distant or busy server.
      for (let before = Infinity, round = 0; 0 < killsLeft && killsLeft < before && round < closeRounds; round += 1) {
        before = killsLeft;
        await Promise.race([kills, wait(closeMilliseconds, undefined, { ref: false })]);
      }
      closing.abort();
      (await side)?.destroy();
      if (idle !== null) clearTimeout(idle);
    },
  };
}
