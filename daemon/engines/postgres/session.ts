/**
 * One live session with a PostgreSQL server, on `pg`'s client. It sends statements in one round
 * trip, and tells how that ended.
 */

import type { Socket } from 'node:net';
import type { Client } from 'pg';
import type { Endpoint } from '../../access/connection.ts';
import type { DatabaseFailure } from '../engine.ts';
import { isEndOfSession, networkReason, type ServerError } from './failure.ts';
import type { OwnSession } from './run/own-session.ts';
import { type TimeLimits, unlimited } from './run/time-limits.ts';
import type { BoundedStream } from './wire/bounded-stream.ts';
import { RoundTrip, type Statement, type StatementListener } from './wire/round-trip.ts';

/** `I` idle, `T` in a transaction, `E` in a failed one. */
type TransactionStatus = 'I' | 'T' | 'E';

export interface RoundTripReady {
  readonly kind: 'ready';
  /** Command tags in order: `BEGIN`, `SELECT 1`, `INSERT 0 3`. */
  readonly tags: readonly string[];
  readonly error: ServerError | null;
  readonly status: TransactionStatus;
}

export interface RoundTripLost {
  readonly kind: 'lost';
  /** A clause without a full stop. */
  readonly reason: string;
  /** SQLSTATE of the server's farewell; absent if it gave none. */
  readonly code?: string | undefined;
  /** True if the server had answered anything to this round trip, apart from its farewell. */
  readonly answered: boolean;
}

/** How a round trip ended. A COPY from or to the client fails, and leaves the session useless. */
export type RoundTripEnd = RoundTripReady | RoundTripLost | DatabaseFailure;

const copies: DatabaseFailure = { kind: 'unsupported', message: 'COPY from or to the client is not supported.' };

/** What CancelRequest needs (PostgreSQL manual, 55.2.9). */
export interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

interface UnderWay {
  readonly roundTrip: RoundTrip;
  readonly end: (end: RoundTripEnd) => void;
  readonly receivedBefore: number;
  readonly sentAt: number;
}

export class Session {
  /** What cancels a statement; null if the server gave no key. */
  key: BackendKey | null = null;
  /** What is known of a session of our own; null if a pooler may be between us and the server. */
  own: OwnSession | null = null;
  /** True once a pooler was noticed: DISCARD ALL could then reach another client's session. */
  isPooled = false;
  /** The database's encoding in PostgreSQL's words (`UTF8`, `SQL_ASCII`); null if unknown. */
  serverEncoding: string | null = null;
  /** The connection's time zone; null for the server's own. */
  timeZone: string | null = null;
  /** The server's own time limits. */
  limits: TimeLimits = unlimited;
  /** Statements that set our settings anew after DISCARD ALL, if the start-up packet has none. */
  restoring: readonly Statement[] = [];
  /** As the server said when it was dialled; null if it didn't. */
  isSuperuser: boolean | null = null;
  /** See run/server-mark.ts; null if the server doesn't tell, undefined before it was asked. */
  mark: string | null | undefined;
  /** As the server reported it, such as `15.18 (Debian 15.18-0+deb12u1)`; '' if it didn't. */
  serverVersion = '';
  /** What the server reported while it was dialled. */
  readonly parameters = new Map<string, string>();
  /** As the server reported it while it was dialled; null if it didn't. */
  applicationName: string | null = null;
  /** As the server reported it while it was dialled, such as `ISO, DMY`. */
  dateStyle: string | null = null;
  /** Which of the connection's servers this is. */
  readonly endpoint: Endpoint;
  readonly socket: Socket;
  readonly stream: BoundedStream;
  /** Monotonic milliseconds; when the last round trip ended. */
  idleSince = 0;
  /** True if the last round trip left no transaction open. */
  isIdle = true;
  /** True once a statement ran on it: a new session that fails isn't stale. */
  used = false;
  /** Called once when the session has become useless, for whatever reason. */
  onEnd: () => void = () => {};
  readonly #client: Client;
  #ended: string | null = null;
  #underWay: UnderWay | null = null;

  /** @param client not connected yet; on `stream`, which is on `socket`. */
  constructor(endpoint: Endpoint, socket: Socket, stream: BoundedStream, client: Client) {
    this.endpoint = endpoint;
    this.socket = socket;
    this.stream = stream;
    this.#client = client;
    client.connection.on('backendKeyData', (key: BackendKey) => {
      this.key = key;
    });
    client.connection.on('parameterStatus', (parameter: { parameterName: string; parameterValue: string }) => {
      this.parameters.set(parameter.parameterName, parameter.parameterValue);
      if (parameter.parameterName === 'server_encoding') this.serverEncoding = parameter.parameterValue;
      if (parameter.parameterName === 'application_name') this.applicationName ??= parameter.parameterValue;
      if (parameter.parameterName === 'DateStyle') this.dateStyle ??= parameter.parameterValue;
      if (parameter.parameterName === 'server_version') this.serverVersion = parameter.parameterValue;
      // A later value is about the role that a read runs as.
      if (parameter.parameterName === 'is_superuser') this.isSuperuser ??= parameter.parameterValue === 'on';
    });
    client.on('error', error => this.broken(networkReason(error)));
    client.on('drain', () => this.#ready());
    stream.on('copy', () => this.#take()?.end(copies));
    stream.onNotice = message => this.#underWay?.roundTrip.notice(message);
  }

  /** True if nothing has come for so long in answer to what was sent. */
  isSilentFor(milliseconds: number): boolean {
    return this.#underWay !== null && this.stream.silentSince(this.#underWay.sentAt) >= milliseconds;
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  /**
   * Sends statements together, and resolves once the server is ready or lost. Never rejects.
   * @param told gets the rows of one statement; null drops all rows.
   */
  roundTrip(statements: readonly Statement[], told: StatementListener | null = null): Promise<RoundTripEnd> {
    if (this.#underWay !== null) throw new Error('a session carries one round trip at a time');
    return new Promise(resolve => {
      if (this.#ended !== null) {
        resolve({ kind: 'lost', reason: this.#ended, answered: false });
        return;
      }
      const roundTrip = new RoundTrip(statements, told, this.own?.statements ?? null);
      this.#underWay = {
        roundTrip,
        end: resolve,
        receivedBefore: this.stream.receivedBytes,
        sentAt: performance.now(),
      };
      this.#client.query(roundTrip);
    });
  }

  #take(): UnderWay | null {
    const underWay = this.#underWay;
    this.#underWay = null;
    return underWay;
  }

  #ready(): void {
    const status = this.#client.getTransactionStatus();
    const isKnown = status === 'I' || status === 'T' || status === 'E';
    if (this.#underWay === null || !isKnown) {
      this.broken('the server spoke out of turn');
      return;
    }
    const { roundTrip, end } = this.#underWay;
    this.#underWay = null;
    this.isIdle = status === 'I';
    end({ kind: 'ready', tags: roundTrip.tags, error: roundTrip.error, status });
  }

  /**
   * Ends the round trip as lost at once and drops what still arrives. The line stays up, so the
   * statement can be cancelled.
   */
  abandon(): void {
    this.stream.mute();
    this.#take()?.end({ kind: 'lost', reason: 'it was closed', answered: true });
  }

  #lose(reason: string): void {
    if (this.#ended !== null) return;
    const underWay = this.#take();
    const error = underWay?.roundTrip.error ?? null;
    const farewell = error !== null && isEndOfSession(error) ? error : null;
    this.#ended = (farewell?.message ?? reason).replace(/\.$/, '');
    this.stream.mute();
    this.onEnd();
    underWay?.end({
      kind: 'lost',
      reason: this.#ended,
      code: farewell?.code,
      answered:
        farewell === null ? this.stream.receivedBytes > underWay.receivedBefore : underWay.roundTrip.tags.length > 0,
    });
  }

  /**
   * Gives the line away between two round trips. The pool counts the session until the line ends.
   * @returns null if the server has said something out of turn.
   */
  handOver(): Socket | null {
    if (this.#ended !== null || this.#underWay !== null) throw new Error('only an idle session can be given away');
    if (this.stream.handOver()) return this.socket;
    this.destroy();
    return null;
  }

  broken(reason: string): void {
    this.#lose(reason);
    this.stream.destroy();
  }

  /** Says goodbye; only for a session without a round trip. */
  close(): void {
    if (this.#ended !== null) return;
    this.#lose('it was closed');
    void this.#client.end();
    // A hung server never closes its side.
    const timer = setTimeout(() => this.socket.destroy(), 1_000);
    timer.unref();
    this.socket.once('close', () => clearTimeout(timer));
    this.socket.unref();
  }

  /** Ends it at once; a running round trip ends as lost. */
  destroy(): void {
    this.broken('it was closed');
  }
}
