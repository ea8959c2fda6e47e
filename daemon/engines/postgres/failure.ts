/**
 * Turns an error of PostgreSQL or the network into a DatabaseFailure: one sentence, without
 * connection string or password.
 */

import type { DatabaseError } from 'pg';
import type { DialProblem } from '../../../shared/dial-problems.ts';
import { dialProblemOf } from '../dial-error.ts';
import type { DatabaseFailure } from '../engine.ts';
import { tlsAlert, tlsReason } from '../tls-reason.ts';
import type { Watch } from './watch.ts';
import { DialRefused } from './wire/tls.ts';

/**
 * An ErrorResponse (PostgreSQL manual, 55.8) as `pg` passes it on; `severity` is never translated
 * (wire/bounded-stream.ts).
 */
export type ServerError = Pick<DatabaseError, 'severity' | 'code' | 'message' | 'detail' | 'hint' | 'position'>;

/** Says that nothing was run; `reason` is a clause without a full stop. */
export function notConnected(address: string, reason: string): Extract<DatabaseFailure, { kind: 'not_connected' }> {
  return { kind: 'not_connected', message: `Could not connect to PostgreSQL at ${address}: ${reason}.` };
}

const unknownDatabase = '3D000';

/** The server is starting or ending. Another server of the same database may work. */
const passing: ReadonlySet<unknown> = new Set(['57P01', '57P02', '57P03']);

/**
 * True if every server would refuse the sign-in for the same reason: a wrong password, an unknown
 * database.
 */
export function isEndOfTry(error: unknown): boolean {
  return isServerError(error) && !passing.has(error.code) && !refusesMore(error);
}

/**
 * True for invalid_password, and for invalid_authorization_specification, which PAM in clouds gives
 * for an expired token.
 */
export function refusesPassword(error: unknown): boolean {
  return isEndOfTry(error) && ['28P01', '28000'].includes(String((error as { readonly code?: unknown }).code));
}

/**
 * Why a dial failed. If only the named database doesn't exist, the server works, so the caller is
 * told nothing but that.
 */
export function dialFailure(address: string, error: unknown): DatabaseFailure {
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === unknownDatabase) {
    return { kind: 'query_failed', message: networkReason(error), code: unknownDatabase };
  }
  const reason = networkReason(error);
  if (refusesMore(error)) return { kind: 'busy', why: { who: 'server', said: reason, seconds: null } };
  const problem = problemOf(error);
  return {
    ...notConnected(address, reason),
    ...(isUnanswered(error) && { isUnanswered: true }),
    ...(problem !== null && { problem }),
  };
}

const invalidPassword = '28P01';
/** The server's own words: poolers give other codes than the server. */
const refusedPassword = /(?:password|SASL) authentication failed/;
/** pg_hba.conf has lines for encrypted sessions only: `… no encryption`, before 14 `… SSL off`. */
const wantsTls = /\bno encryption\b|\bSSL off\b/;

/** The problem, if a person can solve it; that of the first address if several were tried. */
export function problemOf(error: unknown): DialProblem | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return problemOf(error.errors[0]);
  if (isServerError(error)) {
    if (wantsTls.test(error.message)) return 'tls_wanted';
    const isRefused = error.code === invalidPassword || refusedPassword.test(error.message);
    return isRefused ? 'password_refused' : null;
  }
  const alert = tlsAlert(error);
  return alert === null ? dialProblemOf(error) : tlsReason(alert).problem;
}

const tooManyConnections = '53300';
/** Poolers give any code: PgBouncer protocol_violation, Supavisor internal_error. */
const saysTooMany = /^no more connections allowed|connections? exceeded|^MaxClients|too many (?:client )?connections/i;

/** True if the server, or a pooler, lets this role have no further session. */
export function refusesMore(error: unknown): boolean {
  if (error instanceof DialRefused) return error.isFor === 'full';
  if (!isServerError(error)) return false;
  return error.code === tooManyConnections || saysTooMany.test(error.message);
}

/** True if the line was closed, or stayed silent, instead of an answer. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof DialRefused) return error.isFor === 'unanswered';
  if (typeof error !== 'object' || error === null || isServerError(error)) return false;
  const code = 'code' in error ? error.code : null;
  return code === 'ECONNRESET' || code === 'EPIPE' || ('message' in error && error.message === closedUnanswered);
}

/** `pg`'s own words for a line that is closed during the sign-in. */
const closedUnanswered = 'Connection terminated unexpectedly';

function isServerError(error: unknown): error is ServerError {
  return typeof error === 'object' && error !== null && 'severity' in error && 'code' in error;
}

/** A client whose write is refused reads this, too: sending it again would be of no use. */
export const splitWarning =
  "A pooler in front of the server gives each statement another session, as PgBouncer's statement mode does: reads may work, writes, previews and approvals can't. Set pool_mode = transaction or session there.";

export function connectionLost(address: string, reason: string): DatabaseFailure {
  if (reason.includes('not allowed in statement pooling mode')) return { kind: 'unsupported', message: splitWarning };
  return { kind: 'not_connected', message: `The connection to PostgreSQL at ${address} was lost: ${reason}.` };
}

/** @param reason a clause without a full stop. */
export function outcomeUnknown(reason: string): DatabaseFailure {
  return { kind: 'outcome_unknown', reason };
}

/**
 * True if the server ends the session with this error (57P01 to 57P05, 08…). A function may raise
 * the same codes, but not as FATAL.
 */
export function isEndOfSession(error: ServerError): boolean {
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** PostgreSQL 17 and newer give this as FATAL: the session ends, and with it its transaction. */
const transactionTimeout = '25P04';

/**
 * The failure of what was not committed when a limit of the server's own ended the session; null if
 * something else ended it.
 */
export function endedByOwnLimit(code: string | undefined): DatabaseFailure | null {
  if (code !== transactionTimeout) return null;
  return { kind: 'server_limit', limit: 'transaction_timeout' };
}

export const readOnlyTransaction = '25006';
export const queryCanceled = '57014';
const lockNotAvailable = '55P03';
export const divisionByZero = '22012';

/**
 * True if the server doesn't know a catalog, function or column that is asked, or can't do it:
 * feature_not_supported, syntax_error_or_access_rule_violation, internal_error.
 */
export function lacksWhatIsAsked({ code }: ServerError): boolean {
  return /^(?:0A|42|XX)/.test(code ?? '');
}

/** @param watch knows the limits: 57014 tells a timeout from a cancel only in prose. */
export function statementFailure(error: ServerError, watch: Pick<Watch, 'endedBy'>): DatabaseFailure {
  const ended =
    error.code === queryCanceled
      ? watch.endedBy('statement')
      : error.code === lockNotAvailable
        ? watch.endedBy('lock')
        : null;
  if (ended !== null) return ended;
  if (error.code === readOnlyTransaction) return { kind: 'read_only', message: error.message };
  return { kind: 'query_failed', message: sentence(error), code: error.code ?? null };
}

function sentence(error: ServerError): string {
  const parts = [error.message || 'The server gave no reason.'];
  if (error.detail !== undefined) parts.push(`Detail: ${error.detail}`);
  if (error.hint !== undefined) parts.push(`Hint: ${error.hint}`);
  if (error.position !== undefined) parts.push(`At character ${error.position}.`);
  return parts.join('\n');
}

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the other side closed it',
  EPIPE: 'the other side closed it',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOENT: 'there is no such socket',
  EACCES: 'this user may not open the socket',
};

/**
 * Why the network failed, as a clause without a full stop; the first address's reason if several
 * were tried.
 */
export function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return networkReason(error.errors[0]);
  // In TLS 1.3 a server checks the client's certificate after the handshake.
  const alert = tlsAlert(error);
  if (alert !== null) return `TLS failed (${alert})${tlsReason(alert).why}`;
  const known = 'code' in error && typeof error.code === 'string' ? networkReasons[error.code] : undefined;
  if (known !== undefined) return known;
  return 'message' in error && typeof error.message === 'string' ? error.message.replace(/\.$/, '') : 'unknown reason';
}
