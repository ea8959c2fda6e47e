/**
 * One handshake with a server by mysql2, made stricter: TLS is ours (`tls.ts`), so is the decision
 * what may show the password (`authentication.ts`), and its bytes are bounded. The result is a
 * `Link`.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Endpoint } from '../../../access/connection.ts';
import { loadDriver } from '../../load-driver.ts';
import { isLoopback, serverSocket } from '../../server-socket.ts';
import { type Hello, Link } from '../link.ts';
import type { Destination } from '../run/destination.ts';
import { authPlugins } from './authentication.ts';
import { raiseToTls, type TlsWish, verifies } from './tls.ts';

const defaultPort = 3306;
const keepAliveSeconds = 30;
/**
 * A handshake takes some hundred bytes; a server that sends this much before we are in is hostile.
 */
const handshakeBytesMost = 256 * 1024;
/**
 * utf8mb4_general_ci, as the servers' own clients ask for; `SET NAMES` later chooses the server's
 * default.
 */
const charsetNumber = 45;
/**
 * Removed from mysql2's defaults: each changes what SQL means, what is counted, or what the server
 * may ask of us.
 */
const flags = ['-FOUND_ROWS', '-IGNORE_SPACE', '-ODBC', '-LOCAL_FILES', '-SESSION_TRACK', '-CLIENT_QUERY_ATTRIBUTES'];

/**
 * Parts of mysql2 without types. They are checked before use, so a change in mysql2 fails here and
 * doesn't open a hole.
 */
interface DriverInternals {
  stream: Duplex;
  packetParser: { execute(chunk: Buffer): void };
  startTLS(done: (error?: Error) => void): void;
}

/** The server's greeting offers no TLS. */
const noTls = { kind: 'no_tls' } as const;
type NoTls = typeof noTls;

function saysNoTls(error: Error): boolean {
  return 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT';
}

interface Login {
  readonly endpoint: Endpoint;
  readonly to: Destination;
  readonly password: string | null;
  /** Null: in clear text. */
  readonly wish: TlsWish | null;
  readonly timeoutSeconds: number;
}

/** What the server, the network or mysql2 reported. */
interface HandshakeFailed {
  readonly kind: 'failed';
  readonly error: unknown;
}

type Greeted =
  | { readonly kind: 'done'; readonly value: Link }
  | { readonly kind: 'cancelled' }
  | NoTls
  | HandshakeFailed;

export async function handshake(login: Login, signal: AbortSignal): Promise<Greeted> {
  const { endpoint, to, password, wish, timeoutSeconds } = login;
  const mysql = loadDriver<typeof import('mysql2')>(require => require('mysql2'));
  if (signal.aborted) return { kind: 'cancelled' };
  const socket = await openSocket(endpoint, signal);
  const greeting = watchGreeting(socket);
  const local = endpoint.socketPath !== null || isLoopback(endpoint.host ?? 'localhost');
  const connection = mysql.createConnection({
    stream: () => socket,
    flags,
    charsetNumber,
    multipleStatements: false,
    disableEval: true,
    connectTimeout: timeoutSeconds * 1000,
    connectAttributes: { program_name: `Sallyport: ${to.client}`.slice(0, 200) },
    enableCleartextPlugin: false,
    authPlugins: authPlugins(mysql.authPlugins, {
      trusted: local || (wish !== null && verifies(wish.mode)),
      confidential: wish !== null || endpoint.socketPath !== null,
    }),
    infileStreamFactory: () => {
      throw new Error('The server asked for a file of this machine, which is never sent.');
    },
    ...(wish === null ? {} : { ssl: { rejectUnauthorized: verifies(wish.mode) } }),
    ...(endpoint.user === null ? {} : { user: endpoint.user }),
    ...(password === null ? {} : { password }),
    ...(to.database === null ? {} : { database: to.database }),
  });
  // mysql2 emits 'error' for what its callbacks reported already; without a listener the process
  // would end.
  connection.on('error', () => {});
  const internals = connection as unknown as DriverInternals;
  const secured = { done: wish === null };
  if (wish !== null) replaceStartTls(internals, socket, wish, secured, greeting);
  countHandshake(socket);

  return new Promise(resolve => {
    let finished = false;
    const finish = (result: Greeted): void => {
      if (finished) return;
      finished = true;
      signal.removeEventListener('abort', abort);
      if (result.kind !== 'done') {
        internals.stream.destroy();
        socket.destroy();
      }
      resolve(result);
    };
    const abort = (): void => finish({ kind: 'cancelled' });
    signal.addEventListener('abort', abort, { once: true });
    // If the socket closes before mysql2 has a command, the dial would wait for ever.
    socket.once('close', () => finish(failed('The server closed the connection.')));
    connection.connect(error => {
      if (error !== null && !isHello(error)) finish(saysNoTls(error) ? noTls : { kind: 'failed', error });
    });
    connection.once('connect', (hello: unknown) => {
      const { stream } = internals;
      if (!secured.done || !isHello(hello)) {
        finish(failed('The server skipped a step of the handshake.'));
        return;
      }
      stream.removeAllListeners('data');
      finish({
        kind: 'done',
        value: new Link({ stream, socket }, endpoint, hello),
      });
    });
  });
}

function failed(words: string): HandshakeFailed {
  return { kind: 'failed', error: new Error(words) };
}

function openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
  const { socketPath, host, port } = endpoint;
  const own = socketPath === null ? { host: host ?? 'localhost', port: port ?? defaultPort } : { path: socketPath };
  return serverSocket(endpoint, defaultPort, own, keepAliveSeconds * 1000, signal);
}

function replaceStartTls(
  internals: DriverInternals,
  socket: Socket,
  wish: TlsWish,
  secured: { done: boolean },
  greeting: Greeting,
): void {
  if (typeof internals.startTLS !== 'function' || typeof internals.packetParser?.execute !== 'function') {
    throw new Error('This mysql2 has no startTLS to replace, so TLS cannot be verified.');
  }
  internals.startTLS = done => {
    if (greeting.overrun) {
      socket.destroy();
      done(new Error('it sent more than its greeting before TLS'));
      return;
    }
    socket.removeAllListeners('data');
    const stream = raiseToTls(socket, wish, error => {
      secured.done = error === null;
      if (error === null) done();
      else done(error);
    });
    stream.on('data', (chunk: Buffer) => internals.packetParser.execute(chunk));
    countHandshake(stream);
    internals.stream = stream;
  };
}

interface Greeting {
  /** True if more than the greeting came in clear text. */
  readonly overrun: boolean;
}

/**
 * An attacker on the line could put clear-text packets behind the greeting, which mysql2 would take
 * for the server's once TLS stands (a demand for the password, say). So the greeting's bytes are
 * measured before mysql2 sees them.
 */
function watchGreeting(socket: Socket): Greeting {
  const greeting = { overrun: false };
  let bytes = Buffer.alloc(0);
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    if (bytes.length < 4) bytes = Buffer.concat([bytes, chunk.subarray(0, 4 - bytes.length)]);
    received += chunk.length;
    if (bytes.length === 4 && received > 4 + bytes.readUIntLE(0, 3)) greeting.overrun = true;
  });
  return greeting;
}

function countHandshake(stream: Duplex): void {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > handshakeBytesMost) stream.destroy();
  });
}

function isHello(value: unknown): value is Hello {
  return (
    typeof value === 'object' &&
    value !== null &&
    'connectionId' in value &&
    typeof value.connectionId === 'number' &&
    'serverVersion' in value &&
    typeof value.serverVersion === 'string'
  );
}
