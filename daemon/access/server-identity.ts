/**
 * Judges how a server lets us sign in, before a password is shown to it (spec §6): by what the same
 * place has shown before, as ssh does with host keys. Pure; sees no password, socket or file.
 */

import { methodClasses, type serverProofs } from '../../shared/words.ts';
import type { Tls } from './connection.ts';

/** `tls`: encrypted, and nobody has verified the certificate. */
export type LineKind = 'socket' | 'clear' | 'tls' | 'verified';

/**
 * What a method does with the password, worst first. `guessable`: who hears it can try passwords
 * offline. `legacy`: the same by SHA-1, as `mysql_native_password`, which has successors. `proves`:
 * the server shows that it knows the password too. `proves_line`: and that it is the other end of
 * this TLS line, so nobody is between.
 */
export type MethodClass = (typeof methodClasses)[number];

export interface SignInStep {
  readonly line: LineKind;
  readonly method: MethodClass;
  /**
   * SHA-256 in base64 of what the password is shown to: the public key of the certificate (RFC 5280
   * SubjectPublicKeyInfo), or the server's RSA key. Null for none.
   */
  readonly key: string | null;
  /** True if the server may make its key anew at each start, so this sign-in keeps none. */
  readonly isPassing?: boolean;
  /** uid of the socket file's owner; null for TCP. */
  readonly socketOwner: number | null;
  /**
   * `pending`: the method may still prove the line in its last message, as MariaDB does. `wrong`:
   * it proved another line, so somebody is between. Absent if neither.
   */
  readonly proof?: 'pending' | 'wrong';
}

/** The best that a place has shown. */
export interface KnownServer {
  readonly isEncrypted: boolean;
  readonly method: MethodClass;
  /** Newest last. */
  readonly keys: readonly string[];
  readonly socketOwner: number | null;
  /** The one address that `localhost` stands for; null for other hosts. */
  readonly address: string | null;
  /** ISO 8601, of its first sign-in; null if the record can't be read. */
  readonly since: string | null;
}

/**
 * By what a server must show at each sign-in that it is still the same one. `line`: it knows the
 * password and is the other end of its TLS line; `password`: it knows the password. `nothing`: who
 * answers in its place is let in, if it asks for no less.
 */
export type ServerProof = (typeof serverProofs)[number];

export type IdentityRefusal =
  /** The method shows the password, and nothing tells who would read it. */
  | 'password_would_show'
  /** As above, before anybody has tested the connection. */
  | 'not_tested'
  | 'another_key'
  /** Its key was not shown when the connection was tested. */
  | 'unknown_key'
  | 'another_owner'
  | 'tls_gone'
  | 'binding_gone'
  | 'weaker_method'
  | 'asks_nothing'
  | 'relayed';

const mostKeys = 8;

/**
 * @param known null for a place where nobody has signed in.
 * @param mayPin true while a person saves, tests or trusts it: what is shown then is kept.
 * @param isTlsWished false if the connection's mode is `disable`, which a person has confirmed.
 */
export function refusalOfStep(
  known: KnownServer | null,
  step: SignInStep,
  mayPin: boolean,
  isTlsWished: boolean,
): IdentityRefusal | null {
  const isTls = step.line === 'tls' || step.line === 'verified';
  const hasProvedLine = known?.method === 'proves_line';
  if (isTls && step.method === 'proves' && hasProvedLine) return 'binding_gone';
  if (step.proof === 'wrong' && (step.line !== 'verified' || hasProvedLine)) return 'relayed';
  if (step.line === 'verified') return known === null ? null : refusalOfVerified(known, step);
  if (known === null) return refusalOfFirst(step, mayPin);
  // The file's owner proves who listens, as no other user can make a file that is owned so.
  if (step.line === 'socket' && known.socketOwner !== null)
    return step.socketOwner === known.socketOwner ? null : 'another_owner';
  if (known.isEncrypted && step.line === 'clear' && isTlsWished) return 'tls_gone';
  if (step.method === 'asks_nothing') return known.method === 'asks_nothing' ? null : 'asks_nothing';
  if (step.method === 'reveals') {
    if (step.key !== null && known.keys.includes(step.key)) return null;
    // Not even in a test: any program can run one, and answer it.
    if (known.keys.length > 0) return 'another_key';
    return step.key === null ? 'password_would_show' : 'unknown_key';
  }
  if (step.line === 'tls' && mayYetProve(known, step)) return null;
  if (isAnotherKey(known, step)) return 'another_key';
  return isWeaker(known, step) ? 'weaker_method' : null;
}

function isWeaker(known: KnownServer, step: SignInStep): boolean {
  // MySQL takes the password itself where an account has the successors of SHA-1.
  if (step.method === 'legacy' && known.method === 'reveals')
    return step.key === null || !known.keys.includes(step.key);
  return rank(step.method) < Math.min(rank(known.method), rank('proves'));
}

/**
 * The certificate has proved who is there. But any certificate of the authority passes `verify-ca`,
 * and others may have one: what was proved without it must be proved again. An account that only
 * ever gave an answer may be asked for the password itself, as MySQL does after a restart.
 */
function refusalOfVerified(known: KnownServer, step: SignInStep): IdentityRefusal | null {
  if (step.method === 'asks_nothing' && known.method !== 'asks_nothing') return 'asks_nothing';
  if (rank(known.method) < rank('proves') || mayYetProve(known, step)) return null;
  return rank(step.method) < rank('proves') ? 'weaker_method' : null;
}

function mayYetProve(known: KnownServer, step: SignInStep): boolean {
  return step.proof === 'pending' && known.method === 'proves_line';
}

/**
 * True if another server may stand between: its key is not a known one. That counts also for a
 * server that only asks for what can be guessed. One that proves itself may have a new certificate.
 */
function isAnotherKey({ keys, isEncrypted }: KnownServer, { line, key, method }: SignInStep): boolean {
  if (line !== 'tls' || !isEncrypted || keys.length === 0) return false;
  if (method === 'proves' || method === 'proves_line') return false;
  return key === null || !keys.includes(key);
}

function refusalOfFirst({ method, key, socketOwner }: SignInStep, mayPin: boolean): IdentityRefusal | null {
  if (method === 'asks_nothing') return mayPin ? null : 'not_tested';
  if (method !== 'reveals') return null;
  if (key === null && socketOwner === null) return 'password_would_show';
  return mayPin ? null : 'not_tested';
}

/**
 * What is known of a server after a sign-in that was not refused.
 * @param at ISO 8601.
 */
export function knownAfter(
  known: KnownServer | null,
  step: SignInStep,
  mayPin: boolean,
  address: string | null,
  at: string,
): KnownServer {
  // An impostor that only takes what can be guessed must not add its own key.
  const isCertain = step.line === 'verified' || step.method === 'proves_line' || (known === null && mayPin);
  const keys = known?.keys ?? [];
  const isKept = isCertain && step.isPassing !== true;
  const added = step.key === null || !isKept || keys.includes(step.key) ? [] : [step.key];
  return {
    isEncrypted: known?.isEncrypted === true || step.line === 'tls' || step.line === 'verified',
    method: known !== null && rank(known.method) > rank(step.method) ? known.method : step.method,
    keys: [...keys, ...added].slice(-mostKeys),
    socketOwner: known?.socketOwner ?? step.socketOwner,
    address: known?.address ?? address,
    since: known === null ? at : known.since,
  };
}

export function proofOf(
  { method, isEncrypted, keys }: KnownServer,
  isSocket: boolean,
  tls: Pick<Tls, 'mode' | 'caFile'>,
): ServerProof {
  if (isSocket) return 'socket_owner';
  if (provesServer(tls)) return 'certificate';
  const isTls = isEncrypted && tls.mode !== 'disable';
  if (method === 'proves_line' && isTls) return 'line';
  if (method === 'proves' || method === 'proves_line') return 'password';
  // Without TLS a key guards the password alone.
  return keys.length > 0 && isTls ? 'key' : 'nothing';
}

/**
 * True if a handshake in that mode proves who the server is. One of the system's authorities gives
 * anybody a certificate, for a name of his own; so without the name it proves nothing.
 */
export function provesServer({ mode, caFile }: Pick<Tls, 'mode' | 'caFile'>): boolean {
  return mode === 'verify-full' || (mode === 'verify-ca' && caFile !== null);
}

function rank(method: MethodClass): number {
  return methodClasses.indexOf(method);
}
