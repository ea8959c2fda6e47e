/**
 * One handshake with a server, step by step: greeting, TLS, login. The result is a `Session`. Each
 * step is bounded and then judged by the caller; nothing here decides what is trusted.
 */

import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Endpoint } from '../../../access/connection.ts';
import { serverSocket } from '../../server-socket.ts';
import { Session } from '../session.ts';
import { authenticate, type MethodStep, Refused } from './authentication.ts';
import { capability, type Greeting, readGreeting } from './greeting.ts';
import { HandshakeLine } from './handshake-line.ts';
import { tlsRequest } from './login-packets.ts';
import { fingerprintOf } from './server-key.ts';
import { raiseToTls, type TlsWish, verifies } from './tls.ts';

const defaultPort = 3306;
const keepAliveSeconds = 30;

/** What the line has shown before the login. */
export interface LineStep {
  readonly tls: 'none' | 'unverified' | 'verified';
  /** SHA-256 of the certificate's public key; null without TLS. */
  readonly certificateKey: string | null;
}

/** What a server has shown at the end. */
export type Shown = LineStep & MethodStep;

/** Each throws if the sign-in must not go on. */
export interface Judge {
  /** Before the user's name leaves. */
  line(step: LineStep): void;
  /** Before anything that depends on the password leaves. */
  method(step: Shown): void;
  /** Before the first command leaves. */
  end(shown: Shown): void;
}

export interface Login {
  readonly endpoint: Endpoint;
  /** Shown to the DBA as the connection attribute `program_name`. */
  readonly client: string;
  readonly database: string | null;
  readonly password: string | null;
  /** Null: in clear text. */
  readonly wish: TlsWish | null;
  /** The method of the last sign-in; null if none is known. */
  readonly lastMethod: string | null;
  readonly judge: Judge;
  readonly timeoutSeconds: number;
}

type Greeted =
  | { readonly kind: 'done'; readonly value: Session }
  | { readonly kind: 'cancelled' }
  /** The greeting offers no TLS. */
  | { readonly kind: 'no_tls' }
  /** What the server, the network or the judge said. */
  | { readonly kind: 'failed'; readonly error: unknown };

export async function handshake(login: Login, signal: AbortSignal): Promise<Greeted> {
  if (signal.aborted) return { kind: 'cancelled' };
  const late = AbortSignal.timeout(Math.ceil(login.timeoutSeconds * 1000));
  const either = AbortSignal.any([signal, late]);
  let socket: Socket | null = null;
  try {
    socket = await openSocket(login.endpoint, either);
    const value = await signIn(socket, login, either);
    if (value !== null) return { kind: 'done', value };
    socket.destroy();
    return { kind: 'no_tls' };
  } catch (error) {
    socket?.destroy();
    if (signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', error: late.aborted ? Object.assign(new Error(), { code: 'ETIMEDOUT' }) : error };
  }
}

/** @returns null if TLS is wished for and not offered. */
async function signIn(socket: Socket, login: Login, signal: AbortSignal): Promise<Session | null> {
  const { endpoint, wish, judge } = login;
  const line = new HandshakeLine(socket);
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    const greeting = readGreeting(await line.packet());
    if (greeting.kind === 'error') throw new Refused(greeting);
    if (wish !== null && (greeting.capabilities & capability.tls) === 0) return null;
    const secured = wish === null ? null : await secure(line, greeting, wish, signal);
    const lineStep = seen(secured, wish);
    judge.line(lineStep);
    const method = await authenticate(line, greeting, {
      user: endpoint.user ?? '',
      password: login.password,
      database: login.database,
      program: `Sallyport: ${login.client}`.slice(0, 200),
      certificate: secured?.getPeerX509Certificate()?.raw ?? null,
      isTls: secured !== null,
      isPrivate: secured !== null || endpoint.socketPath !== null,
      lastMethod: login.lastMethod,
      judge: step => judge.method({ ...lineStep, ...step }),
    });
    judge.end({ ...lineStep, ...method });
    return new Session({ stream: line.leave(), socket }, endpoint, greeting);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function secure(
  line: HandshakeLine,
  greeting: Greeting,
  wish: TlsWish,
  signal: AbortSignal,
): Promise<TLSSocket> {
  line.send(tlsRequest(greeting));
  const secured = await raiseToTls(line.leave(), wish, signal);
  line.moveTo(secured);
  return secured;
}

function seen(secured: TLSSocket | null, wish: TlsWish | null): LineStep {
  if (secured === null || wish === null) return { tls: 'none', certificateKey: null };
  const key = secured.getPeerX509Certificate()?.publicKey;
  return {
    tls: verifies(wish.mode) ? 'verified' : 'unverified',
    certificateKey: key === undefined ? null : fingerprintOf(key),
  };
}

function openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
  const { socketPath, host, port } = endpoint;
  const own = socketPath === null ? { host: host ?? 'localhost', port: port ?? defaultPort } : { path: socketPath };
  return serverSocket(endpoint, defaultPort, own, keepAliveSeconds * 1000, signal);
}
