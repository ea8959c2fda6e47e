/**
 * Reaches the server within a bounded time: socket, TLS, start-up, authentication. Reads no
 * environment variable.
 */

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { account } from '../../../shared/account.ts';
import type { DialProblem } from '../../../shared/dial-problems.ts';
import { hostsShown, isLocalhost } from '../../../shared/server-hosts.ts';
import type { TargetServersWord } from '../../../shared/target-servers.ts';
import type { Endpoint } from '../../access/connection.ts';
import type { CallClock } from '../call-clock.ts';
import { DialError } from '../dial-error.ts';
import type { IdentityOf } from '../server-identity.ts';
import { serverSocket, socketFile, toldByTunnel } from '../server-socket.ts';
import type { ServersInTurn } from '../servers-in-turn.ts';
import { isEndOfTry, networkReason, problemOf, refusesMore } from './failure.ts';
import type { Settings } from './run/settings.ts';
import type { Session } from './session.ts';
import { startUp } from './wire/sign-in.ts';
import { unfit } from './wire/target-servers.ts';
import { DialRefused, type EncryptedSocket, encrypt } from './wire/tls.ts';

const keepAliveMilliseconds = 15_000;

const defaultPort = 5432;

/** The address that people are shown: host and port, or the socket; of several hosts each one. */
export function addressOf(endpoint: Endpoint): string {
  if (endpoint.socketPath !== null) return endpoint.socketPath;
  return hostsShown(endpoint.host ?? 'localhost', endpoint.port ?? defaultPort);
}

/** Takes the account's name if no user is given, as `psql` does. */
function userOf(endpoint: Endpoint): string {
  const user = endpoint.user ?? account().name;
  if (user !== null) return user;
  throw new DialError('the connection names no user, and this computer has no account for you whose name would do');
}

export function databaseOf(endpoint: Endpoint): string {
  return endpoint.database ?? endpoint.user ?? account().name ?? '';
}

/**
 * @param address dialled instead of the host, since a name may stand for several servers; TLS still
 *   verifies the host.
 */
async function target(endpoint: Endpoint, address: string | null): Promise<Target> {
  const { socketPath, port } = endpoint;
  if (socketPath === null) return { host: address ?? endpoint.host ?? 'localhost', port: port ?? defaultPort };
  const found = await stat(socketPath);
  return { path: found.isDirectory() ? join(socketPath, `.s.PGSQL.${port ?? defaultPort}`) : socketPath };
}

type Target = { readonly path: string } | { readonly host: string; readonly port: number };

/** What a server that is late has not answered. */
type Step = 'the dial' | 'the request for TLS' | 'the sign-in';

/**
 * Runs `use` on a socket with the encryption that the connection asks for; destroys it if `use`
 * fails or the signal comes.
 */
export async function withSocket<T>(
  endpoint: Endpoint,
  address: string | null,
  signal: AbortSignal,
  use: (line: EncryptedSocket) => Promise<T>,
  clock?: CallClock,
  begin: (step: Step) => void = () => {},
): Promise<T> {
  const to = await target(endpoint, address);
  const file = 'path' in to ? await socketFile(to.path) : null;
  const socket = await serverSocket(endpoint, defaultPort, to, keepAliveMilliseconds, signal, clock);
  // Destroyed with the signal's reason, so the step that waits for the socket fails with it.
  const stop = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new DialRefused('given up'));
  // Without a listener an error between two steps would end the process.
  socket.on('error', () => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    if (socket.connecting) await once(socket, 'connect');
    if (file === null && endpoint.tls.mode !== 'disable') begin('the request for TLS');
    // A Unix socket carries no TLS, as with every PostgreSQL client.
    const line: EncryptedSocket =
      file === null
        ? await encrypt(socket, endpoint.host ?? 'localhost', endpoint.tls)
        : { socket, kind: 'socket', socketOwner: await file.owner() };
    line.socket.on('error', () => {});
    begin('the sign-in');
    return await use(line);
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : await toldByTunnel(endpoint, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface DialOptions {
  /** What the servers have shown before. */
  readonly identityOf: IdentityOf;
  readonly database: string;
  readonly settings: Settings;
  readonly password: () => Promise<string | null>;
  readonly milliseconds: number;
  readonly clock: CallClock;
  readonly signal: AbortSignal;
}

/**
 * Dials the servers in turn until one answers and is of the wanted kind; each gets its share of the
 * time. Rejects with DialRefused, a server's or network error, or the signal's reason;
 * `networkReason` words them all.
 */
export async function dial(servers: ServersInTurn, options: DialOptions): Promise<Session> {
  const { inTurn, count } = servers;
  const wanted = inTurn[0]?.targetServers ?? null;
  const rounds: readonly (TargetServersWord | null)[] = wanted === 'prefer-standby' ? ['standby', null] : [wanted];
  const milliseconds = options.milliseconds / count;
  let passed: string[] = [];
  let isFull = false;
  let first: DialProblem | null = null;
  for (const kind of rounds) {
    passed = [];
    for (const server of inTurn) {
      try {
        const session = await dialOne(server, { ...options, milliseconds });
        const problem = kind === null ? null : await unfit(session, kind, milliseconds);
        if (problem === null) {
          servers.answered(server);
          return session;
        }
        session.close();
        passed.push(`${addressOf(server)} (${problem})`);
      } catch (error) {
        // What one server refuses for what was sent, all would: three wrong passwords may lock an
        // account.
        if (options.signal.aborted || isEndOfTry(error) || (count === 1 && rounds.length === 1)) throw error;
        isFull ||= refusesMore(error);
        first ??= problemOf(error);
        passed.push(`${addressOf(server)} (${networkReason(error)})`);
      }
    }
  }
  throw new DialRefused(`none of its servers will do: ${passed.join(', ')}`, isFull ? 'full' : null, first);
}

/** Rejects as `dial`. */
async function dialOne(endpoint: Endpoint, options: DialOptions): Promise<Session> {
  const identity = options.identityOf(endpoint);
  // A tunnel has its own address for `localhost`.
  const { line, host, socketPath } = endpoint;
  const isChosen = line === undefined && socketPath === null && isLocalhost(host ?? 'localhost');
  const address = isChosen ? identity.chosenAddress() : null;
  const late = new AbortController();
  let step: Step = 'the dial';
  const begin = (next: Step): void => {
    step = next;
  };
  const end = (): void => late.abort(new DialRefused(`no answer to ${step} in time`, 'unanswered'));
  const timer = setTimeout(end, options.milliseconds);
  timer.unref();
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    const signIn = (encrypted: EncryptedSocket) =>
      startUp(encrypted, {
        endpoint,
        identity,
        address: isChosen ? (encrypted.socket.remoteAddress ?? null) : null,
        user: userOf(endpoint),
        database: options.database,
        settings: options.settings,
        password: options.password,
      });
    return await withSocket(endpoint, address, signal, signIn, options.clock, begin);
  } finally {
    clearTimeout(timer);
  }
}
