/**
 * One handshake with a server, step by step: greeting, TLS, login. The result is a `Session`. Each
 * step is bounded, and judged before the password is shown to it; what is trusted is decided in
 * `access/server-identity.ts`.
 */

import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Endpoint } from '../../../access/connection.ts';
import { provesServer, type SignInStep } from '../../../access/server-identity.ts';
import type { ServerIdentity } from '../../server-identity.ts';
import { serverSocket, socketFile } from '../../server-socket.ts';
import type { Destination } from '../run/destination.ts';
import { Session } from '../session.ts';
import { authenticate, Refused } from './authentication.ts';
import { capability, type Greeting, readGreeting } from './greeting.ts';
import { HandshakeLine } from './handshake-line.ts';
import { tlsRequest } from './login-packets.ts';
import type { LineShown } from './methods.ts';
import { raiseToTls, type TlsWish } from './tls.ts';

const defaultPort = 3306;
const keepAliveMilliseconds = 30_000;

interface Login {
  readonly endpoint: Endpoint;
  /** Dialled in place of the host; TLS still verifies the host. Null for the host itself. */
  readonly address: string | null;
  readonly to: Destination;
  readonly password: string | null;
  /** Null: in clear text. */
  readonly wish: TlsWish | null;
  readonly identity: ServerIdentity;
  readonly timeoutSeconds: number;
}

export interface SignedIn {
  readonly session: Session;
  /** What the server has shown; `signedIn` of its identity is still to be called. */
  readonly step: SignInStep;
  /** The IP address that was dialled; null over a socket. */
  readonly address: string | null;
}

type Greeted =
  | { readonly kind: 'done'; readonly value: SignedIn }
  | { readonly kind: 'cancelled' }
  /** The greeting offers no TLS. */
  | { readonly kind: 'no_tls' }
  /** What the server, the network or the judge said. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** What a server that is late has not answered. */
type Step = 'the dial' | 'with its greeting' | 'the TLS handshake' | 'the sign-in';

/** Code of an error whose message is the step at which the server was late. */
export const lateCode = 'SALLYPORT_LATE';

export async function handshake(login: Login, signal: AbortSignal): Promise<Greeted> {
  if (signal.aborted) return { kind: 'cancelled' };
  const late = AbortSignal.timeout(Math.ceil(login.timeoutSeconds * 1000));
  const either = AbortSignal.any([signal, late]);
  let socket: Socket | null = null;
  let step: Step = 'the dial';
  const begin = (next: Step): void => {
    step = next;
  };
  const end = (): void => void socket?.destroy();
  either.addEventListener('abort', end, { once: true });
  try {
    const { socketPath } = login.endpoint;
    const file = socketPath === null ? null : await socketFile(socketPath);
    socket = await openSocket(login, either);
    if (socket.connecting) socket.once('connect', () => begin('with its greeting'));
    else begin('with its greeting');
    const value = await signIn(socket, file, login, either, begin);
    if (value !== null) return { kind: 'done', value };
    socket.destroy();
    return { kind: 'no_tls' };
  } catch (error) {
    socket?.destroy();
    if (signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', error: late.aborted ? Object.assign(new Error(step), { code: lateCode }) : error };
  } finally {
    either.removeEventListener('abort', end);
  }
}

/** @returns null if TLS is wished for and not offered. */
async function signIn(
  socket: Socket,
  file: Awaited<ReturnType<typeof socketFile>> | null,
  { endpoint, to, password, wish, identity }: Login,
  signal: AbortSignal,
  begin: (step: Step) => void,
): Promise<SignedIn | null> {
  const line = new HandshakeLine(socket);
  const greeting = readGreeting(await line.packet());
  if (greeting.kind === 'error') throw new Refused(greeting);
  if (wish !== null && (greeting.capabilities & capability.tls) === 0) return null;
  if (wish !== null) begin('the TLS handshake');
  const secured = wish === null ? null : await secure(line, greeting, wish, signal);
  const shown: LineShown = {
    kind: lineKind(endpoint, secured !== null),
    certificate: secured?.getPeerX509Certificate() ?? null,
    socketOwner: (await file?.owner()) ?? null,
  };
  begin('the sign-in');
  const login = {
    user: endpoint.user ?? '',
    database: to.database,
    program: `Sallyport: ${to.client}`.slice(0, 200),
  };
  const remoteAddress = socket.remoteAddress ?? null;
  const step = await authenticate(line, greeting, login, { password, shown, judge: step => identity.judge(step) });
  return {
    session: new Session({ stream: line.leave(), socket }, endpoint, greeting),
    step,
    address: remoteAddress,
  };
}

async function secure(line: HandshakeLine, greeting: Greeting, wish: TlsWish, signal: AbortSignal): Promise<TLSSocket> {
  line.send(tlsRequest(greeting));
  const secured = await raiseToTls(line.leave(), wish, signal);
  line.moveTo(secured);
  return secured;
}

function lineKind({ socketPath, tls }: Endpoint, isTls: boolean): LineShown['kind'] {
  if (isTls && provesServer(tls)) return 'verified';
  if (socketPath !== null) return 'socket';
  return isTls ? 'tls' : 'clear';
}

function openSocket({ endpoint, address, to }: Login, signal: AbortSignal): Promise<Socket> {
  const { socketPath, host, port } = endpoint;
  const dialled = address ?? host;
  const own = socketPath === null ? { host: dialled ?? 'localhost', port: port ?? defaultPort } : { path: socketPath };
  return serverSocket(endpoint, defaultPort, own, keepAliveMilliseconds, signal, to.clock);
}
