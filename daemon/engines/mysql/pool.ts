/**
 * The connections of one `Database`. There is a fixed maximum. A connection is lent again only to
 * the same client with the same default database; it is cleaned after the answer and closed when
 * idle for long. This file knows no statement of a user.
 */

import type { Answer } from '../engine.ts';
import { dialledOrBack, mayBeFull, pauseAfter, type Refused, type SessionRoom } from '../session-room.ts';
import { mostSessions } from '../session-turns.ts';
import type { Dial } from './dial.ts';
import { notConnected } from './failure.ts';
import type { Destination } from './run/destination.ts';
import { makeReady } from './run/session-setup.ts';
import { askLimits } from './run/time-limits.ts';
import { type OwnLimits, type Session, unlimited } from './session.ts';

/** A connection that is lent to one call, until `release`, `keep` or `discard`. */
export interface Lease {
  readonly session: Session;
  /** False for a new connection: if that is dead, the reason isn't that it lay idle. */
  readonly reused: boolean;
  /** True if it lay idle for more than a moment: its network may be gone without a word. */
  readonly rested: boolean;
  /** Cleans the connection and keeps it, or discards it if that fails. */
  release(): void;
  /** True if the cleaning may travel behind the next command. */
  readonly cleansBehind: boolean;
  /**
   * Sends the cleaning behind the next command, which saves a round trip. Afterwards the connection
   * can only be released or discarded.
   */
  cleanBehind(): void;
  /** Returns it without cleaning, after something that leaves nothing in a session. */
  keep(): void;
  discard(): void;
}

export interface Pool {
  /**
   * Waits for an idle connection, or dials one, until the signal.
   * @param fresh dials a new one even if another is idle.
   */
  acquire(to: Destination, fresh: boolean, signal: AbortSignal): Promise<Answer<Lease>>;
  close(): void;
}

interface PoolLimits {
  /** The usual maximum, as long as connections come back soon enough. */
  readonly shared: number;
  /** The maximum. */
  readonly connections: number;
  readonly idleSeconds: number;
  readonly dialSeconds: number;
  /** Time for the server to clean a connection. */
  readonly cleanSeconds: number;
}

/** Connections that one client may hold: as many as it may have requests running. */
const shared = 8;

export const poolLimits: PoolLimits = {
  shared,
  connections: mostSessions(shared),
  idleSeconds: 60,
  dialSeconds: 10,
  cleanSeconds: 5,
};

/** A connection that was idle for longer is `rested`. */
const momentMilliseconds = 1_000;

interface Idle {
  readonly key: string;
  readonly session: Session;
  readonly timer: NodeJS.Timeout;
  /** Monotonic milliseconds. */
  readonly since: number;
}

function keyOf({ client, database }: Destination): string {
  return JSON.stringify([client, database]);
}

/** @returns a dial that counts each session in `room` until its end. */
export function counting(dial: Dial, room: SessionRoom): Dial {
  return async (to, timeoutSeconds, signal, at) => {
    room.dials();
    const result = await dial(to, timeoutSeconds, signal, at);
    if (result.kind !== 'done') room.failed(result);
    else {
      room.opened();
      result.value.onEnd = () => room.ended();
      if (result.value.dead) room.ended();
    }
    return result;
  };
}

/** @param dial counts its sessions in `sessionRoom`, as `counting` makes it do. */
export function openPool(dial: Dial, sessionRoom: SessionRoom, limits: PoolLimits = poolLimits): Pool {
  const idle: Idle[] = [];
  const used = new Set<Session>();
  const { changed } = sessionRoom;
  /** The keys of waiting calls; '' for a call that takes no idle connection. */
  const waiting: string[] = [];
  /**
   * Connections being cleaned, by key: they come back sooner than a new one is dialled, so a call
   * waits for them.
   */
  const cleaning = new Map<string, number>();
  let own: OwnLimits | null = null;
  let dialling = 0;
  /** Ends dials whose call has taken another connection. */
  const late = new Set<() => void>();
  let closed = false;

  const forget = (session: Session): void => {
    const at = idle.findIndex(entry => entry.session === session);
    if (at >= 0) for (const entry of idle.splice(at, 1)) clearTimeout(entry.timer);
  };

  const putBack = (key: string, session: Session): void => {
    const timer = setTimeout(() => {
      forget(session);
      session.destroy();
    }, limits.idleSeconds * 1000);
    timer.unref();
    session.keepsProcess(false);
    session.whenDead(() => forget(session));
    idle.push({ key, session, timer, since: performance.now() });
  };

  const takeIdle = (key: string): Idle | null => {
    const at = idle.findLastIndex(entry => entry.key === key);
    const [entry] = at < 0 ? [] : idle.splice(at, 1);
    if (entry === undefined) return null;
    clearTimeout(entry.timer);
    entry.session.whenDead(null);
    entry.session.keepsProcess(true);
    return entry;
  };

  const comesBack = (): boolean =>
    [...cleaning.values()].reduce((sum, count) => sum + count, late.size) > waiting.length - sessionRoom.racing;

  /** Closes the oldest idle connection that no call waits for. @returns false if there is none. */
  const closesIdle = (): boolean => {
    const oldest = idle.find(entry => !waiting.includes(entry.key));
    if (oldest === undefined) return false;
    forget(oldest.session);
    oldest.session.destroy();
    return true;
  };
  sessionRoom.addIdle(closesIdle);

  /** Closes an idle connection if that makes room. @returns whether one may be dialled. */
  const makesRoom = (): boolean => {
    const open = idle.length + used.size + dialling;
    const isFree = open < limits.shared || closesIdle() || (open < limits.connections && !comesBack());
    return isFree && sessionRoom.makesRoom();
  };

  const wait = async (key: string, signal: AbortSignal, milliseconds?: number): Promise<void> => {
    waiting.push(key);
    await changed.next(signal, milliseconds);
    waiting.splice(waiting.indexOf(key), 1);
  };

  const clean = async (key: string, session: Session, ready: Promise<string | null>): Promise<void> => {
    cleaning.set(key, (cleaning.get(key) ?? 0) + 1);
    const guard = setTimeout(() => session.destroy(), limits.cleanSeconds * 1000);
    session.keepsProcess(false);
    guard.unref();
    const isClean = (await ready) === null;
    clearTimeout(guard);
    cleaning.set(key, (cleaning.get(key) ?? 1) - 1);
    if (cleaning.get(key) === 0) cleaning.delete(key);
    if (isClean && !session.dead && !closed) return back(key, session);
    used.delete(session);
    session.destroy();
    changed.tell();
  };

  const back = (key: string, session: Session): void => {
    used.delete(session);
    putBack(key, session);
    changed.tell();
  };

  const lease = (key: string, to: Destination, session: Session, idleSince: number | null): Lease => {
    used.add(session);
    let over = false;
    let cleaned: Promise<string | null> | null = null;
    const once = (end: () => void): void => {
      if (!over) end();
      over = true;
    };
    const discard = (): void => {
      used.delete(session);
      session.destroy();
      changed.tell();
    };
    return {
      session,
      reused: idleSince !== null,
      rested: idleSince !== null && performance.now() - idleSince > momentMilliseconds,
      keep: () => once(() => (closed || session.dead ? discard() : back(key, session))),
      release: () =>
        once(() => {
          if (closed || session.dead) discard();
          else void clean(key, session, cleaned ?? makeReady(session, to.database, 'by a statement'));
        }),
      cleansBehind: session.takesSeveral && !session.lacksXa,
      cleanBehind: () => {
        cleaned = makeReady(session, to.database, 'by the next command');
      },
      discard: () => once(discard),
    };
  };

  const open = async (key: string, to: Destination, signal: AbortSignal): Promise<Answer<Lease>> => {
    dialling += 1;
    let result = await dial(to, limits.dialSeconds, signal, null);
    if (result.kind === 'done') {
      const { value: session } = result;
      const abort = (): void => session.destroy();
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      // An empty pool asks for the server's limits again: somebody may have changed them.
      if (own === null || used.size + idle.length === 0) {
        const asked = await askLimits(session);
        // A session that ended meanwhile told nothing.
        if (!session.dead) own = asked;
      }
      session.own = own ?? unlimited;
      const problem = await makeReady(session, to.database, null);
      signal.removeEventListener('abort', abort);
      if (problem !== null || closed) {
        session.destroy();
        result = signal.aborted ? { kind: 'cancelled' } : notConnected(problem ?? 'The connection was closed.');
      }
    }
    dialling -= 1;
    if (result.kind === 'done') return { kind: 'done', value: lease(key, to, result.value, null) };
    changed.tell();
    return result;
  };

  const leaseIdle = (key: string, to: Destination): Lease | null => {
    for (let entry = takeIdle(key); entry !== null; entry = takeIdle(key))
      if (!entry.session.dead) return lease(key, to, entry.session, entry.since);
    return null;
  };

  /** Dials. If another connection comes back first, it is lent, and the dial goes on by itself. */
  const openedOrBack = async (to: Destination, fresh: boolean, signal: AbortSignal): Promise<Answer<Lease>> => {
    const key = keyOf(to);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal.addEventListener('abort', end, { once: true });
    const waitsFor = fresh ? '' : key;
    waiting.push(waitsFor);
    const take = (): Answer<Lease> | null => {
      const value = fresh ? null : leaseIdle(key, to);
      return value === null ? null : { kind: 'done', value };
    };
    const goesOn = (opening: Promise<Answer<Lease>>): void => {
      late.add(end);
      const guard = setTimeout(end, limits.dialSeconds * 1000).unref();
      void opening.then(answer => {
        clearTimeout(guard);
        late.delete(end);
        if (answer.kind === 'done') answer.value.keep();
      });
    };
    const opened = await dialledOrBack(open(key, to, ending.signal), sessionRoom, take, goesOn);
    waiting.splice(waiting.indexOf(waitsFor), 1);
    signal.removeEventListener('abort', end);
    return opened;
  };

  return {
    acquire: async (to, fresh, signal) => {
      const key = keyOf(to);
      const refused: Refused[] = [];
      for (;;) {
        const said = refused.at(-1);
        if (said !== undefined && (signal.aborted || (sessionRoom.isEmpty && !said.hadOpen))) return said.failure;
        if (signal.aborted || closed) return { kind: 'cancelled' };
        const pooled = fresh ? null : leaseIdle(key, to);
        if (pooled !== null) return { kind: 'done', value: pooled };
        const coming = waiting.filter(other => other === key).length < (cleaning.get(key) ?? 0) && comesBack();
        if ((fresh || !coming) && makesRoom()) {
          const hadOpen = sessionRoom.watchOpen();
          const opened = await openedOrBack(to, fresh, signal);
          if (opened.kind === 'done' || !mayBeFull(opened)) return opened;
          refused.push({ failure: opened, hadOpen: hadOpen() });
          if (!sessionRoom.isEmpty) await wait(fresh ? '' : key, signal, pauseAfter(refused.length));
        } else await wait(fresh ? '' : key, signal);
      }
    },
    close: () => {
      closed = true;
      for (const { session, timer } of idle.splice(0)) {
        clearTimeout(timer);
        session.destroy();
      }
      for (const session of used) session.destroy();
      for (const end of late) end();
      changed.tell();
    },
  };
}
