/** Runs a statement in a session that can't write: one round trip before the rows. */

import type { DatabaseFailure, StatementOutcome } from '../../engine.ts';
import { addressOf } from '../dial.ts';
import { connectionLost } from '../failure.ts';
import type { Session } from '../session.ts';
import { type Attempt, abandon, isAnothers, isReady, stale } from './attempt.ts';
import { cancelAndDestroy } from './cancel.ts';
import { done, emptyStatement, failed } from './outcome.ts';
import { beforeRead } from './preconditions.ts';
import { askWall, wallAnswer } from './read-wall.ts';
import { insufficientPrivilege, isReader, readerRoleAdvice } from './reader-role.ts';
import { drain, type Read, restore, rollback, tidyUpRead } from './session-setup.ts';

export async function runRead(attempt: Attempt): Promise<StatementOutcome | typeof stale> {
  const { pool, session, request, reader, watch } = attempt;
  const server = { address: addressOf(session.endpoint), version: session.serverVersion };
  const known = request.isOurs === true ? true : pool.readWall.isHeld(server);
  if (known === false) {
    const unproved = pool.readWall.refusal(known);
    if (unproved !== null) {
      pool.release(session);
      return unproved;
    }
  }
  const before = beforeRead(request, session, known === null);
  const statement = { sql: request.sql, parameters: request.parameters, isKept: request.isOurs };
  // A stateless statement leaves only its transaction, so nothing has to be sent afterwards.
  const statements = [...before.statements, statement, ...(request.isStateless ? [rollback] : [])];
  const read: Read = { place: before.statements.length, statements };
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
    const isHeld = answer ?? (await askWall(session));
    if (isHeld === null) return lost(session);
    pool.readWall.learn(server, isHeld);
    // Nothing behind the question has run.
    if (answer !== true) return (await restore(session)) ? runRead(attempt) : lost(session);
  }
  tidyUpRead(pool, session, end, read);
  if (end.error !== null) {
    const isUnproved = end.tags.length >= before.firstProof && end.tags.length < read.place;
    return isUnproved && !request.signal.aborted
      ? { kind: 'not_as_provided' }
      : withRoleAdvice(failed(end.error, request, watch), isReader(request, session));
  }
  const tag = end.tags[read.place];
  return tag === undefined || end.tags.length < statements.length ? emptyStatement : done(reader, tag);
}

const lost = ({ endpoint }: Session): DatabaseFailure => connectionLost(addressOf(endpoint), 'no answer');

function withRoleAdvice(failure: DatabaseFailure, isByReader: boolean): DatabaseFailure {
  if (!isByReader || failure.kind !== 'query_failed' || failure.code !== insufficientPrivilege) return failure;
  return { ...failure, message: `${failure.message}\n${readerRoleAdvice}` };
}
