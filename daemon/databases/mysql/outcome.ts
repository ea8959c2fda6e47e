/** How a statement ended, in the words of the port. */

import type { DatabaseFailure, StatementOutcome, StatementRequest } from '../../query/database.ts';
import type { ServerAnswer } from './answer.ts';
import type { Reply } from './channel.ts';
import { notConnected, serverFailure } from './failure.ts';
import type { Watch } from './watch.ts';

export function done(rowsAffected: number | null, cutByWire: boolean, warnings: readonly string[]): StatementOutcome {
  return { kind: 'done', rowsAffected, cutByWire, warnings };
}

export function notes(reply: Reply): string[] {
  return reply.invalidUtf8 ? ['Some text is not valid UTF-8; what could not be read shows as U+FFFD.'] : [];
}

export function stopped(request: Pick<StatementRequest, 'timeoutSeconds'>, watched: Watch): DatabaseFailure | null {
  const reason = watched.reason();
  if (reason === 'timeout') return { kind: 'timeout', seconds: request.timeoutSeconds };
  return reason === 'cancelled' ? { kind: 'cancelled' } : null;
}

/** Our own stop first: killing some functions lets them end as if they had succeeded, or with any error. */
export function failure(
  request: Pick<StatementRequest, 'session' | 'timeoutSeconds'>,
  watched: Watch,
  answer: ServerAnswer,
): DatabaseFailure {
  const ours = stopped(request, watched);
  if (ours !== null) return ours;
  if (answer.kind === 'error') return serverFailure(answer, request.session, request.timeoutSeconds);
  return notConnected(answer.kind === 'lost' ? answer.message : 'The server did not set up the session.');
}

export function outcomeUnknown(): DatabaseFailure {
  return notConnected('The connection broke while the write was being committed: whether it took effect is unknown.');
}
