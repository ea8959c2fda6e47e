/**
 * How the session of each kind is set up and ended, in SQL of ours alone. A connection waits in the
 * pool `ready`: read only, with nothing of an earlier statement left; every kind starts from there.
 */

import { timeZoneOnMysql } from '../../../access/time-zone.ts';
import type { Session } from '../../engine.ts';
import { unknownVariable } from '../failure.ts';
import type { Link, ServerKind } from '../link.ts';
import type { ServerAnswer } from '../wire/answer.ts';
import { text } from './parameters.ts';
import {
  beginRead,
  isInReadOnlyTransaction,
  leaveWaitingRead,
  neverAnswered,
  refusesXa,
  resetAndBeginRead,
} from './read-transaction.ts';

/** How long a statement of a `rollback` session waits for another's lock. */
const rollbackLockSeconds = 2;
/**
 * A trial that waits for nothing is in no deadlock, of which InnoDB kills the smaller transaction.
 * MySQL knows no less than a second.
 */
const trialLockSeconds = { mariadb: 0, mysql: 1 } as const;

/**
 * Said where the session is not in the database it should be in; no server has a character set of
 * that name.
 */
const anotherDatabase = 'another_database';

/**
 * What leaves something behind on a connection: a statement that ran, or the command sent next,
 * with which the reset then travels; null for nothing.
 */
type Used = 'by a statement' | 'by the next command' | null;

/**
 * Makes a connection `ready`.
 * @param used a statement ran on it: it is reset before, and on MariaDB the transaction of the next
 * read begins behind that
 * @returns a sentence where it is not as it must be: it is then thrown away
 */
export async function makeReady(link: Link, database: string | null, used: Used): Promise<string | null> {
  const { timeZone } = link.endpoint;
  const zone = timeZone === null ? [] : [`SESSION time_zone = ${text(timeZoneOnMysql(timeZone))}`];
  // The next statement most likely has the same limits as the last; a round trip less before its
  // rows.
  const limits = link.timeLimits === null ? [] : [link.timeLimits];
  const readOnly = link.server === 'mariadb' ? 'SESSION tx_read_only = 1' : 'SESSION transaction_read_only = 1';
  const names = [charsetIn(database), ...zone].join(', ');
  // One statement for all of it: apart they took four round trips behind each read, a tenth of what
  // a call costs.
  const together = `SET ${[names, readOnly, ...limits].join(', ')}`;
  const set = used === null ? await link.ask(together) : await resetAnd(link, together, used);
  if (set.kind === 'ok') return null;
  if (!lacksVariable(set)) return refusalOf(set, timeZone);
  for (const sql of [`SET ${names}`, 'SET SESSION TRANSACTION READ ONLY']) {
    const answer = await link.ask(sql);
    if (answer.kind !== 'ok') return refusalOf(answer, timeZone);
  }
  return link.timeLimits === null || isLimited(await link.ask(`SET ${link.timeLimits}`)) ? null : refused;
}

/**
 * MariaDB's own connectors send commands without waiting for the answers to those before; MySQL's
 * wait, and Aurora hangs otherwise.
 * @returns the answer to the SET, or the first before it that is no success
 */
async function resetAnd(link: Link, set: string, used: Used): Promise<ServerAnswer> {
  if (link.server === 'mariadb' && !link.lacksXa) return resetAndBeginRead(link, set, used === 'by the next command');
  const [reset = neverAnswered] = await link.reset();
  return reset.kind === 'ok' ? link.ask(set) : reset;
}

const refused = 'The server refused to set up the session.';
const unknownTimeZone = 1298;

function refusalOf(answer: ServerAnswer, timeZone: string | null): string {
  if (timeZone === null || answer.kind !== 'error' || answer.number !== unknownTimeZone) return refused;
  return `The server doesn't know the time zone ${timeZone}: fill its tables with mysql_tzinfo_to_sql, or give the connection an offset like +02:00.`;
}

/**
 * A reset leaves a `USE` of the last statement in force: the server refuses the whole SET where it
 * is in another database.
 */
function charsetIn(database: string | null): string {
  const isThere =
    database === null
      ? 'DATABASE() IS NULL'
      : `HEX(DATABASE()) <=> '${Buffer.from(database).toString('hex').toUpperCase()}'`;
  return `NAMES utf8mb4, SESSION character_set_results = IF(${isThere}, 'utf8mb4', '${anotherDatabase}')`;
}

interface HowToBegin {
  /** A connection that may have died in the pool. */
  readonly rested: boolean;
  /** Not to be guessed. */
  readonly xid: string;
  /** A statement that commits by itself goes on in a transaction of the session's own kind. */
  readonly mayCommit: boolean;
  /** A trial, which waits for nobody. */
  readonly givesWay: boolean;
}

/**
 * Opens the session a user's statement runs in, from `ready`. Each step must succeed before the
 * next is sent, as each is a part of the wall.
 * @returns the first answer that is no success, or the last; null where nothing had to be asked
 */
export async function beginSession(
  link: Link,
  kind: Session,
  timeoutSeconds: number,
  { rested, xid, mayCommit, givesWay }: HowToBegin,
): Promise<ServerAnswer | null> {
  if (kind === 'read' && link.waitingRead !== null) {
    link.waitingRead = null;
    return limitOrWake(link, timeoutSeconds, rested);
  }
  leaveWaitingRead(link);
  const limited = await limit(link, kind, timeoutSeconds, givesWay);
  if (limited !== null && !isLimited(limited)) return limited;
  if (kind === 'read') return beginRead(link, xid);
  const isPlain = kind === 'write' || (kind === 'rollback' && link.lacksXa);
  if (isPlain && !mayCommit) return link.ask('START TRANSACTION READ WRITE');
  const writable = await link.ask('SET SESSION TRANSACTION READ WRITE');
  if (writable.kind !== 'ok' || kind === 'alone') return writable;
  if (isPlain) return link.ask('START TRANSACTION');
  const begun = await link.ask(`XA START '${xid}'`);
  if (!refusesXa(begun)) return begun;
  // What is rehearsed are data changes, which can't commit by themselves: the plain one holds them
  // as well.
  link.lacksXa = true;
  return link.ask('START TRANSACTION');
}

/**
 * Prepares a `ready` connection for questions of ours to the catalog, which open no transaction:
 * each can't write by itself.
 * @param rested a connection that may have died in the pool
 * @returns what went wrong
 */
export function beginLookUps(link: Link, timeoutSeconds: number, rested: boolean): Promise<ServerAnswer | null> {
  leaveWaitingRead(link);
  return limitOrWake(link, timeoutSeconds, rested);
}

/** A connection that rested is asked something that is answered at once, for it may have died. */
async function limitOrWake(link: Link, timeoutSeconds: number, rested: boolean): Promise<ServerAnswer | null> {
  const limited = await limit(link, 'read', timeoutSeconds);
  if (limited !== null) return isLimited(limited) ? null : limited;
  const awake = rested ? await link.ask('DO 0') : null;
  return awake?.kind === 'ok' ? null : awake;
}

/** Null where the limits are in force already. */
async function limit(
  link: Link,
  kind: Session,
  timeoutSeconds: number,
  givesWay = false,
): Promise<ServerAnswer | null> {
  const wanted = timeLimits(kind, link.server, timeoutSeconds, givesWay);
  if (link.timeLimits === wanted) return null;
  const limits = await link.ask(`SET ${wanted}`);
  if (isLimited(limits)) link.timeLimits = wanted;
  return limits;
}

/** A server without such limits has our own clock behind it. */
function isLimited(answer: ServerAnswer): boolean {
  return answer.kind === 'ok' || lacksVariable(answer);
}

function lacksVariable(answer: ServerAnswer): boolean {
  return answer.kind === 'error' && answer.number === unknownVariable;
}

/** The statements after the user's, where it succeeded. */
export function ending(kind: Session, { lacksXa }: Link, xid: string): readonly string[] {
  switch (kind) {
    case 'read':
    case 'alone':
      return [];
    case 'write':
      return ['COMMIT'];
    case 'rollback':
      return lacksXa ? ['ROLLBACK'] : [`XA END '${xid}'`, `XA ROLLBACK '${xid}'`];
  }
}

/** Whether the transaction is the one we opened. */
export function isAsWeLeftIt(kind: Session, answer: ServerAnswer): boolean {
  return answer.kind === 'error' || (answer.kind === 'ok' && (kind !== 'read' || isInReadOnlyTransaction(answer)));
}

function timeLimits(kind: Session, server: ServerKind, timeoutSeconds: number, givesWay: boolean): string {
  // Whole seconds, and later than the statement's own limit, which tells better what happened.
  const lockSeconds = givesWay
    ? trialLockSeconds[server]
    : kind === 'rollback'
      ? rollbackLockSeconds
      : Math.ceil(timeoutSeconds) + 1;
  const statement =
    server === 'mariadb'
      ? `max_statement_time = ${timeoutSeconds}`
      : `max_execution_time = ${Math.ceil(timeoutSeconds * 1000)}`;
  return `SESSION ${statement}, SESSION lock_wait_timeout = ${lockSeconds}, SESSION innodb_lock_wait_timeout = ${lockSeconds}`;
}
