/**
 * The transaction of a read. Inside an XA transaction the server refuses COMMIT, ROLLBACK, BEGIN,
 * LOCK TABLES, FLUSH and every statement that commits by itself, also within compound statements; a
 * plain read-only transaction allows them all. Servers without XA (Galera, TiDB) get the plain one.
 */

import { randomUUID } from 'node:crypto';
import { unknownVariable } from '../failure.ts';
import type { Session } from '../session.ts';
import { serverStatus } from '../wire/answer-packets.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';

const readOnlyStatus = serverStatus.inTransaction | serverStatus.inReadOnlyTransaction;

/** Unguessable: whoever knows it can end the transaction. */
export function newXid(): string {
  return `sallyport-${randomUUID()}`;
}

/** @returns the first answer that is no success, or the last */
export async function beginRead(session: Session, xid: string): Promise<ServerAnswer> {
  session.hidesReadOnly = false;
  if (session.readOnlyRefused !== null) return session.ask('START TRANSACTION');
  if (session.lacksXa) return beginPlainRead(session);
  const begun = await session.ask(`XA START '${xid}'`);
  if (begun.kind === 'ok') {
    if (isInReadOnlyTransaction(begun)) return begun;
    // This server's XA transactions don't confirm that they are read only.
    for (const sql of rollback(xid)) {
      const left = await session.ask(sql);
      if (left.kind !== 'ok') return left;
    }
  } else if (begun.kind !== 'error') return begun;
  session.lacksXa = refusesXa(begun);
  return beginPlainRead(session);
}

/** Each one that isn't confirmed to read only is asked for its wall (read-wall.ts). */
async function beginPlainRead(session: Session): Promise<ServerAnswer> {
  const begun = await session.ask('START TRANSACTION READ ONLY');
  session.readOnlyRefused = refusalOfReadOnly(begun);
  session.hidesReadOnly = begun.kind === 'ok' && !isInReadOnlyTransaction(begun);
  return session.readOnlyRefused === null ? begun : session.ask('START TRANSACTION');
}

/**
 * Cleans a connection and begins the transaction of its next read: a round trip less before the
 * rows. It has read nothing yet, so it holds no snapshot and no lock.
 * @param set makes the session read only
 * @param isBehind sends all of it with the next command, which needs nothing of the session
 *   afterwards
 * @returns the last answer, or the reset's if that failed
 */
export async function resetAndBeginRead(session: Session, set: string, isBehind: boolean): Promise<ServerAnswer> {
  const xid = newXid();
  const statements = [set, `XA START '${xid}'`];
  const [reset = neverAnswered, answer = neverAnswered, begun = neverAnswered] = await (isBehind
    ? session.resetBehind(statements)
    : session.reset(statements));
  session.lacksXa = refusesXa(begun);
  session.hidesReadOnly = false;
  session.takesSeveral = begun.kind !== 'lost';
  if (begun.kind === 'ok') session.waitingRead = xid;
  if (reset.kind !== 'ok') return reset;
  if (answer.kind !== 'ok' || !isInReadOnlyTransaction(begun)) leaveWaitingRead(session);
  return answer;
}

/** Sent with the next statement, which goes to no connection on which this failed. */
export function leaveWaitingRead(session: Session): void {
  if (session.waitingRead === null) return;
  for (const sql of rollback(session.waitingRead)) session.sendAhead(sql, true);
  session.waitingRead = null;
}

export const neverAnswered: ServerAnswer = { kind: 'lost', message: 'The server closed the connection.' };

function rollback(xid: string): readonly string[] {
  return [`XA END '${xid}'`, `XA ROLLBACK '${xid}'`];
}

export function isInReadOnlyTransaction(answer: ServerAnswer): boolean {
  return answer.kind === 'ok' && (answer.status & readOnlyStatus) === readOnlyStatus;
}

export function isInTransaction(answer: ServerAnswer): boolean {
  return answer.kind === 'ok' && (answer.status & serverStatus.inTransaction) !== 0;
}

/**
 * Any other error (out of memory, a node outside its cluster) says nothing about what it has.
 * @returns the server's words; null if it refused no such transaction.
 */
export function refusalOfReadOnly(answer: ServerAnswer): string | null {
  if (answer.kind !== 'error' || !(refusesXa(answer) || answer.number === unknownVariable)) return null;
  return `${answer.message} (${answer.number})`;
}

/** Galera (1235, not supported), and servers that don't know the words (1064). */
export function refusesXa(answer: ServerAnswer): boolean {
  return answer.kind === 'error' && [1235, 1064].includes(answer.number);
}
