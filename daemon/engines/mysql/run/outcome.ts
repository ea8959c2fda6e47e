/** Tells how a statement ended, in the port's terms. */

import type { DatabaseFailure, StatementOutcome, StatementRequest } from '../../engine.ts';
import { textReplaced } from '../../replaced-text.ts';
import { notConnected, serverFailure } from '../failure.ts';
import type { Reply } from '../session.ts';
import type { Watch } from '../watch.ts';
import type { ServerError } from '../wire/answer-packets.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';
import { withoutLead } from './emptiness.ts';
import { withoutValue } from './server-warnings.ts';

export function done(
  rowsAffected: number | null,
  cutByWire: boolean,
  warnings: readonly string[],
  insertId: number | string | null = null,
): StatementOutcome {
  const counted = { kind: 'done', rowsAffected, cutByWire, warnings } as const;
  return insertId === null ? counted : { ...counted, insertId };
}

export function notes(reply: Reply): string[] {
  return reply.invalidUtf8 ? [textReplaced] : [];
}

export function stopped(watched: Watch): DatabaseFailure | null {
  const { seconds } = watched;
  switch (watched.reason()) {
    case 'timeout':
      return watched.isSilent() ? { kind: 'no_answer', stage: 'statement', seconds } : { kind: 'timeout', seconds };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'closed':
      return notConnected('The connection was closed.');
    case null:
      return null;
  }
}

/**
 * Our own stop comes first: a killed function may end as if it had succeeded, or with any error.
 */
export function failure(
  request: Pick<StatementRequest, 'session' | 'masks'>,
  watched: Watch,
  answer: ServerAnswer,
): DatabaseFailure {
  const ours = stopped(watched);
  if (ours !== null) return ours;
  if (answer.kind === 'error') return serverFailure(shownTo(request, answer), request.session, watched);
  return notConnected(answer.kind === 'lost' ? answer.message : 'The server did not set up the session.');
}

/** A key's error quotes all its columns, also those that are masked. */
function shownTo({ masks }: Pick<StatementRequest, 'masks'>, error: ServerError): ServerError {
  return masks === undefined ? error : { ...error, message: withoutValue(error.number, error.message) };
}

/** The failure of a statement outside a transaction of ours: half of it may be done. */
export function failedAlone(
  request: Pick<StatementRequest, 'session' | 'sql' | 'masks'>,
  watched: Watch,
  answer: ServerAnswer,
): DatabaseFailure {
  // Told as `locked`, nothing of it would stay.
  const mayBeLocked = isDefinition.test(withoutLead(request.sql));
  const endedBy: Watch['endedBy'] = limit => (limit === 'lock' && !mayBeLocked ? null : watched.endedBy(limit));
  const failed = failure(request, { ...watched, endedBy }, answer);
  if (failed.kind === 'locked') return failed;
  if (failed.kind === 'query_failed' && failed.code !== queryInterrupted) {
    return {
      ...failed,
      said: failed.message,
      stays: true,
      message: `${failed.message} (It runs in no transaction: what it had done before the error stays.)`,
    };
  }
  return outcomeUnknown(
    answer.kind === 'lost' && watched.reason() === null
      ? `the connection was lost (${answer.message})`
      : 'it was stopped on its way and runs in no transaction',
  );
}

const queryInterrupted = '1317';

/**
 * They wait for their locks before they change anything, or drop the copy that they have made. With
 * OR REPLACE MariaDB drops the old table first, and may wait for another afterwards.
 */
const isDefinition = /^(?:alter|create(?!.*\breplace\b)|drop|rename|truncate)\b/is;

/** The failure of a COMMIT that was sent. */
export function failedCommit(
  request: Pick<StatementRequest, 'session' | 'masks'>,
  watched: Watch,
  given: ServerAnswer,
): DatabaseFailure {
  if (given.kind !== 'error') return outcomeUnknown('the connection was lost while the server was committing');
  const answer = shownTo(request, given);
  if (rollsBack.has(answer.number)) return serverFailure(answer, request.session, watched);
  return outcomeUnknown(`the server failed to commit: ${answer.message.replace(/\.$/, '')} (${answer.number})`);
}

/**
 * If the server refuses a COMMIT with these it has rolled back: a conflict with another node, it
 * became read only, or a backup kept it from beginning (1205).
 */
const rollsBack: ReadonlySet<number> = new Set([1205, 1213, 1290]);

/** @param reason a clause */
export function outcomeUnknown(reason: string): DatabaseFailure {
  return { kind: 'outcome_unknown', reason };
}
