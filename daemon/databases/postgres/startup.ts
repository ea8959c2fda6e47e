/**
 * Lets the driver `pg` do what comes before the first statement: start-up message and authentication. Stands between it
 * and the socket, so that a server gets no password in clear text, no endless greeting, and no way to crash the process.
 */

import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { loadDriver } from '../load-driver.ts';
import { limits } from './limits.ts';
import { isWholeError } from './messages.ts';
import { DialRefused } from './tls.ts';

interface StartupOptions {
  readonly user: string;
  readonly database: string;
  readonly applicationName: string;
  readonly password: () => Promise<string | null>;
  /** The line is a verified TLS session, or doesn't leave this machine. */
  readonly clearTextPasswordAllowed: boolean;
}

/** What CancelRequest needs (PostgreSQL manual, 55.2.9). */
export interface BackendKey {
  readonly processId: number;
  /** Four bytes up to protocol 3.0, up to 256 after. */
  readonly secret: Buffer;
}

const authentication = 0x52; // 'R'
const backendKeyData = 0x4b; // 'K'
const readyForQuery = 0x5a; // 'Z'
const parameterStatus = 0x53; // 'S'
const noticeResponse = 0x4e; // 'N'
const errorResponse = 0x45; // 'E'
const clearTextPassword = 3;

/** What `pg` takes for its socket; its bytes are handed on one message at a time. */
class StartupStream extends Duplex {
  readonly #socket: Socket;
  readonly #clearTextPasswordAllowed: boolean;
  #buffered: Buffer = Buffer.alloc(0);
  #received = 0;
  key: BackendKey | null = null;
  serverEncoding: string | null = null;

  constructor(socket: Socket, clearTextPasswordAllowed: boolean) {
    super();
    this.#socket = socket;
    this.#clearTextPasswordAllowed = clearTextPasswordAllowed;
  }

  /** Called by `pg`, which thinks it dials; the socket stands already. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  /** For channel binding (SCRAM-SHA-256-PLUS): proves that whoever knows the password also holds this TLS session. */
  getPeerCertificate(detailed?: boolean): unknown {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerCertificate(detailed === true) : null;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  /** Throws what the server's bytes make `pg` throw. @returns whether the server is ready for statements. */
  receive(bytes: Buffer): boolean {
    this.#received += bytes.length;
    if (this.#received > limits.startupBytes)
      throw new DialRefused('the server says more than PostgreSQL does at the start');
    this.#buffered = Buffer.concat([this.#buffered, bytes]);
    while (this.#buffered.length >= 5) {
      const length = this.#buffered.readInt32BE(1) + 1;
      if (length < 5 || length > limits.startupBytes) throw new DialRefused('what answers there is not PostgreSQL');
      if (this.#buffered.length < length) return false;
      const message = this.#buffered.subarray(0, length);
      this.#buffered = this.#buffered.subarray(length);
      if (this.#isForDriver(message)) this.emit('data', message);
      if (message[0] === readyForQuery) return true;
    }
    return false;
  }

  /** `pg` gets what it needs to sign in, and of that nothing it would loop over for ever. */
  #isForDriver(message: Buffer): boolean {
    switch (message[0]) {
      case parameterStatus: {
        const [name, value] = message.toString('utf8', 5).split('\0');
        if (name === 'server_encoding') this.serverEncoding = value ?? null;
        return false;
      }
      case noticeResponse:
        return false;
      case errorResponse:
        // Its parser never ends on an error whose list of fields doesn't.
        if (!isWholeError(message.subarray(5))) throw new DialRefused('what answers there is not PostgreSQL');
        return true;
      case authentication:
      case backendKeyData:
      case readyForQuery:
        this.#inspect(message);
        return true;
      default:
        throw new DialRefused('what answers there is not PostgreSQL');
    }
  }

  #inspect(message: Buffer): void {
    if (message[0] === backendKeyData && message.length >= 13) {
      this.key = { processId: message.readInt32BE(5), secret: Buffer.from(message.subarray(9)) };
    }
    const asksInClear =
      message[0] === authentication && message.length >= 9 && message.readInt32BE(5) === clearTextPassword;
    if (asksInClear && !this.#clearTextPasswordAllowed) {
      throw new DialRefused(
        'the server asks for the password in clear text, which is sent over TLS with a verified certificate or on this machine only',
      );
    }
  }
}

/** What the server says of itself before the first statement. */
export interface Greeting {
  /** To cancel with; null where the server gave none. */
  readonly key: BackendKey | null;
  /** As PostgreSQL names it: `UTF8`, `SQL_ASCII`; null where it wasn't said. */
  readonly serverEncoding: string | null;
}

/** Leaves the socket paused, with nothing unread. */
export async function startUp(socket: Socket, options: StartupOptions): Promise<Greeting> {
  const pg = loadDriver<typeof import('pg')>(require => require('pg'));
  const stream = new StartupStream(socket, options.clearTextPasswordAllowed);

  /** `pg` fills every gap from PG* variables and `~/.pgpass`: so nothing is left open, and the start-up message is ours. */
  class ExplicitClient extends pg.Client {
    getStartupConf(): Record<string, string> {
      return { user: options.user, database: options.database, application_name: options.applicationName };
    }
  }
  const client = new ExplicitClient({
    user: options.user,
    database: options.database,
    host: 'localhost',
    port: 5432,
    ssl: false,
    sslnegotiation: 'postgres',
    application_name: options.applicationName,
    client_encoding: 'utf8',
    enableChannelBinding: socket instanceof TLSSocket,
    stream: () => stream,
    password: async () => {
      const password = await options.password();
      if (password === null) throw new DialRefused('the server asks for a password and the connection has none');
      return password;
    },
  });
  client.on('error', () => {});

  return new Promise((resolve, reject) => {
    const done = () => {
      socket.off('data', receive).off('error', failed).off('close', closed);
    };
    const failed = (error: unknown) => {
      done();
      reject(error);
    };
    const closed = () => failed(new DialRefused('the server closed the connection before it was ready'));
    const receive = (bytes: Buffer) => {
      try {
        if (!stream.receive(bytes)) return;
        socket.pause();
        done();
      } catch (error) {
        failed(error instanceof DialRefused ? error : new DialRefused('what answers there is not PostgreSQL'));
      }
    };
    socket.on('data', receive).once('error', failed).once('close', closed);
    socket.resume();
    client.connect().then(() => resolve({ key: stream.key, serverEncoding: stream.serverEncoding }), failed);
  });
}
