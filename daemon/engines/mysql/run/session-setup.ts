/**
 * Sets up and ends each kind of session, with SQL of ours alone. A connection waits in the pool in
 * a state called `ready`: read only, with nothing left of an earlier statement. Every kind of
 * session starts from there.
 */

import { timeZoneOnMysql } from '../../../access/time-zone.ts';
import type { SessionKind } from '../../engine.ts';
import { unknownVariable } from '../failure.ts';
import type { Session } from '../session.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';
import { text } from './parameters.ts';
import {
  beginRead,
  isInReadOnlyTransaction,
  isInTransaction,
  leaveWaitingRead,
  neverAnswered,
  refusalOfReadOnly,
  refusesXa,
  resetAndBeginRead,
} from './read-transaction.ts';
import { ruleContract, sessionContract } from './session-contract.ts';
import type { TimeLimits } from './time-limits.ts';

/** A character set that no server has: it has the SET fail if the session's database is another. */
const anotherDatabase = 'another_database';

/**
 * What needs a reset on a connection: a statement that ran, or the command sent next (the reset
 * then travels with it); null for nothing.
 */
type Used = 'by a statement' | 'by the next command' | null;

/**
 * Makes a connection `ready`.
 * @param used a used connection is reset first; on MariaDB the next read's transaction begins, too.
 * @returns a sentence if the connection is not as it must be and has to be discarded; else null.
 */
export async function makeReady(session: Session, database: string | null, used: Used): Promise<string | null> {
  const { timeZone } = session.endpoint;
  const zone = timeZone === null ? [] : [`SESSION time_zone = ${text(timeZoneOnMysql(timeZone))}`];
  // The next statement most likely has the same limits. Setting them now saves it a round trip.
  const limits = session.timeLimits === null ? [] : [session.timeLimits];
  const readOnly = session.server === 'mariadb' ? 'SESSION tx_read_only = 1' : 'SESSION transaction_read_only = 1';
  const names = [charsetIn(database), sessionContract, ...zone].join(', ');
  // All is set by one statement. Apart they took four round trips behind each read, a tenth of a
  // call.
  const together = `SET ${[names, ...ruleContract(session), readOnly, ...limits].join(', ')}`;
  const set = used === null ? await session.ask(together) : await resetAnd(session, together, used);
  if (set.kind === 'ok') return null;
  if (set.kind !== 'error') return refusalOf(set, timeZone);
  // Servers that are almost MySQL refuse one part or another, each with another number, so the
  // parts are set apart.
  const named = await session.ask(`SET ${names}`);
  if (named.kind !== 'ok') return refusalOf(named, timeZone);
  const readingOnly = await session.ask('SET SESSION TRANSACTION READ ONLY');
  // If the server refuses this, clients read nothing until the person accepts it (read-wall.ts).
  session.readOnlyRefused = refusalOfReadOnly(readingOnly);
  if (readingOnly.kind !== 'ok' && session.readOnlyRefused === null) return refusalOf(readingOnly, timeZone);
  const rules = ruleContract(session);
  let ruled = await session.ask(`SET ${rules.join(', ')}`);
  // One that is refused must not keep the others from being set.
  if (ruled.kind === 'error') for (const rule of rules) ruled = await session.ask(`SET ${rule}`);
  if (ruled.kind !== 'ok' && ruled.kind !== 'error') return refusalOf(ruled, timeZone);
  const limited = session.timeLimits === null ? null : await session.ask(`SET ${session.timeLimits}`);
  return limited === null || isLimited(limited) ? null : refusalOf(limited, timeZone);
}

/**
 * Resets the connection, then runs the SET. MariaDB's own connectors send commands without waiting
 * for answers, so all is sent at once there. MySQL's connectors wait, and Aurora hangs otherwise.
 * @returns the answer to the SET, or the first answer before it that failed.
 */
async function resetAnd(session: Session, set: string, used: Used): Promise<ServerAnswer> {
  if (session.server === 'mariadb' && !session.lacksXa)
    return resetAndBeginRead(session, set, used === 'by the next command');
  const [reset = neverAnswered] = await session.reset();
  return reset.kind === 'ok' ? session.ask(set) : reset;
}

const refused = 'The server refused to set up the session';
const unknownTimeZone = 1298;

function refusalOf(answer: ServerAnswer, timeZone: string | null): string {
  if (answer.kind !== 'error')
    return `${refused}: ${answer.kind === 'lost' ? answer.message : 'it gave rows instead.'}`;
  if (timeZone === null || answer.number !== unknownTimeZone)
    return `${refused}: ${answer.message} (${answer.number}).`;
  return `The server doesn't know the time zone ${timeZone}: fill its tables with mysql_tzinfo_to_sql, or give the connection an offset like +02:00.`;
}

/**
 * The part of a SET that sets the character set, and fails if the session is in another database: a
 * reset keeps the database of a `USE`.
 */
function charsetIn(database: string | null): string {
  const isThere =
    database === null
      ? 'DATABASE() IS NULL'
      : `HEX(DATABASE()) <=> '${Buffer.from(database).toString('hex').toUpperCase()}'`;
  return `NAMES utf8mb4, SESSION character_set_results = IF(${isThere}, 'utf8mb4', '${anotherDatabase}')`;
}

interface HowToBegin {
  /** True for a connection that may have died in the pool. */
  readonly rested: boolean;
  /** The XA transaction's name, which nobody can guess. */
  readonly xid: string;
  /** For a statement that commits by itself: it goes on in a transaction of the same kind. */
  readonly mayCommit: boolean;
}

/**
 * Opens the session for a user's statement, from `ready`. Each step must succeed before the next is
 * sent, as each is part of the wall.
 * @returns the first answer that failed, or the last; null if nothing had to be asked.
 */
export async function beginSession(
  session: Session,
  kind: SessionKind,
  limits: TimeLimits,
  { rested, xid, mayCommit }: HowToBegin,
): Promise<ServerAnswer | null> {
  if (kind === 'read' && session.waitingRead !== null) {
    session.waitingRead = null;
    return limitOrWake(session, limits, rested);
  }
  leaveWaitingRead(session);
  const limited = await limit(session, limits);
  if (limited !== null && !isLimited(limited)) return limited;
  if (kind === 'read') return beginRead(session, xid);
  const isPlain = kind === 'write' || (kind === 'rollback' && session.lacksXa);
  if (isPlain && !mayCommit) return session.ask('START TRANSACTION READ WRITE');
  const writable = await session.ask('SET SESSION TRANSACTION READ WRITE');
  if (writable.kind !== 'ok' || kind === 'alone') return writable;
  if (isPlain) return session.ask('START TRANSACTION');
  const begun = await session.ask(`XA START '${xid}'`);
  if (!refusesXa(begun)) return begun;
  // Only data changes are rehearsed, and those can't commit by themselves: a plain transaction
  // holds them too.
  session.lacksXa = true;
  return session.ask('START TRANSACTION');
}

/**
 * Prepares a `ready` connection for our questions to the catalog. They open no transaction: none of
 * them can write.
 * @param rested true for a connection that may have died in the pool.
 * @returns the answer that failed; null if none did.
 */
export function beginLookUps(session: Session, limits: TimeLimits, rested: boolean): Promise<ServerAnswer | null> {
  leaveWaitingRead(session);
  return limitOrWake(session, limits, rested);
}

/**
 * Sets the limits. If they are in force already, a rested connection is asked something that is
 * answered at once, as it may have died.
 */
async function limitOrWake(session: Session, limits: TimeLimits, rested: boolean): Promise<ServerAnswer | null> {
  const limited = await limit(session, limits);
  if (limited !== null) return isLimited(limited) ? null : limited;
  const awake = rested ? await session.ask('DO 0') : null;
  return awake?.kind === 'ok' ? null : awake;
}

/** Sets the limits. @returns null if they are in force already. */
async function limit(session: Session, { sql: wanted }: TimeLimits): Promise<ServerAnswer | null> {
  if (session.timeLimits === wanted) return null;
  const limits = await session.ask(`SET ${wanted}`);
  if (isLimited(limits)) session.timeLimits = wanted;
  return limits;
}

/** True if the limits are set, or the server has none such: our own clock applies all the same. */
function isLimited(answer: ServerAnswer): boolean {
  return answer.kind === 'ok' || lacksVariable(answer);
}

function lacksVariable(answer: ServerAnswer): boolean {
  return answer.kind === 'error' && answer.number === unknownVariable;
}

/** The statements that follow a successful one of the user. */
export function ending(kind: SessionKind, { lacksXa }: Session, xid: string): readonly string[] {
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

/** What keeps a transaction that a `rollback` session would take back. */
export function endingKept({ lacksXa }: Session, xid: string): readonly string[] {
  return lacksXa ? ['COMMIT'] : [`XA END '${xid}'`, `XA COMMIT '${xid}' ONE PHASE`];
}

/** True if the session is still in the transaction that we opened. */
export function isAsWeLeftIt(
  kind: SessionKind,
  { readOnlyRefused, hidesReadOnly }: Session,
  answer: ServerAnswer,
): boolean {
  if (answer.kind === 'error' || kind !== 'read') return answer.kind !== 'stopped' && answer.kind !== 'lost';
  return readOnlyRefused !== null || hidesReadOnly ? isInTransaction(answer) : isInReadOnlyTransaction(answer);
}
