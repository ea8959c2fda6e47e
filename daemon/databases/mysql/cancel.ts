/**
 * Stops statements in the server: `KILL` over a second connection that is kept warm. The connection killed is never
 * used again, so the kill names the whole connection: `KILL QUERY` is lost when it comes before the statement starts.
 */

import type { Channel } from './channel.ts';
import type { Dial } from './dial.ts';

export interface Canceller {
  /** Dials the second connection if there is none, so that a kill to come is fast. */
  warm(): void;
  /** Ends the connection here and in the server; the second part goes on after this returns. */
  stop(channel: Channel): void;
  /** Waits for kills under way, a second at most, then closes. */
  close(): Promise<void>;
}

const idleSeconds = 60;
const killSeconds = 5;
const closeSeconds = 1;

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

  const kill = async (threadId: number): Promise<void> => {
    // A second try, because the warm connection may have died unnoticed.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const channel = await connect();
      if (channel === null) return;
      const guard = setTimeout(() => channel.destroy(), killSeconds * 1000);
      guard.unref();
      channel.keepsProcess(true);
      const { answer } = await channel.query(`KILL CONNECTION ${threadId}`);
      clearTimeout(guard);
      if (answer.kind !== 'lost') {
        channel.keepsProcess(false);
        restartIdle(channel);
        return;
      }
      side = null;
    }
  };

  return {
    warm: () => void connect(),
    stop: channel => {
      channel.destroy();
      kills = kills.then(() => kill(channel.threadId));
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
