/**
 * How the session of each kind is set up and ended, in SQL of ours alone. A connection waits in the pool `ready`: read
 * only, with nothing of an earlier statement left; every kind starts from there.
 */

import { timeZoneOnMysql } from '../../access/time-zone.ts';
import type { Session } from '../../query/database.ts';
import type { ServerAnswer } from './answer.ts';
import { serverStatus } from './answer-packets.ts';
import { unknownVariable } from './failure.ts';
import type { Link, ServerKind } from './link.ts';
import { text } from './parameters.ts';

/** How long a statement of a `rollback` session waits for another's lock. */
const rollbackLockSeconds = 2;

/** Said where the session is not in the database it should be in; no server has a character set of that name. */
const anotherDatabase = 'another_database';

/**
 * Makes a dialled or just reset connection `ready`.
 * @returns a sentence where it is not as it must be: it is then thrown away
 */
export async function makeReady(link: Link, database: string | null): Promise<string | null> {
  const ask = async (sql: string): Promise<ServerAnswer> => (await link.query(sql)).answer;
  const { timeZone } = link.endpoint;
  const zone = timeZone === null ? [] : [`SESSION time_zone = ${text(timeZoneOnMysql(timeZone))}`];
  // The next statement most likely has the same limits as the last; a round trip less before its rows.
  const limits = link.timeLimits === null ? [] : [link.timeLimits];
  const readOnly = link.server === 'mariadb' ? 'SESSION tx_read_only = 1' : 'SESSION transaction_read_only = 1';
  const names = [charsetIn(database), ...zone].join(', ');
  // One statement for all of it: apart they took four round trips behind each read, a tenth of what a call costs.
  const together = await ask(`SET ${[names, readOnly, ...limits].join(', ')}`);
  if (together.kind === 'ok') return null;
  if (!lacksVariable(together)) return refusalOf(together, timeZone);
  for (const sql of [`SET ${names}`, 'SET SESSION TRANSACTION READ ONLY']) {
    const answer = await ask(sql);
    if (answer.kind !== 'ok') return refusalOf(answer, timeZone);
  }
  return link.timeLimits === null || isLimited(await ask(`SET ${link.timeLimits}`)) ? null : refused;
}

const refused = 'The server refused to set up the session.';
const unknownTimeZone = 1298;

function refusalOf(answer: ServerAnswer, timeZone: string | null): string {
  if (timeZone === null || answer.kind !== 'error' || answer.number !== unknownTimeZone) return refused;
  return `The server doesn't know the time zone ${timeZone}: fill its tables with mysql_tzinfo_to_sql, or give the connection an offset like +02:00.`;
}

/** A reset leaves a `USE` of the last statement in force: the server refuses the whole SET where it is in another database. */
function charsetIn(database: string | null): string {
  const isThere =
    database === null
      ? 'DATABASE() IS NULL'
      : `HEX(DATABASE()) <=> '${Buffer.from(database).toString('hex').toUpperCase()}'`;
  return `NAMES utf8mb4, SESSION character_set_results = IF(${isThere}, 'utf8mb4', '${anotherDatabase}')`;
}

/** Sends one statement of ours. */
export type Ask = (sql: string) => Promise<ServerAnswer>;

const readOnlyStatus = serverStatus.inTransaction | serverStatus.inReadOnlyTransaction;

/**
 * Opens the session a user's statement runs in, from `ready`. Each step must succeed before the next is sent, as each
 * is a part of the wall.
 * @param xid not to be guessed: whoever knows it can end the transaction
 * @param mayCommit a statement that commits by itself goes on in a transaction of the session's own kind
 * @returns the first answer that is no success, or the last
 */
export async function beginSession(
  ask: Ask,
  link: Link,
  kind: Session,
  timeoutSeconds: number,
  xid: string,
  mayCommit: boolean,
): Promise<ServerAnswer> {
  const limited = await limit(ask, link, kind, timeoutSeconds);
  if (limited !== null && !isLimited(limited)) return limited;
  if (kind === 'read') return beginRead(ask, link, xid);
  const isPlain = kind === 'write' || (kind === 'rollback' && link.lacksXa);
  if (isPlain && !mayCommit) return ask('START TRANSACTION READ WRITE');
  const writable = await ask('SET SESSION TRANSACTION READ WRITE');
  if (writable.kind !== 'ok' || kind === 'alone') return writable;
  if (isPlain) return ask('START TRANSACTION');
  const begun = await ask(`XA START '${xid}'`);
  if (!refusesXa(begun)) return begun;
  // What is rehearsed are data changes, which can't commit by themselves: the plain one holds them as well.
  link.lacksXa = true;
  return ask('START TRANSACTION');
}

/**
 * Prepares a `ready` connection for questions of ours to the catalog, which open no transaction: each can't write by itself.
 * @param rested a connection that may have died in the pool is asked something that is answered at once
 */
export async function beginLookUps(
  ask: Ask,
  link: Link,
  timeoutSeconds: number,
  rested: boolean,
): Promise<ServerAnswer | null> {
  const limited = await limit(ask, link, 'read', timeoutSeconds);
  if (limited !== null) return isLimited(limited) ? null : limited;
  const alive = rested ? await ask('DO 0') : null;
  return alive === null || alive.kind === 'ok' ? null : alive;
}

/** Null where the limits are in force already. */
async function limit(ask: Ask, link: Link, kind: Session, timeoutSeconds: number): Promise<ServerAnswer | null> {
  const wanted = timeLimits(kind, link.server, timeoutSeconds);
  if (link.timeLimits === wanted) return null;
  const limits = await ask(`SET ${wanted}`);
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

/**
 * Inside an XA transaction the server refuses COMMIT, ROLLBACK, another BEGIN, LOCK TABLES, FLUSH and every statement
 * that commits by itself, in compound statements too, where a plain read-only transaction lets them all pass. Servers
 * without XA (Galera, TiDB) get the plain one.
 */
async function beginRead(ask: Ask, link: Link, xid: string): Promise<ServerAnswer> {
  if (link.lacksXa) return ask('START TRANSACTION READ ONLY');
  const begun = await ask(`XA START '${xid}'`);
  if (begun.kind === 'ok') {
    if ((begun.status & readOnlyStatus) === readOnlyStatus) return begun;
    // A server whose XA transactions don't say that they are read only.
    for (const sql of [`XA END '${xid}'`, `XA ROLLBACK '${xid}'`]) {
      const left = await ask(sql);
      if (left.kind !== 'ok') return left;
    }
  } else if (begun.kind !== 'error') return begun;
  link.lacksXa = refusesXa(begun);
  return ask('START TRANSACTION READ ONLY');
}

/** Galera (1235, not supported), and servers that don't know the words (1064). */
function refusesXa(answer: ServerAnswer): boolean {
  return answer.kind === 'error' && [1235, 1064].includes(answer.number);
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
  if (answer.kind !== 'ok') return answer.kind === 'error';
  return kind !== 'read' || (answer.status & readOnlyStatus) === readOnlyStatus;
}

function timeLimits(kind: Session, server: ServerKind, timeoutSeconds: number): string {
  // Whole seconds, and later than the statement's own limit, which tells better what happened.
  const lockSeconds = kind === 'rollback' ? rollbackLockSeconds : Math.ceil(timeoutSeconds) + 1;
  const statement =
    server === 'mariadb'
      ? `max_statement_time = ${timeoutSeconds}`
      : `max_execution_time = ${Math.ceil(timeoutSeconds * 1000)}`;
  return `SESSION ${statement}, SESSION lock_wait_timeout = ${lockSeconds}, SESSION innodb_lock_wait_timeout = ${lockSeconds}`;
}
