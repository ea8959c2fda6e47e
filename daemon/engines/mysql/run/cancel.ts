/**
 * Stops statements by `KILL` over a second connection that is kept ready. The killed connection is
 * never used again, so the kill is for the whole connection: a `KILL QUERY` that arrives before the
 * statement starts is lost.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint } from '../../../access/connection.ts';
import type { Dial } from '../dial.ts';
import type { Link } from '../link.ts';

export interface Canceller {
  /** Dials the second connection if there is none, so a later kill is fast. */
  warm(link: Link): void;
  /**
   * Ends the connection here and in the server; the server's part may still run when this returns.
   */
  stop(link: Link): void;
  /**
   * Ends the statement and keeps its session, which can then tell what it rolls back. Resolves when
   * no kill is under way. A server that doesn't end the statement in time loses the session too.
   * @param ended settles when the statement has ended
   */
  interrupt(link: Link, ended: Promise<unknown>): Promise<void>;
  /**
   * Waits for running kills as long as the server completes one every two seconds, at most six;
   * then closes.
   */
  close(): Promise<void>;
}

const idleSeconds = 60;
const killSeconds = 5;
/** A new second connection to a distant server takes six round trips. */
const closeMilliseconds = 2_000;
/** A service manager kills what takes ten seconds to stop. */
const closeRounds = 3;
/** Time for the server to end a stopped write, rollback included. */
const interruptSeconds = 3;
/** A KILL QUERY that arrives before the statement starts is lost, so it is repeated. */
const repeatMilliseconds = 50;

/** A server knows only its own sessions, so each of the connection's servers has its own. */
export function openCanceller(dial: Dial): Canceller {
  const known = new Map<Endpoint, Canceller>();
  const of = ({ endpoint }: Link): Canceller => {
    const canceller = known.get(endpoint) ?? cancellerAt(endpoint, dial);
    known.set(endpoint, canceller);
    return canceller;
  };
  return {
    warm: link => of(link).warm(link),
    stop: link => of(link).stop(link),
    interrupt: (link, ended) => of(link).interrupt(link, ended),
    close: async () => {
      await Promise.all([...known.values()].map(canceller => canceller.close()));
    },
  };
}

function cancellerAt(server: Endpoint, dial: Dial): Canceller {
  const closing = new AbortController();
  let side: Promise<Link | null> | null = null;
  let idle: NodeJS.Timeout | null = null;
  let kills: Promise<void> = Promise.resolve();
  let killsLeft = 0;

  const connect = (): Promise<Link | null> => {
    side ??= dial({ client: 'cancellation', database: null }, killSeconds, closing.signal, server).then(answer => {
      if (answer.kind !== 'done') {
        side = null;
        return null;
      }
      answer.value.whenDead(() => {
        side = null;
      });
      answer.value.keepsProcess(false);
      restartIdle(answer.value);
      return answer.value;
    });
    return side;
  };

  const restartIdle = (link: Link): void => {
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(() => link.destroy(), idleSeconds * 1000);
    idle.unref();
  };

  const kill = async (what: 'CONNECTION' | 'QUERY', threadId: number): Promise<void> => {
    // Twice, because the ready connection may have died unnoticed.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const link = await connect();
      if (link === null) return;
      const guard = setTimeout(() => link.destroy(), killSeconds * 1000);
      guard.unref();
      link.keepsProcess(true);
      const answer = await link.ask(`KILL ${what} ${threadId}`);
      clearTimeout(guard);
      if (answer.kind !== 'lost') {
        link.keepsProcess(false);
        restartIdle(link);
        return;
      }
      side = null;
    }
  };

  const inTurn = (what: 'CONNECTION' | 'QUERY', { threadId }: Link): Promise<void> => {
    killsLeft += 1;
    kills = kills.then(async () => {
      await kill(what, threadId);
      killsLeft -= 1;
    });
    return kills;
  };

  const stop = (link: Link): void => {
    link.destroy();
    void inTurn('CONNECTION', link);
  };

  return {
    warm: () => void connect(),
    stop,
    interrupt: async (link, ended) => {
      let over = false;
      const guard = setTimeout(() => stop(link), interruptSeconds * 1000);
      const settle = (): void => {
        over = true;
        clearTimeout(guard);
      };
      const end = ended.then(settle, settle);
      while (!over) {
        await inTurn('QUERY', link);
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
