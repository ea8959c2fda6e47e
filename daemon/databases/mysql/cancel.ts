/**
 * Stops statements in the server: `KILL` over a second connection that is kept warm. The connection killed is never
 * used again, so the kill names the whole connection: `KILL QUERY` is lost when it comes before the statement starts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from './channel.ts';
import type { Dial } from './dial.ts';

export interface Canceller {
  /** Dials the second connection if there is none, so that a kill to come is fast. */
  warm(): void;
  /** Ends the connection here and in the server; the second part goes on after this returns. */
  stop(channel: Channel): void;
  /**
   * Ends what the channel runs and keeps its session, which can then tell what it takes back; resolves once no kill is on its way.
   * A server that doesn't end it in time loses the session too.
   * @param ended settles with the end of what runs
   */
  interrupt(channel: Channel, ended: Promise<unknown>): Promise<void>;
  /** Waits for kills under way, a second at most, then closes. */
  close(): Promise<void>;
}

const idleSeconds = 60;
const killSeconds = 5;
const closeSeconds = 1;
/** How long the server may take to end a write that is stopped, its rollback included. */
const interruptSeconds = 3;
/** A KILL QUERY is lost where it comes before the statement starts. */
const repeatMilliseconds = 50;

export function openCanceller(dial: Dial): Canceller {
  const closing = new AbortController();
  let side: Promise<Channel | null> | null = null;
  let idle: NodeJS.Timeout | null = null;
  let kills: Promise<void> = Promise.resolve();

  const connect = (): Promise<Channel | null> => {
    side ??= dial({ client: 'cancellation', database: null }, killSeconds, closing.signal).then(answer => {
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

  const restartIdle = (channel: Channel): void => {
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(() => channel.destroy(), idleSeconds * 1000);
    idle.unref();
  };

  const kill = async (what: 'CONNECTION' | 'QUERY', threadId: number): Promise<void> => {
    // A second try, because the warm connection may have died unnoticed.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const channel = await connect();
      if (channel === null) return;
      const guard = setTimeout(() => channel.destroy(), killSeconds * 1000);
      guard.unref();
      channel.keepsProcess(true);
      const { answer } = await channel.query(`KILL ${what} ${threadId}`);
      clearTimeout(guard);
      if (answer.kind !== 'lost') {
        channel.keepsProcess(false);
        restartIdle(channel);
        return;
      }
      side = null;
    }
  };

  const inTurn = (what: 'CONNECTION' | 'QUERY', { threadId }: Channel): Promise<void> => {
    kills = kills.then(() => kill(what, threadId));
    return kills;
  };

  const stop = (channel: Channel): void => {
    channel.destroy();
    void inTurn('CONNECTION', channel);
  };

  return {
    warm: () => void connect(),
    stop,
    interrupt: async (channel, ended) => {
      let over = false;
      const guard = setTimeout(() => stop(channel), interruptSeconds * 1000);
      const settle = (): void => {
        over = true;
        clearTimeout(guard);
      };
      const end = ended.then(settle, settle);
      while (!over) {
        await inTurn('QUERY', channel);
        await Promise.race([end, wait(repeatMilliseconds)]);
      }
    },
    close: async () => {
      let timer: NodeJS.Timeout | null = null;
      const limit = new Promise<void>(resolve => {
        timer = setTimeout(resolve, closeSeconds * 1000);
      });
      await Promise.race([kills, limit]);
      if (timer !== null) clearTimeout(timer);
      closing.abort();
      (await side)?.destroy();
      if (idle !== null) clearTimeout(idle);
    },
  };
}
