/**
 * The connections of one `Database`: at most a fixed number, kept apart by client and default database, cleaned
 * behind the answer, closed when idle. It knows no statement of a user.
 */

import type { Answer } from '../../query/database.ts';
import { mostSessions } from '../../query/session-turns.ts';
import type { Channel } from './channel.ts';
import type { Destination } from './destination.ts';
import type { Dial } from './dial.ts';
import { notConnected } from './failure.ts';
import { makeReady } from './session.ts';

export interface Lease {
  readonly channel: Channel;
  /** False for one just dialled: then a dead connection is news, not age. */
  readonly reused: boolean;
  /** Cleans the connection and keeps it, or throws it away where it can't be cleaned. */
  release(): void;
  discard(): void;
}

export interface Pool {
  /** @param fresh dial, whatever lies idle */
  acquire(to: Destination, fresh: boolean, signal: AbortSignal): Promise<Answer<Lease>>;
  close(): void;
}

interface PoolLimits {
  /** What the pool keeps to while connections come back soon enough. */
  readonly shared: number;
  readonly connections: number;
  readonly idleSeconds: number;
  readonly dialSeconds: number;
  /** How long the server may take to clean a connection. */
  readonly cleanSeconds: number;
}

/** Connections that one client may hold: as many as it may have requests under way. */
const shared = 8;

export const poolLimits: PoolLimits = {
  ...{ shared, connections: mostSessions(shared) },
  ...{ idleSeconds: 60, dialSeconds: 10, cleanSeconds: 5 },
};

interface Idle {
  readonly key: string;
  readonly channel: Channel;
  readonly timer: NodeJS.Timeout;
}

interface Waiter {
  readonly key: string;
  /** True: there may be a connection now, or room for one. */
  readonly wake: (proceed: boolean) => void;
}

function keyOf({ client, database }: Destination): string {
  return JSON.stringify([client, database]);
}

export function openPool(dial: Dial, limits: PoolLimits = poolLimits): Pool {
  const idle: Idle[] = [];
  const used = new Set<Channel>();
  const waiting: Waiter[] = [];
  /** Connections being cleaned, by key: worth waiting for, as they come back before a new one could be dialled. */
  const cleaning = new Map<string, number>();
  let dialling = 0;
  let closed = false;

  const wakeNext = (key: string): void => {
    const at = waiting.findIndex(waiter => waiter.key === key);
    const [waiter] = waiting.splice(Math.max(at, 0), 1);
    waiter?.wake(true);
  };

  const forget = (channel: Channel): void => {
    const at = idle.findIndex(entry => entry.channel === channel);
    if (at >= 0) for (const entry of idle.splice(at, 1)) clearTimeout(entry.timer);
  };

  const putBack = (key: string, channel: Channel): void => {
    const timer = setTimeout(() => {
      forget(channel);
      channel.destroy();
    }, limits.idleSeconds * 1000);
    timer.unref();
    channel.keepsProcess(false);
    channel.whenDead(() => forget(channel));
    idle.push({ key, channel, timer });
  };

  const takeIdle = (key: string): Channel | null => {
    const at = idle.findLastIndex(entry => entry.key === key);
    const [entry] = at < 0 ? [] : idle.splice(at, 1);
    if (entry === undefined) return null;
    clearTimeout(entry.timer);
    entry.channel.whenDead(null);
    entry.channel.keepsProcess(true);
    return entry.channel;
  };

  const comesBack = (): boolean => [...cleaning.values()].reduce((sum, count) => sum + count, 0) > waiting.length;

  const room = (): boolean => {
    const open = idle.length + used.size + dialling;
    if (open < limits.shared) return true;
    const [oldest] = idle;
    if (oldest === undefined) return open < limits.connections && !comesBack();
    forget(oldest.channel);
    oldest.channel.destroy();
    return true;
  };

  const wait = (key: string, signal: AbortSignal): Promise<boolean> =>
    new Promise(resolve => {
      const waiter: Waiter = {
        key,
        wake: proceed => {
          signal.removeEventListener('abort', leave);
          resolve(proceed);
        },
      };
      const leave = (): void => {
        const at = waiting.indexOf(waiter);
        if (at >= 0) waiting.splice(at, 1);
        resolve(false);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(waiter);
    });

  const clean = async (key: string, to: Destination, channel: Channel): Promise<void> => {
    cleaning.set(key, (cleaning.get(key) ?? 0) + 1);
    const guard = setTimeout(() => channel.destroy(), limits.cleanSeconds * 1000);
    channel.keepsProcess(false);
    guard.unref();
    const isClean = (await channel.reset()).answer.kind === 'ok' && (await makeReady(channel, to.database));
    clearTimeout(guard);
    cleaning.set(key, (cleaning.get(key) ?? 1) - 1);
    if (cleaning.get(key) === 0) cleaning.delete(key);
    used.delete(channel);
    if (isClean && !channel.dead && !closed) putBack(key, channel);
    else channel.destroy();
    wakeNext(key);
  };

  const lease = (key: string, to: Destination, channel: Channel, reused: boolean): Lease => {
    used.add(channel);
    let over = false;
    const once = (end: () => void): void => {
      if (!over) end();
      over = true;
    };
    const discard = (): void => {
      used.delete(channel);
      channel.destroy();
      wakeNext(key);
    };
    return {
      channel,
      reused,
      release: () => once(() => (closed || channel.dead ? discard() : void clean(key, to, channel))),
      discard: () => once(discard),
    };
  };

  const open = async (key: string, to: Destination, signal: AbortSignal): Promise<Answer<Lease>> => {
    dialling += 1;
    let result = await dial(to, limits.dialSeconds, signal);
    if (result.kind === 'done') {
      const { value: channel } = result;
      const abort = (): void => channel.destroy();
      signal.addEventListener('abort', abort, { once: true });
      const ready = await makeReady(channel, to.database);
      signal.removeEventListener('abort', abort);
      if (!ready || closed) {
        channel.destroy();
        result = signal.aborted ? { kind: 'cancelled' } : notConnected('The server refused to set up the session.');
      }
    }
    dialling -= 1;
    if (result.kind === 'done') return { kind: 'done', value: lease(key, to, result.value, false) };
    wakeNext(key);
    return result;
  };

  return {
    acquire: async (to, fresh, signal) => {
      const key = keyOf(to);
      for (;;) {
        if (signal.aborted || closed) return { kind: 'cancelled' };
        const pooled = fresh ? null : takeIdle(key);
        if (pooled !== null && !pooled.dead) return { kind: 'done', value: lease(key, to, pooled, true) };
        if (pooled !== null) continue;
        const coming = waiting.filter(waiter => waiter.key === key).length < (cleaning.get(key) ?? 0) && comesBack();
        if ((fresh || !coming) && room()) return open(key, to, signal);
        // Whoever was woken and has left meanwhile wakes the next in its place.
        if ((await wait(key, signal)) && signal.aborted) wakeNext(key);
      }
    },
    close: () => {
      closed = true;
      for (const { channel, timer } of idle.splice(0)) {
        clearTimeout(timer);
        channel.destroy();
      }
      for (const channel of used) channel.destroy();
      for (const waiter of waiting.splice(0)) waiter.wake(false);
    },
  };
}
