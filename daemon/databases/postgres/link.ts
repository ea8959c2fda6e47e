/**
 * One live session with the server: sends a flight of messages and gathers what comes back up to ReadyForQuery. Knows the
 * protocol, but not what the statements are for.
 */

import type { Socket } from 'node:net';
import type { ServerError } from './failure.ts';
import { isEndOfSession, networkReason } from './failure.ts';
import { type Field, readError, readRowDescription, readTag, terminateMessage } from './messages.ts';
import type { BackendKey, Greeting } from './startup.ts';
import { type Receiver, WireLimit } from './wire-limit.ts';

/** `I` idle, `T` in a transaction, `E` in a failed one. */
type TransactionStatus = 'I' | 'T' | 'E';

export interface FlightReady {
  readonly kind: 'ready';
  /** Command tags in order: `BEGIN`, `SELECT 1`, `INSERT 0 3`. */
  readonly tags: readonly string[];
  readonly error: ServerError | null;
  readonly status: TransactionStatus;
}

export interface FlightLost {
  readonly kind: 'lost';
  /** A clause without a full stop. */
  readonly reason: string;
  /** Whether the server had answered anything at all to this flight, its own farewell apart. */
  readonly answered: boolean;
}

/** The statement was COPY from or to the client; the link is of no further use. */
interface FlightCopies {
  readonly kind: 'copies';
}

export type FlightEnd = FlightReady | FlightLost | FlightCopies;

interface FlightOptions {
  /** How many ReadyForQuery end the flight; 1 unless said. */
  readonly readies?: number;
  readonly onColumns?: (fields: readonly Field[]) => void;
}

interface Flight {
  readonly tags: string[];
  readonly onColumns: ((fields: readonly Field[]) => void) | null;
  readonly end: (end: FlightEnd) => void;
  readonly receivedBefore: number;
  error: ServerError | null;
  readiesLeft: number;
}

/** A hostile server could send tags without end; ours end after four. */
const keptTags = 8;

export class Link implements Receiver {
  readonly key: BackendKey | null;
  readonly serverEncoding: string | null;
  readonly socket: Socket;
  readonly wire: WireLimit;
  /** Monotonic milliseconds since which no flight is up. */
  idleSince = 0;
  /** True once a statement ran on it: a fresh link that fails is no stale one. */
  used = false;
  receivedBytes = 0;
  /** Called once when the link is of no further use, whoever ended it. */
  onEnd: () => void = () => {};
  #ended: string | null = null;
  #farewell: ServerError | null = null;
  #flight: Flight | null = null;
  #abandoned = false;

  constructor(socket: Socket, greeting: Greeting) {
    this.socket = socket;
    this.key = greeting.key;
    this.serverEncoding = greeting.serverEncoding;
    this.wire = new WireLimit(this);
    socket.on('data', (bytes: Buffer) => {
      this.receivedBytes += bytes.length;
      this.wire.receive(bytes);
    });
    socket.on('error', error => this.#lose(networkReason(error)));
    socket.on('close', () => this.#lose('the other side closed it'));
    socket.resume();
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  flight(messages: Buffer, options: FlightOptions = {}): Promise<FlightEnd> {
    if (this.#flight !== null) throw new Error('a link carries one flight at a time');
    return new Promise(resolve => {
      if (this.#ended !== null) {
        resolve({ kind: 'lost', reason: this.#ended, answered: false });
        return;
      }
      this.#flight = {
        tags: [],
        onColumns: options.onColumns ?? null,
        end: resolve,
        receivedBefore: this.receivedBytes,
        error: null,
        readiesLeft: options.readies ?? 1,
      };
      this.socket.write(messages);
    });
  }

  message(code: number, body: Buffer): void {
    if (this.#abandoned) return;
    const flight = this.#flight;
    const letter = String.fromCharCode(code);
    if (letter === 'E') {
      this.#serverError(readError(body));
      return;
    }
    if (flight === null) {
      this.broken('the server spoke out of turn');
      return;
    }
    switch (letter) {
      case 'T':
        flight.onColumns?.(readRowDescription(body));
        return;
      case 'C':
        if (flight.tags.length < keptTags) flight.tags.push(readTag(body));
        return;
      case 'Z':
        this.#ready(flight, body);
        return;
      case 'G': // COPY from the client, to the client, both ways
      case 'H':
      case 'W':
        this.#flight = null;
        flight.end({ kind: 'copies' });
        return;
      case '1': // ParseComplete, BindComplete, CloseComplete, NoData, ParameterDescription, EmptyQuery, PortalSuspended, CopyDone
      case '2':
      case '3':
      case 'n':
      case 't':
      case 'I':
      case 's':
      case 'c':
        return;
      default:
        this.broken('the server sent what is not PostgreSQL');
    }
  }

  #serverError(error: ServerError): void {
    if (isEndOfSession(error)) this.#farewell = error;
    else if (this.#flight !== null) this.#flight.error ??= error;
    else this.broken(error.message);
  }

  #ready(flight: Flight, body: Buffer): void {
    flight.readiesLeft -= 1;
    if (flight.readiesLeft > 0) return;
    const status = body.toString('latin1', 0, 1);
    if (status !== 'I' && status !== 'T' && status !== 'E') {
      this.broken('the server sent what is not PostgreSQL');
      return;
    }
    this.#flight = null;
    flight.end({ kind: 'ready', tags: flight.tags, error: flight.error, status });
  }

  /** The flight ends as lost at once and what still comes is dropped; the line stays up, so that the statement can be cancelled. */
  abandon(): void {
    this.#abandoned = true;
    this.wire.readRows(null, Number.POSITIVE_INFINITY);
    const flight = this.#flight;
    this.#flight = null;
    flight?.end({ kind: 'lost', reason: 'it was closed', answered: true });
  }

  broken(reason: string): void {
    this.#lose(reason);
    this.socket.destroy();
  }

  #lose(reason: string): void {
    if (this.#ended !== null) return;
    this.#ended = (this.#farewell?.message ?? reason).replace(/\.$/, '');
    this.wire.end();
    const flight = this.#flight;
    this.#flight = null;
    this.onEnd();
    flight?.end({
      kind: 'lost',
      reason: this.#ended,
      answered: this.#farewell === null ? this.receivedBytes > flight.receivedBefore : flight.tags.length > 0,
    });
  }

  /** Says goodbye; for a link without a flight. */
  close(): void {
    if (this.#ended !== null) return;
    this.#lose('it was closed');
    this.socket.end(terminateMessage);
    // A hung server never closes its side.
    const timer = setTimeout(() => this.socket.destroy(), 1_000);
    timer.unref();
    this.socket.once('close', () => clearTimeout(timer));
    this.socket.unref();
  }

  /** Ends it at once; a flight under way ends as lost. */
  destroy(): void {
    this.broken('it was closed');
  }
}
