/** Runs a statement in a session that can't write: one round trip before the rows. */

import type { DatabaseFailure, StatementOutcome } from '../../engine.ts';
import { atStep } from '../../look-up.ts';
import type { AskedServer } from '../../read-wall.ts';
import { addressOf } from '../dial.ts';
import { connectionLost } from '../failure.ts';
import type { Session } from '../session.ts';
import { type Attempt, abandon, isAnothers, isReady, stale } from './attempt.ts';
import { cancelAndDestroy } from './cancel.ts';
import { done, emptyStatement, failed } from './outcome.ts';
import { beforeRead } from './preconditions.ts';
import { askedWall, askWall, refusalOfReadOnly, wallAnswer } from './read-wall.ts';
import { insufficientPrivilege, isReader, readerRoleAdvice } from './reader-role.ts';
import { drain, endOfRead, giveBack, type Read, restore, tidyUpRead } from './session-setup.ts';

/** @param told true or false once a first try has asked its server for the wall. */
export async function runRead(attempt: Attempt, told: boolean | null = null): Promise<StatementOutcome | typeof stale> {
  const { pool, session, request, reader, watch } = attempt;
  const server = { address: addressOf(session.endpoint), version: session.serverVersion };
  const known = request.isOurs === true ? true : (told ?? pool.readWall.isHeld(server));
  if (known === false) {
    const unproved = pool.readWall.refusal(known);
    if (unproved !== null) {
      pool.release(session);
      return unproved;
    }
  }
  const before = beforeRead(request, session, known === null);
  const statement = { sql: request.sql, parameters: request.parameters, isKept: request.isOurs };
  const statements = [...before.statements, statement, ...endOfRead(request.isStateless === true, session)];
  const read: Read = { place: before.statements.length, statements, mayHoldLocks: request.isStateless !== true };
  const roundTrip = session.roundTrip(statements, reader.told(read.place));
  const end = await Promise.race([roundTrip, watch.stopped, reader.early]);
  if (end === 'enough') {
    pool.returning(drain(pool, session, roundTrip, read));
    return done(reader, undefined);
  }
  if (end === 'cut') {
    pool.background(cancelAndDestroy(session));
    return done(reader, undefined);
  }
  if (!isReady(end)) return abandon({ pool, session }, end, 'not_sent');
  if (isAnothers(end, before.openingCount)) {
    pool.notOwn(session);
    return stale;
  }
  if (known === null) {
    const answer = wallAnswer(end);
    if (answer !== null) pool.readWall.learn(server, answer);
    // Nothing behind the question has run.
    if (answer !== true) return askAgain(attempt, server, answer);
  }
  tidyUpRead(pool, session, end, read);
  // Behind the read's own answer only its session's end can fail, which gives up the session.
  if (end.error !== null && end.tags.length <= read.place) {
    const isUnproved = end.tags.length >= before.firstProof && end.tags.length < read.place;
    if (isUnproved && !request.signal.aborted) return { kind: 'not_as_provided' };
    const failure = failed(end.error, request, watch);
    return end.tags.length < before.openingCount
      ? atStep('set_up', failure)
      : withRoleAdvice(failure, isReader(request, session));
  }
  const tag = end.tags[read.place];
  const isWhole = end.error !== null || end.tags.length === statements.length;
  return tag !== undefined && isWhole ? done(reader, tag) : emptyStatement;
}

/** @param answer false if the server took the write; null if it did not say. */
async function askAgain(
  attempt: Attempt,
  server: AskedServer,
  answer: false | null,
): Promise<StatementOutcome | typeof stale> {
  const { pool, session, request, watch } = attempt;
  const { readWall } = pool;
  let isHeld: boolean | null = answer;
  if (answer === null) {
    const end = await Promise.race([askWall(session), watch.stopped]);
    if (!isReady(end)) return abandon({ pool, session }, end, 'not_sent');
    isHeld = askedWall(end);
    if (isHeld !== null) readWall.learn(server, isHeld, refusalOfReadOnly(end));
    else if (end.error !== null && readWall.refusal(false) !== null) {
      pool.returning(giveBack(pool, session, false));
      return failed(end.error, request, watch);
    }
  }
  const restored = await Promise.race([restore(session, false), watch.stopped]);
  if (typeof restored === 'object') return abandon({ pool, session }, restored, 'not_sent');
  return restored ? runRead(attempt, isHeld ?? false) : lost(session);
}

const lost = ({ endpoint }: Session): DatabaseFailure => connectionLost(addressOf(endpoint), 'no answer');

function withRoleAdvice(failure: DatabaseFailure, isByReader: boolean): DatabaseFailure {
  if (!isByReader || failure.kind !== 'query_failed' || failure.code !== insufficientPrivilege) return failure;
  return { ...failure, message: `${failure.message}\n${readerRoleAdvice}` };
}
