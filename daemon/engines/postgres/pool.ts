/**
 * Keeps a bounded number of sessions with one database, lends each to one statement at a time, and
 * dials if none is free.
 */

import type { Endpoint } from '../../access/connection.ts';
import { CallClock, millisecondsLeft, secondsOf, serverSeconds } from '../call-clock.ts';
import type { CallContext, DatabaseFailure, DatabasePorts } from '../engine.ts';
import { askingForLock, type LockQuestion, type LockSeen } from '../lock-holder.ts';
import { Made } from '../made.ts';
import type { ReadWall } from '../read-wall.ts';
import { anotherPassword } from '../refused-password.ts';
import type { ServersInTurn } from '../servers-in-turn.ts';
import { afterWait, dialledOrBack, mayBeFull, pauseAfter, type Refused, type SessionRoom } from '../session-room.ts';
import { unknownServer } from '../unknown-server.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { addressOf, dial } from './dial.ts';
import { dialFailure, notConnected, refusesPassword } from './failure.ts';
import { cancelAndDestroy } from './run/cancel.ts';
import { askLimits, setLimits } from './run/own-limits.ts';
import { ownSession, refusesSettings } from './run/own-session.ts';
import {
  refusesClientCheck,
  type Settings,
  settingsFor,
  startUpSettings,
  tookSettings,
  withClientCheck,
  withoutLimits,
} from './run/settings.ts';
import { type TimeLimits, unlimited } from './run/time-limits.ts';
import { Session } from './session.ts';
import { limits } from './wire/bounds.ts';
import { DialRefused } from './wire/tls.ts';

const idleMilliseconds = 5 * 60_000;
const connectMilliseconds = 10_000;
/** How long to wait for a session that is just being returned before dialling another. */
const returnMilliseconds = 50;
/**
 * How long a look-up beside a running statement dials at most: the statement holds its session
 * meanwhile, perhaps the last one that a pooler has.
 */
const besideSeconds = 2;

const noMatter = (): void => {};

type SessionRequest = Pick<CallContext, 'client' | 'signal' | 'timeoutSeconds' | 'clock'> & {
  /** Settings for the start-up packet, besides those of every session. */
  readonly settings?: Settings;
};

type Dialling = SessionRequest & { readonly clock: CallClock };

interface PoolSize {
  /** The usual maximum of sessions, as long as they come back soon enough. */
  readonly shared: number;
  /** The maximum for statements. One more session may be opened for look-ups beside them. */
  readonly most: number;
}

/**
 * Which session a caller takes:
 * - `any`: an idle one or one that is dialled;
 * - `fresh`: one that is dialled. An idle one was dead, so all idle ones are given up unasked;
 * - `new`: one that was never lent;
 * - `beside`: one for a call that holds another already. It never waits for room, as it would wait
 *   for itself.
 */
type Wanted = 'any' | 'fresh' | 'new' | 'beside';

export class Pool {
  readonly endpoint: Endpoint;
  readonly ports: DatabasePorts;
  readonly made: Made;
  readonly readWall: ReadWall;
  /** Asks in another session whether that server process waits for a lock; null without one. */
  lockSeen: ((signal: AbortSignal, process: number) => Promise<LockSeen | null>) | null = null;
  readonly #servers: ServersInTurn;
  readonly #database: string;
  readonly #size: PoolSize;
  /** The session used last is last, and is lent first, so the others can age and end. */
  readonly #idle: Session[] = [];
  readonly #open = new Set<Session>();
  #dialling = 0;
  /** True once a pooler was noticed between us and the server. */
  #isPooled = false;
  /** False once a pooler has refused `application_name`. */
  #isNamed = true;
  /** The newest session whose server took none of our settings. */
  #notOwn: Session | null = null;
  /** False once the server has said that it can't check for a lost client. */
  #checksClient = true;
  /** How many sessions are being cleaned, or dialled for no call: they are idle in a moment. */
  #returning = 0;
  /** The server's own limits; null until a session has told them. */
  #limits: TimeLimits | null = null;
  #oldAge: NodeJS.Timeout | null = null;
  readonly #room: SessionRoom;
  readonly #background = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  /**
   * @param servers shared by all pools of the connection, so one of them finds out for all which
   *   server answers.
   * @param room shared likewise: the server counts the sessions of all pools.
   */
  constructor(servers: ServersInTurn, room: SessionRoom, database: string, size: PoolSize, ports: DatabasePorts) {
    this.endpoint = servers.endpoint;
    this.#servers = servers;
    this.#room = room;
    room.addIdle(() => {
      const [oldest] = this.#idle;
      oldest?.close();
      return oldest !== undefined;
    });
    this.ports = ports;
    this.made = new Made(ports.now);
    this.readWall = servers.readWall;
    this.#database = database;
    this.#size = size;
  }

  /**
   * Lends a session, an idle one or one that is dialled now, and waits for it within the request's
   * time. The caller gives it back by `release`, or ends it.
   * @returns why there is none, if so: the call was cancelled, nothing could be reached or no
   *   session became free. Never rejects.
   */
  async acquire(request: SessionRequest, wanted: Wanted): Promise<Session | DatabaseFailure> {
    if (wanted === 'fresh') for (const session of [...this.#idle]) session.destroy();
    const milliseconds = millisecondsLeft(request);
    const until = this.ports.now() + milliseconds;
    const refused: Refused[] = [];
    for (let first = true; ; first = false) {
      if (request.signal.aborted) return { kind: 'cancelled' };
      if (this.#closing.signal.aborted) return this.#closed();
      const idle = wanted === 'new' ? null : this.#takeIdle();
      if (idle !== null) return idle;
      const left = until - this.ports.now();
      const said = refused.at(-1);
      if (said !== undefined && left <= 0) return afterWait(said.failure, secondsOf(milliseconds));
      if (said !== undefined && this.#room.isEmpty && !said.hadOpen) return said.failure;
      // The call had its turn (sessions-in-turn.ts), but the session that it was to get is ending.
      if (left <= 0) return { kind: 'busy', why: { who: 'sessions', seconds: secondsOf(milliseconds) } };
      const comesBack = this.#returning > this.#room.waiting;
      if (this.#isFull(wanted, comesBack)) await this.#room.changed.next(request.signal, left);
      else if (first && comesBack) await this.#room.changed.next(request.signal, returnMilliseconds);
      else if (this.#room.makesRoom()) {
        const hadOpen = this.#room.watchOpen();
        const dialled = await this.#dialledOrBack(request, wanted);
        if (isSession(dialled) || !mayBeFull(dialled) || wanted === 'beside') return dialled;
        refused.push({ failure: dialled, hadOpen: hadOpen() });
        if (!this.#room.isEmpty)
          await this.#room.changed.next(request.signal, Math.min(left, pauseAfter(refused.length)));
      } else if (wanted === 'beside') return noRoomBeside;
      else await this.#room.changed.next(request.signal, left);
    }
  }

  #takeIdle(): Session | null {
    const idle = this.#idle.pop() ?? null;
    idle?.socket.ref();
    return idle;
  }

  #isFull(wanted: Wanted, comesBack: boolean): boolean {
    const open = this.#open.size + this.#dialling;
    if (wanted === 'new') return false;
    if (wanted === 'beside') return open > this.#size.most;
    return open >= this.#size.most || (open >= this.#size.shared && comesBack);
  }

  async #dialledOrBack(request: SessionRequest, wanted: Wanted): Promise<Session | DatabaseFailure> {
    // A full pooler may leave the dial without an answer as long as our idle sessions are open.
    if (wanted === 'new') this.#room.closesIdle();
    // If another session comes back first, the dial goes on without its call.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    request.signal.addEventListener('abort', end, { once: true });
    const timeoutSeconds =
      wanted === 'beside' ? Math.min(besideSeconds, request.timeoutSeconds) : request.timeoutSeconds;
    const dialling = this.#dial({ ...request, timeoutSeconds, signal: ending.signal }, wanted !== 'beside');
    const late = (dialled: Promise<Session | DatabaseFailure>): void => {
      request.signal.removeEventListener('abort', end);
      this.returning(dialled.then(session => void (isSession(session) && this.release(session))));
    };
    const take = (): Session | null => (wanted === 'new' ? null : this.#takeIdle());
    const session = await dialledOrBack(dialling, this.#room, take, late);
    request.signal.removeEventListener('abort', end);
    return session;
  }

  async #dial(request: SessionRequest, silenceCounts: boolean): Promise<Session | DatabaseFailure> {
    this.#dialling += 1;
    this.#room.dials();
    const failed = (failure: DatabaseFailure): DatabaseFailure => {
      this.#dialling -= 1;
      this.#room.failed(failure, silenceCounts);
      return failure;
    };
    const { clock = new CallClock(this.ports.now, request.timeoutSeconds) } = request;
    const milliseconds = millisecondsLeft(request);
    const late = AbortSignal.timeout(Math.ceil(milliseconds));
    try {
      const session = await this.#signIn({ ...request, clock, signal: AbortSignal.any([request.signal, late]) });
      if (this.#closing.signal.aborted) {
        session.close();
        return failed(this.#closed());
      }
      session.timeZone = this.endpoint.timeZone;
      session.isPooled = session.own === null && this.#isPooled;
      this.#dialling -= 1;
      this.#room.opened();
      this.#open.add(session);
      session.onEnd = () => this.#forget(session);
      if (session.ended) session.onEnd();
      return session;
    } catch (error) {
      if (request.signal.aborted) return failed({ kind: 'cancelled' });
      if (late.aborted) return failed({ kind: 'no_answer', stage: clock.stage, seconds: secondsOf(milliseconds) });
      return failed(dialFailure(addressOf(this.endpoint), error));
    }
  }

  async #signIn(request: Dialling): Promise<Session> {
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    // The password is fetched before the server's clock for a sign-in starts. Whether a missing one
    // matters, only the server knows.
    request.clock.stage = 'password';
    const asked = this.ports.password();
    await unlessAborted(asked.then(noMatter, noMatter), signal);
    try {
      return await this.#signInWith(asked, request, signal);
    } catch (error) {
      const other = refusesPassword(error) ? await anotherPassword(this.ports, await asked, signal) : null;
      if (other === null) throw error;
      return this.#signInWith(Promise.resolve(other), request, signal);
    }
  }

  async #signInWith(asked: Promise<string | null>, request: Dialling, signal: AbortSignal): Promise<Session> {
    const { client, clock } = request;
    // Taken once, so that the start-up packet, the settings set after it and what the session says
    // that it was dialled for agree.
    const fixed = { client, timeoutSeconds: serverSeconds(request) };
    // An empty pool asks for the server's limits again: somebody may have changed them.
    const known = this.#open.size === 0 ? null : this.#limits;
    const usual = startUpSettings(settingsFor(fixed, this.endpoint.timeZone, known ?? unlimited));
    const settings = { ...usual, ...request.settings };
    const { application_name = '' } = settings;
    const signIn = (set: Settings) =>
      dial(this.#servers, {
        identityOf: this.ports.identity ?? unknownServer,
        database: this.#database,
        settings: set,
        password: () => asked,
        milliseconds: Math.min(connectMilliseconds, request.timeoutSeconds * 1_000 + limits.guardMilliseconds),
        clock,
        signal,
      });
    if (!this.#isPooled) {
      try {
        const session = await this.#asChecked(known === null ? withoutLimits(settings) : settings, signIn);
        const inForce = (): Settings => {
          const all = settingsFor(fixed, this.endpoint.timeZone, session.limits);
          return session.dateStyle?.startsWith('ISO') === true ? all : startUpSettings(all);
        };
        const mayBeOwn = session.key !== null && tookSettings(session);
        if (!mayBeOwn) this.#takeAlone(session);
        const isOwn = await this.#learn(session, known, signal, mayBeOwn ? inForce : null);
        if (session.key === null || !isOwn) return session;
        session.own = ownSession(fixed, inForce(), session.key.processID);
        return session;
      } catch (error) {
        if (!refusesSettings(error)) throw error;
        this.#isPooled = true;
      }
    }
    const session = await this.#served(await this.#asNamed(application_name, signIn), request.timeoutSeconds, signal);
    await this.#learn(session, known, signal, null);
    return session;
  }

  /**
   * Refuses a second session with the key of the first: PGlite's socket server has one session for
   * all sockets, and mixes up the messages of two, even within a statement.
   * @throws DialRefused
   */
  #takeAlone(session: Session): void {
    const { key } = session;
    const other = this.#notOwn?.ended === false ? this.#notOwn.key : null;
    if (key !== null && other?.processID === key.processID && other.secretKey === key.secretKey) {
      session.close();
      throw new DialRefused('all its sockets are one session, which another call holds', 'full');
    }
    this.#notOwn = session;
  }

  /**
   * Waits for an answer to a first statement: a pooler that is full lets a session sign in, and
   * then keeps its first statement waiting.
   * @throws DialRefused
   */
  async #served(session: Session, timeoutSeconds: number, signal: AbortSignal): Promise<Session> {
    const end = (): void => session.destroy();
    const timer = setTimeout(end, timeoutSeconds * 1_000);
    signal.addEventListener('abort', end, { once: true });
    const answer = await session.roundTrip([{ sql: 'SELECT 1', parameters: [] }]);
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    if (answer.kind === 'ready') return session;
    session.destroy();
    throw new DialRefused('its pooler had no session free in time', 'unanswered');
  }

  /**
   * Asks a new session for the server's time limits, and whether it is a process of our own or a
   * pooler's. Sets the limits in one of our own.
   * @param settings what a session that may be our own is to have; null behind a pooler.
   * @returns whether it is our own.
   * @throws Error if the session ended meanwhile.
   */
  async #learn(
    session: Session,
    known: TimeLimits | null,
    signal: AbortSignal,
    settings: (() => Settings) | null,
  ): Promise<boolean> {
    session.limits = known ?? unlimited;
    if (known !== null) return settings !== null;
    const stop = (): void => session.destroy();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const { limits: own, process } = await askLimits(session);
    session.limits = own;
    const isSame = process !== null && session.key !== null ? process === session.key.processID : null;
    const isOwn = settings !== null && isSame === true;
    if (isOwn && process !== null) await setLimits(session, settings(), process);
    // A session that was lost, or a server that doesn't say, tells of no pooler.
    if (isSame === false) this.#isPooled = true;
    signal.removeEventListener('abort', stop);
    if (session.ended) throw new Error('the session ended before it could be used');
    // A server that didn't say is asked again by each session: if its limits counted as known, each
    // of them would be taken for our own.
    if (process !== null) this.#limits = session.limits;
    return isOwn;
  }

  /** Signs in with `application_name` alone, or with nothing: a pooler may refuse even that. */
  async #asNamed(application_name: string, signIn: (set: Settings) => Promise<Session>): Promise<Session> {
    if (!this.#isNamed) return signIn({});
    try {
      return await signIn({ application_name });
    } catch (error) {
      if (!refusesSettings(error)) throw error;
      this.#isNamed = false;
      return signIn({});
    }
  }

  /** Signs in with `client_connection_check_interval`, unless the server has none. */
  async #asChecked(settings: Settings, signIn: (set: Settings) => Promise<Session>): Promise<Session> {
    if (!this.#checksClient) return signIn(settings);
    try {
      return await signIn(withClientCheck(settings));
    } catch (error) {
      if (!refusesSettings(error) || !refusesClientCheck(error)) throw error;
      this.#checksClient = false;
      return signIn(settings);
    }
  }

  /** Called when a server hangs: others use none of its idle sessions and dial another first. */
  silent(server: Endpoint): void {
    if (this.#servers.count === 1) return;
    this.#servers.silent(server);
    for (const session of [...this.#idle]) if (session.endpoint === server) session.destroy();
  }

  /**
   * Called when a pooler answered in place of the server: from now on nothing is expected to
   * survive a round trip.
   */
  notOwn(session: Session): void {
    this.#isPooled = true;
    for (const one of [session, ...this.#idle]) one.close();
  }

  /** Takes back a session that is as it was when dialled. */
  release(session: Session): void {
    if (session.ended) return;
    if (this.#closing.signal.aborted) {
      session.close();
      return;
    }
    session.used = true;
    session.idleSince = this.ports.now();
    session.socket.unref();
    this.#idle.push(session);
    this.#endTheOld();
    this.#room.changed.tell();
  }

  /** @param work ends with the session released or destroyed. */
  returning(work: Promise<void>): void {
    this.#returning += 1;
    this.background(
      work.finally(() => {
        this.#returning -= 1;
        this.#room.changed.tell();
      }),
    );
  }

  /**
   * The question who holds the lock that a statement waits for. Behind a pooler it has no answer,
   * since the pooler's sessions have other process ids.
   */
  askingForLock({ own }: Session, { lock }: TimeLimits): LockQuestion {
    const { lockSeen } = this;
    return askingForLock(lockSeen === null || own === null ? null : signal => lockSeen(signal, own.process), lock);
  }

  /** Keeps work that no answer waits for, so that `close` waits for it. It must not reject. */
  background(work: Promise<unknown>): void {
    this.#background.add(work);
    void work.finally(() => this.#background.delete(work));
  }

  /** Ends all sessions and their running statements. Resolves once that is done. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the connection was closed'));
    this.#room.changed.tell();
    for (const session of [...this.#idle]) session.close();
    for (const session of [...this.#open]) this.background(cancelAndDestroy(session));
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  #closed(): DatabaseFailure {
    return notConnected(addressOf(this.endpoint), 'the connection was closed');
  }

  /** One timer for all: a timer for each return would be a million in five busy minutes. */
  #endTheOld(): void {
    this.#oldAge ??= setTimeout(() => {
      this.#oldAge = null;
      const oldest = this.ports.now() - idleMilliseconds;
      for (const session of [...this.#idle]) if (session.idleSince <= oldest) session.close();
      if (this.#idle.length > 0) this.#endTheOld();
    }, idleMilliseconds / 2).unref();
  }

  #forget(session: Session): void {
    this.#open.delete(session);
    const index = this.#idle.indexOf(session);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#room.ended();
  }
}

/** A look-up beside a running statement found no session, and no room to dial one. */
const noRoomBeside: DatabaseFailure = {
  kind: 'busy',
  why: { who: 'server', said: 'the look-up beside a running statement found no room', seconds: null },
};

export function isSession(value: Session | DatabaseFailure): value is Session {
  return value instanceof Session;
}
