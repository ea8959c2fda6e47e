/** Reaches the server: socket, TLS, start-up, authentication, in a bounded time. Reads no variable of the environment. */

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '../../access/connection.ts';
import { limits } from './limits.ts';
import type { Link } from './link.ts';
import type { Settings } from './settings.ts';
import { startUp } from './sign-in.ts';
import { DialRefused, type EncryptedSocket, encrypt } from './tls.ts';

const defaultPort = 5432;

/** As people read it: the host and port, or the socket. */
export function addressOf(endpoint: Endpoint): string {
  if (endpoint.socketPath !== null) return endpoint.socketPath;
  return `${endpoint.host ?? 'localhost'}:${endpoint.port ?? defaultPort}`;
}

/** As `psql` does: without a user the account's name, without a database the user's. */
function userOf(endpoint: Endpoint): string {
  return endpoint.user ?? userInfo().username;
}

export function databaseOf(endpoint: Endpoint): string {
  return endpoint.database ?? userOf(endpoint);
}

/** @param address dialled instead of the host's own, since a name may stand for several servers; TLS still asks for the host. */
async function target(endpoint: Endpoint, address: string | null): Promise<NetConnectOpts> {
  const port = endpoint.port ?? defaultPort;
  if (endpoint.socketPath === null) return { host: address ?? endpoint.host ?? 'localhost', port };
  const found = await stat(endpoint.socketPath);
  return { path: found.isDirectory() ? join(endpoint.socketPath, `.s.PGSQL.${port}`) : endpoint.socketPath };
}

/** Runs `use` on a socket that is encrypted as the connection asks, destroyed where `use` fails or the signal comes. */
export async function withSocket<T>(
  endpoint: Endpoint,
  address: string | null,
  signal: AbortSignal,
  use: (line: EncryptedSocket) => Promise<T>,
): Promise<T> {
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: limits.keepAliveMilliseconds };
  const socket = connect({ ...(await target(endpoint, address)), noDelay: true, ...keepAlive });
  // Destroyed with the signal's reason, so that whichever step waits for the socket fails with it.
  const stop = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new DialRefused('given up'));
  // Something must always listen, or an error between two steps ends the process.
  socket.on('error', () => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await once(socket, 'connect');
    const local: EncryptedSocket = { socket, encrypted: false, verified: false };
    // A Unix socket carries no TLS, as with every PostgreSQL client.
    const line =
      endpoint.socketPath !== null ? local : await encrypt(socket, endpoint.host ?? 'localhost', endpoint.tls);
    line.socket.on('error', () => {});
    return await use(line);
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function isLocal(endpoint: Endpoint, socket: Socket): boolean {
  const address = socket.remoteAddress ?? '';
  return endpoint.socketPath !== null || address === '::1' || /^(::ffff:)?127\./.test(address);
}

interface DialOptions {
  readonly database: string;
  readonly settings: Settings;
  readonly password: () => Promise<string | null>;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Rejects with DialRefused, a server's or a network error, or the signal's reason; `networkReason` words them all. */
export async function dial(endpoint: Endpoint, options: DialOptions): Promise<Link> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DialRefused('no answer in time')), options.milliseconds);
  timer.unref();
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    return await withSocket(endpoint, null, signal, line =>
      startUp(line.socket, {
        user: userOf(endpoint),
        database: options.database,
        settings: options.settings,
        password: options.password,
        clearTextPasswordAllowed: line.verified || isLocal(endpoint, line.socket),
      }),
    );
  } finally {
    clearTimeout(timer);
  }
}
