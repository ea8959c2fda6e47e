/**
 * Keeps a bounded number of sessions with one database, lends each to one statement at a time, and
 * dials if none is free.
 */

import type { Endpoint } from '../../access/connection.ts';
import type { DatabaseFailure, DatabasePorts } from '../engine.ts';
import { Made } from '../made.ts';
import { PoolSignal } from '../pool-signal.ts';
import type { ReadWall } from '../read-wall.ts';
import { anotherPassword } from '../refused-password.ts';
import type { ServersInTurn } from '../servers-in-turn.ts';
import { unknownServer } from '../unknown-server.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { addressOf, dial } from './dial.ts';
import { dialFailure, notConnected, refusesPassword } from './failure.ts';
import { cancelAndDestroy, noteOf } from './run/cancel.ts';
import { ownSession, refusesSettings } from './run/own-session.ts';
import { refusesClientCheck, type Settings, settingsFor, tookSettings, withClientCheck } from './run/settings.ts';
import { Session } from './session.ts';
import { limits } from './wire/bounds.ts';

const idleMilliseconds = 5 * 60_000;
const connectMilliseconds = 10_000;
/** How long to wait for a session that is just being returned before dialling another. */
const returnMilliseconds = 50;

const noMatter = (): void => {};

interface SessionRequest {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly timeoutSeconds: number;
}

interface PoolSize {
  /** The usual maximum, as long as sessions come back soon enough. */
  readonly shared: number;
  readonly most: number;
}

export class Pool {
  readonly endpoint: Endpoint;
  readonly ports: DatabasePorts;
  readonly made: Made;
  readonly readWall: ReadWall;
  readonly #servers: ServersInTurn;
  readonly #database: string;
  readonly #size: PoolSize;
  /** The one used last is lent first, so the others can age and end. */
  readonly #idle: Session[] = [];
  readonly #open = new Set<Session>();
  #dialling = 0;
  /** True once a pooler was noticed between us and the server. */
  #isPooled = false;
  /** False once the server has said that it can't check for a lost client. */
  #checksClient = true;
  /** Sessions being cleaned; they are idle in a moment. */
  #returning = 0;
  #oldAge: NodeJS.Timeout | null = null;
  readonly #poolSignal = new PoolSignal();
  readonly #background = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  /**
   * @param servers shared by all pools of the connection, so one of them finds out for all which
   *   server answers.
   */
  constructor(servers: ServersInTurn, database: string, size: PoolSize, ports: DatabasePorts) {
    this.endpoint = servers.endpoint;
    this.#servers = servers;
    this.ports = ports;
    this.made = new Made(ports.now);
    this.readWall = servers.readWall;
    this.#database = database;
    this.#size = size;
  }

  /** @param fresh true after a dead session: the idle ones beside it are given up unasked. */
  async acquire(request: SessionRequest, fresh: boolean): Promise<Session | DatabaseFailure> {
    if (fresh) for (const session of [...this.#idle]) session.destroy();
    const until = this.ports.now() + request.timeoutSeconds * 1_000;
    for (let first = true; ; first = false) {
      if (request.signal.aborted) return { kind: 'cancelled' };
      if (this.#closing.signal.aborted) return this.#closed();
      const idle = this.#idle.pop();
      if (idle !== undefined) {
        idle.socket.ref();
        return idle;
      }
      const left = until - this.ports.now();
      if (left <= 0) return notConnected(addressOf(this.endpoint), notEnded(request.timeoutSeconds));
      const open = this.#open.size + this.#dialling;
      const comesBack = this.#returning > this.#poolSignal.waiting;
      if (open >= this.#size.most || (open >= this.#size.shared && comesBack))
        await this.#poolSignal.next(request.signal, left);
      else if (first && comesBack) await this.#poolSignal.next(request.signal, returnMilliseconds);
      else return this.dial(request);
    }
  }

  /** Dials a session beside the pool's, whether or not there is room. */
  async dial(request: SessionRequest): Promise<Session | DatabaseFailure> {
    this.#dialling += 1;
    try {
      const session = await this.#signIn(request);
      if (this.#closing.signal.aborted) {
        session.close();
        return this.#closed();
      }
      session.timeZone = this.endpoint.timeZone;
      this.#open.add(session);
      const note = noteOf(session);
      const ended = note === null ? noMatter : this.ports.sessions?.opened(note);
      session.onEnd = () => {
        ended?.();
        this.#forget(session);
      };
      return session;
    } catch (error) {
      if (request.signal.aborted) return { kind: 'cancelled' };
      return dialFailure(addressOf(this.endpoint), error);
    } finally {
      this.#dialling -= 1;
      this.#poolSignal.tell();
    }
  }

  async #signIn(request: SessionRequest): Promise<Session> {
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    // Asked before the server's clock for a sign-in starts. Only the server knows if a password is
    // missing.
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

  async #signInWith(asked: Promise<string | null>, request: SessionRequest, signal: AbortSignal): Promise<Session> {
    const { client, timeoutSeconds } = request;
    const settings = settingsFor(request, this.endpoint.timeZone);
    const { application_name = '' } = settings;
    const signIn = (set: Settings) =>
      dial(this.#servers, {
        identityOf: this.ports.identity ?? unknownServer,
        database: this.#database,
        settings: set,
        password: () => asked,
        milliseconds: Math.min(connectMilliseconds, request.timeoutSeconds * 1_000 + limits.guardMilliseconds),
        signal,
      });
    if (!this.#isPooled) {
      try {
        const session = await this.#asChecked(settings, signIn);
        if (session.key !== null && tookSettings(session))
          session.own = ownSession({ client, timeoutSeconds }, settings, session.key.processID);
        return session;
      } catch (error) {
        if (!refusesSettings(error)) throw error;
        this.#isPooled = true;
      }
    }
    return signIn({ application_name });
  }

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

  /** The server hangs: no other call uses its idle sessions or dials it first. */
  silent(server: Endpoint): void {
    if (this.#servers.count === 1) return;
    this.#servers.silent(server);
    for (const session of [...this.#idle]) if (session.endpoint === server) session.destroy();
  }

  /** A pooler answered: from now on nothing is expected to survive a round trip. */
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
    this.#poolSignal.tell();
  }

  /** @param work ends with the session released or destroyed. */
  returning(work: Promise<void>): void {
    this.#returning += 1;
    this.background(
      work.finally(() => {
        this.#returning -= 1;
        this.#poolSignal.tell();
      }),
    );
  }

  /** Work off the answer's path; `close` waits for it. It must not reject. */
  background(work: Promise<unknown>): void {
    this.#background.add(work);
    void work.finally(() => this.#background.delete(work));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the connection was closed'));
    this.#poolSignal.tell();
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
    this.#poolSignal.tell();
  }
}

/**
 * A call that comes here had its turn (sessions-in-turn.ts); the session that occupies the room is
 * ending.
 */
function notEnded(seconds: number): string {
  return `sessions of earlier calls did not end within ${seconds} s, so nothing ran`;
}

export function isSession(value: Session | DatabaseFailure): value is Session {
  return value instanceof Session;
}
