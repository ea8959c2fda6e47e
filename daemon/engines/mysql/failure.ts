/**
 * Words failures for the port: the server's errors, a broken connection, a failed dial. Messages
 * are the server's own; they never hold a password or connection string.
 */

import type { DialProblem } from '../../../shared/dial-problems.ts';
import { hostsShown } from '../../../shared/server-hosts.ts';
import type { Endpoint } from '../../access/connection.ts';
import { dialProblemOf } from '../dial-error.ts';
import type { DatabaseFailure, SessionKind } from '../engine.ts';
import { IdentityRefused } from '../server-identity.ts';
import { tlsAlert, tlsReason, tlsWords } from '../tls-reason.ts';
import type { Watch } from './watch.ts';
import type { ServerError } from './wire/answer-packets.ts';
import { Refused } from './wire/authentication.ts';
import { closedUnanswered } from './wire/handshake-line.ts';
import { UnknownMethod } from './wire/methods.ts';
import { ProtocolViolation } from './wire/packets.ts';
import { lateCode } from './wire/sign-in.ts';

/** Error numbers from MySQL's and MariaDB's `mysqld_error.h`. */
export const readOnlyTransaction = 1792;
const refusedInXa = 1399;
/** One of several options prevents it, such as `read_only` and MySQL's `super_read_only`. */
const optionPrevents = 1290;
/** MySQL, with `innodb_read_only`. */
const readOnlyMode = 1836;
const statementTimeouts: ReadonlySet<number> = new Set([1969 /* MariaDB */, 3024 /* MySQL */]);
const lockTimeout = 1205;
const wrongPassword: ReadonlySet<number> = new Set([1045, 1698]);
/** The server works: the user has no right to the database, or it doesn't exist. */
const lackOfDatabase: ReadonlySet<number> = new Set([1044, 1049]);
/** Too many connections: of all accounts, of this account at once, by this account's own limits. */
const tooManyConnections: ReadonlySet<number> = new Set([1040, 1203, 1226]);
/** The server doesn't know this variable. */
export const unknownVariable = 1193;

export function serverFailure(
  error: ServerError,
  session: SessionKind | null,
  watched: Pick<Watch, 'endedBy'>,
): DatabaseFailure {
  const limit = statementTimeouts.has(error.number) ? 'statement' : error.number === lockTimeout ? 'lock' : null;
  // A statement may also have such a limit of its own.
  const ended = limit === null ? null : watched.endedBy(limit);
  if (ended !== null) return ended;
  const isReadOnlyServer = error.number === optionPrevents && /--(?:super-)?read-only\b/.test(error.message);
  if (isReadOnlyServer || error.number === readOnlyMode || (session === 'read' && error.number === readOnlyTransaction))
    return { kind: 'read_only', message: error.message };
  if (session === 'read' && error.number === refusedInXa) {
    return { kind: 'read_only', message: 'The server refuses this statement in a session that only reads.' };
  }
  if (session === 'rollback' && error.number === refusedInXa) {
    const message = 'This statement commits by itself, so it cannot be tried and rolled back.';
    return { kind: 'unsupported', message };
  }
  return { kind: 'query_failed', message: error.message, code: `${error.number}` };
}

export function notConnected(message: string, problem: DialProblem | null = null): NotConnected {
  return { kind: 'not_connected', message, ...(problem !== null && { problem }) };
}

type NotConnected = Extract<DatabaseFailure, { kind: 'not_connected' }>;

/** @param error thrown by the handshake, a socket, a file or the password source. */
export function dialFailure(endpoint: Endpoint, error: unknown): DatabaseFailure {
  const { code, message } = wordsOf(error);
  const text = message === '' ? code : message;
  const where = addressOf(endpoint);
  if (error instanceof UnknownMethod) {
    return notConnected(
      `The server at ${where} asks for ${message}, a way to log in that is not supported: use another user.`,
    );
  }
  if (error instanceof IdentityRefused)
    return notConnected(`Could not sign in to ${where}: ${message}.`, error.problem);
  if (error instanceof Refused && lackOfDatabase.has(error.number))
    return { kind: 'query_failed', message: text, code: `${error.number}` };
  if (error instanceof Refused && tooManyConnections.has(error.number))
    return { kind: 'busy', why: { who: 'server', said: text, seconds: null } };
  if (error instanceof ProtocolViolation)
    return notConnected(`Could not sign in to ${where}, as its server broke the MySQL protocol: ${message}.`);
  const alert = typeof error === 'object' && error !== null ? tlsAlert(error) : null;
  if (alert !== null) {
    const { why, problem } = tlsReason(alert);
    return notConnected(`TLS with ${where} failed: ${alert}${why}.`, problem);
  }
  switch (code) {
    case 'HANDSHAKE_SSL_ERROR': {
      const { why, problem } = tlsReason(text);
      return notConnected(`The TLS handshake with ${where} failed: ${tlsWords(text)}${why}.`, problem);
    }
    case lateCode:
      return { ...notConnected(`The server at ${where} did not answer ${text} in time.`), isUnanswered: true };
    case 'ETIMEDOUT':
      return { ...notConnected(`The server at ${where} did not answer in time.`), isUnanswered: true };
    case 'ECONNREFUSED':
    case 'ENOENT':
      return notConnected(`No server listens at ${where}.`);
    default: {
      // Advice may follow.
      const why = text === '' ? 'no reason given' : text.replace(/\.$/, '');
      const failure = notConnected(`Could not connect to ${where}: ${why}.`, problemOf(endpoint, error));
      const isClosed = code === 'ECONNRESET' || code === 'EPIPE' || message === closedUnanswered;
      return isClosed ? { ...failure, isUnanswered: true } : failure;
    }
  }
}

const needsTls = 3159;

/** The server's own words tell whether a password was sent. */
const withPassword = /using password: YES/;

function problemOf({ tls }: Endpoint, error: unknown): DialProblem | null {
  if (!(error instanceof Refused)) return dialProblemOf(error);
  if (error.number === needsTls) return 'tls_wanted';
  if (!refusesPassword(error)) return null;
  return tls.mode === 'disable' && withPassword.test(error.message) ? 'password_or_tls_refused' : 'password_refused';
}

/**
 * True if every server of the connection would answer the same: several wrong passwords in a row
 * may lock an account.
 */
export function isEndOfTry(error: unknown): boolean {
  return (
    error instanceof IdentityRefused ||
    refusesPassword(error) ||
    (error instanceof Refused && lackOfDatabase.has(error.number))
  );
}

export function refusesPassword(error: unknown): boolean {
  return error instanceof Refused && wrongPassword.has(error.number);
}

export function noTlsFailure(endpoint: Endpoint): DatabaseFailure {
  return notConnected(
    `The server at ${addressOf(endpoint)} offers no TLS, which this connection's TLS mode asks for.`,
    'no_tls',
  );
}

export function addressOf(endpoint: Endpoint): string {
  return endpoint.socketPath ?? hostsShown(endpoint.host ?? 'localhost', endpoint.port ?? 3306);
}

/** By shape: `instanceof` fails for Node's own errors from another realm. */
function wordsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    code: 'code' in error ? text(error.code) : '',
    message: 'message' in error ? text(error.message) : '',
  };
}
