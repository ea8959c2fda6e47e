/** Runs a statement in a session that can't write: one flight, one round trip before the rows. */

import type { DatabaseFailure, StatementOutcome } from '../../engine.ts';
import { type Attempt, abandon, isAnothers, isReady, stale } from './attempt.ts';
import { cancelAndDestroy } from './cancel.ts';
import { done, emptyStatement, failed } from './outcome.ts';
import { beforeRead } from './preconditions.ts';
import { insufficientPrivilege, isReader, readerRoleAdvice } from './reader-role.ts';
import { drain, type Read, rollback, tidyUpRead } from './session.ts';

export async function runRead({
  pool,
  link,
  request,
  reader,
  watch,
}: Attempt): Promise<StatementOutcome | typeof stale> {
  const before = beforeRead(request, link);
  const statement = { sql: request.sql, parameters: request.parameters, isKept: request.isOurs };
  // A stateless statement leaves only its transaction, so nothing has to be sent afterwards.
  const statements = [...before.statements, statement, ...(request.isStateless ? [rollback] : [])];
  const read: Read = { place: before.statements.length, statements };
  const flight = link.flight(statements, reader.told(read.place));
  const end = await Promise.race([flight, watch.stopped, reader.early]);
  if (end === 'enough') {
    pool.returning(drain(pool, link, flight, read));
    return done(reader, undefined);
  }
  if (end === 'cut') {
    pool.background(cancelAndDestroy(link));
    return done(reader, undefined);
  }
  if (!isReady(end)) return abandon({ pool, link }, end, 'not_sent');
  if (isAnothers(end, before.openingCount)) {
    pool.notOwn(link);
    return stale;
  }
  tidyUpRead(pool, link, end, read);
  if (end.error !== null) {
    const isUnproved = end.tags.length >= before.firstProof && end.tags.length < read.place;
    return isUnproved && !request.signal.aborted
      ? { kind: 'not_as_provided' }
      : withRoleAdvice(failed(end.error, request, watch), isReader(request, link));
  }
  const tag = end.tags[read.place];
  return tag === undefined || end.tags.length < statements.length ? emptyStatement : done(reader, tag);
}

function withRoleAdvice(failure: DatabaseFailure, isByReader: boolean): DatabaseFailure {
  if (!isByReader || failure.kind !== 'query_failed' || failure.code !== insufficientPrivilege) return failure;
  return { ...failure, message: `${failure.message}\n${readerRoleAdvice}` };
}
