/**
 * Dials one connection: its servers in turn, password, CA, TLS mode. Decides when clear text is
 * allowed; knows nothing of pooling or sessions. Reads neither `~/.my.cnf` nor the environment.
 */

import type { DialProblem } from '../../../shared/dial-problems.ts';
import { isLocalhost } from '../../../shared/server-hosts.ts';
import type { Endpoint } from '../../access/connection.ts';
import type { SignInStep } from '../../access/server-identity.ts';
import { readAuthority } from '../certificate-authority.ts';
import { readClientCertificate } from '../client-certificate.ts';
import type { Answer, DatabasePorts } from '../engine.ts';
import { anotherPassword } from '../refused-password.ts';
import { cellsOf, type RowText } from '../row-text.ts';
import type { IdentityOf, ServerIdentity } from '../server-identity.ts';
import { toldByTunnel } from '../server-socket.ts';
import type { ServersInTurn } from '../servers-in-turn.ts';
import { unknownServer } from '../unknown-server.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { addressOf, dialFailure, isEndOfTry, noTlsFailure, notConnected, refusesPassword } from './failure.ts';
import type { Destination } from './run/destination.ts';
import type { Session } from './session.ts';
import { fingerprintOf, rsaKeyIn } from './wire/server-key.ts';
import { handshake, type SignedIn } from './wire/sign-in.ts';
import type { TlsWish } from './wire/tls.ts';

/** @param at one of the connection's servers; null for the first that answers. */
export type Dial = (
  to: Destination,
  timeoutSeconds: number,
  signal: AbortSignal,
  at: Endpoint | null,
) => Promise<Answer<Session>>;

interface Wanted {
  readonly to: Destination;
  readonly password: string | null;
  readonly identityOf: IdentityOf;
}

interface Tried {
  readonly answer: Answer<Session>;
  /** True if the server says that the password is wrong. */
  readonly isRefused: boolean;
  /** True if no other server is to be tried. */
  readonly isEnd: boolean;
}

export function dialer(servers: ServersInTurn, ports: DatabasePorts): Dial {
  return async (to, timeoutSeconds, signal, at) => {
    if (to.clock !== undefined) to.clock.stage = 'password';
    const password = await unlessAborted(ports.password(), signal).then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (signal.aborted) return { kind: 'cancelled' };
    if ('error' in password) return dialFailure(servers.endpoint, password.error);
    const dial = (value: string | null): ReturnType<typeof dialInTurn> =>
      dialInTurn(
        servers,
        { to, password: value, identityOf: ports.identity ?? unknownServer },
        timeoutSeconds,
        signal,
        at,
      );
    const first = await dial(password.value);
    if (!first.isRefused) return first.answer;
    const other = await anotherPassword(ports, password.value, signal).then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (signal.aborted) return { kind: 'cancelled' };
    if ('error' in other) return dialFailure(servers.endpoint, other.error);
    if (other.value === null) return first.answer;
    return (await dial(other.value)).answer;
  };
}

async function dialInTurn(
  servers: ServersInTurn,
  wanted: Wanted,
  timeoutSeconds: number,
  signal: AbortSignal,
  at: Endpoint | null,
): Promise<Pick<Tried, 'answer' | 'isRefused'>> {
  const inTurn = at === null ? servers.inTurn : [at];
  const reasons: string[] = [];
  let problem: DialProblem | null = null;
  let full: Tried | null = null;
  for (const server of inTurn) {
    const share = timeoutSeconds / inTurn.length;
    const tried = await tryOne(server, wanted, share, signal, inTurn.length > 1);
    const { answer: result, isEnd } = tried;
    if (signal.aborted) {
      if (result.kind === 'done') result.value.destroy();
      return notEnd({ kind: 'cancelled' });
    }
    if (result.kind === 'done' && at === null) servers.answered(server);
    const isPassed = result.kind === 'not_connected' || result.kind === 'busy';
    if (!isPassed || isEnd || inTurn.length === 1) return tried;
    if (result.kind === 'busy') full = tried;
    else problem ??= result.problem ?? null;
    reasons.push(result.kind === 'busy' ? `${addressOf(server)} takes no further connection.` : result.message);
  }
  return full ?? notEnd(notConnected(`None of the ${inTurn.length} servers answers. ${reasons.join(' ')}`, problem));
}

/**
 * @param isOneOfSeveral skips a server that hangs after its greeting or is cut off from its
 *   cluster.
 */
async function tryOne(
  server: Endpoint,
  { to, password, identityOf }: Wanted,
  timeoutSeconds: number,
  signal: AbortSignal,
  isOneOfSeveral: boolean,
): Promise<Tried> {
  const late = isOneOfSeveral ? AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000)) : null;
  const either = late === null ? signal : AbortSignal.any([signal, late]);
  try {
    const ca = await readAuthority(server.tls);
    const client = await readClientCertificate(server.tls);
    const host = server.host ?? 'localhost';
    const identity = identityOf(server);
    // A tunnel has its own address for `localhost`.
    const isChosen = server.line === undefined && server.socketPath === null && isLocalhost(host);
    const address = isChosen ? identity.chosenAddress() : null;
    const attempt = (wish: TlsWish | null) =>
      handshake({ endpoint: server, address, to, password, wish, identity, timeoutSeconds }, either);
    const { mode } = server.tls;
    let result = await attempt(mode === 'disable' ? null : { mode, host, ca, client });
    // The server's greeting says that it has no TLS. A failed handshake never leads here.
    if (result.kind === 'no_tls' && mode === 'prefer') result = await attempt(null);
    if (result.kind === 'no_tls') return notEnd(noTlsFailure(server));
    if (result.kind === 'failed') {
      const told = await toldByTunnel(server, result.error);
      return { answer: dialFailure(server, told), isRefused: refusesPassword(told), isEnd: isEndOfTry(told) };
    }
    if (result.kind === 'done') {
      const { session } = result.value;
      if (password !== null) await believed(identity, result.value, isChosen);
      if (late !== null && (await isCutOff(session, late)))
        return notEnd(notConnected(`The server at ${addressOf(server)} is cut off from its cluster.`));
      if (!late?.aborted) return notEnd({ kind: 'done', value: session });
      session.destroy();
    } else if (!late?.aborted) return notEnd(result);
    return notEnd(notConnected(`The server at ${addressOf(server)} did not answer in time.`));
  } catch (error) {
    if (signal.aborted) return notEnd({ kind: 'cancelled' });
    return { answer: dialFailure(server, error), isRefused: false, isEnd: isEndOfTry(error) };
  }
}

function notEnd(answer: Answer<Session>): Tried {
  return { answer, isRefused: false, isEnd: false };
}

/**
 * A Galera node without its cluster accepts sessions and refuses each statement; this ends the
 * session to such a node. A MariaDB outside a cluster isn't "ready" either, and names no provider.
 */
async function isCutOff(session: Session, late: AbortSignal): Promise<boolean> {
  const stop = (): void => session.destroy();
  late.addEventListener('abort', stop, { once: true });
  const status = new Map<unknown, unknown>();
  const row = (given: RowText): boolean => {
    const [name, value] = cellsOf(given);
    status.set(name, value);
    return true;
  };
  await session.query("SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_provider_name', 'wsrep_ready')", {
    columns: () => {},
    row,
  });
  late.removeEventListener('abort', stop);
  const isIn = (status.get('wsrep_provider_name') ?? '') !== '';
  const isCutOff = isIn && status.get('wsrep_ready') === 'OFF';
  if (isCutOff) session.destroy();
  return isCutOff;
}

/** Rejects, and ends the session, if what the server has shown is less than before. */
async function believed(identity: ServerIdentity, { session, ...shown }: SignedIn, isChosen: boolean): Promise<void> {
  try {
    const step = identity.wantsKey() ? await withRsaKey(session, shown.step) : shown.step;
    await identity.signedIn(step, isChosen ? shown.address : null);
  } catch (error) {
    session.destroy();
    throw error;
  }
}

/**
 * Without TLS a server may ask for the password under its RSA key another day, which a quick
 * sign-in doesn't show. MariaDB has no such key.
 */
async function withRsaKey(session: Session, step: SignInStep): Promise<SignInStep> {
  if (step.line !== 'clear' || step.method !== 'guessable') return step;
  let pem = '';
  const row = (given: RowText): boolean => {
    pem = `${cellsOf(given)[1] ?? ''}`;
    return true;
  };
  await session.query("SHOW STATUS LIKE 'Caching_sha2_password_rsa_public_key'", { columns: () => {}, row });
  return pem === '' ? step : { ...step, key: fingerprintOf(rsaKeyIn(Buffer.from(pem))) };
}
