/** Runs a statement in a session that cannot write: one flight, one round trip before the rows. */

import type { StatementOutcome } from '../../query/database.ts';
import { type Attempt, abandon, isReady, type stale } from './attempt.ts';
import { cancelAndDestroy } from './cancel.ts';
import { done, emptyStatement, failed } from './outcome.ts';
import { commandsBeforeRead, drain, openingStatements, tidyUp } from './session.ts';

export async function runRead({
  pool,
  link,
  request,
  reader,
  watch,
}: Attempt): Promise<StatementOutcome | typeof stale> {
  const flight = link.flight([...openingStatements('read', request, link.serverEncoding), request], fields =>
    reader.columns(fields),
  );
  const end = await Promise.race([flight, watch.stopped, reader.early]);
  if (end === 'enough') {
    pool.returning(drain(pool, link, flight));
    return done(reader, undefined);
  }
  if (end === 'cut') {
    pool.background(cancelAndDestroy(pool.endpoint, link));
    return done(reader, undefined);
  }
  if (!isReady(end)) return abandon({ pool, link }, end, 'not_sent');
  const tag = end.tags[commandsBeforeRead];
  tidyUp(pool, link, end, tag);
  if (end.error !== null) return failed(end.error, request, watch);
  return tag === undefined ? emptyStatement : done(reader, tag);
}
