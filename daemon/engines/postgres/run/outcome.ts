/** Maps a finished statement to a StatementOutcome. */

import type { CallContext, DatabaseFailure, StatementOutcome } from '../../engine.ts';
import { stoppedBy } from '../../in-time.ts';
import { textReplaced } from '../../replaced-text.ts';
import { outcomeUnknown, queryCanceled, type ServerError, statementFailure } from '../failure.ts';
import type { Watch } from '../watch.ts';
import type { ResultReader } from './result.ts';

/** For a text of comments and blanks the server gives no command tag. */
export const emptyStatement: DatabaseFailure = { kind: 'query_failed', message: 'The statement is empty.', code: null };

export function failed(error: ServerError, request: CallContext, watch: Watch): DatabaseFailure {
  if (request.signal.aborted) return stoppedBy(request);
  return statementFailure(told(error, request), watch);
}

/** A detail quotes a row as a whole: `Failing row contains (…)`. */
function told(error: ServerError, { masks }: CallContext): ServerError {
  if (masks === undefined) return error;
  const { severity, code, message, hint, position } = error;
  return { severity, code, message, hint, position, detail: undefined };
}

/**
 * The failure of a statement outside a transaction of ours: a procedure may have committed, a
 * half-built index stays.
 */
export function failedAlone(error: ServerError, request: CallContext): DatabaseFailure {
  if (request.signal.aborted || error.code === queryCanceled) return outcomeUnknown(stoppedAlone);
  // Told as `locked`, nothing of it would stay.
  const failure = statementFailure(told(error, request), { endedBy: () => null });
  if (failure.kind !== 'query_failed') return failure;
  return { ...failure, said: failure.message, stays: true, message: `${failure.message}\n${alreadyDone}` };
}

export const stoppedAlone = 'it was stopped on its way and runs in no transaction';
const alreadyDone = 'The statement runs in no transaction: what it had done before the error stays.';

/** `INSERT 0 3`, `UPDATE 3`; `SELECT 3` counts only without rows (CREATE TABLE AS, SELECT INTO). */
function rowsAffected(tag: string, hasColumns: boolean): number | null {
  const [, command = '', count] = /^(.*?)(?: (\d+))?$/.exec(tag) ?? [];
  const changes = /^(?:INSERT|UPDATE|DELETE|MERGE)\b/.test(command);
  if (changes || (!hasColumns && command === 'SELECT')) return Number(count ?? 0);
  return hasColumns ? null : 0;
}

export function done(reader: ResultReader, tag: string | undefined): StatementOutcome {
  return {
    kind: 'done',
    rowsAffected: tag === undefined ? null : rowsAffected(tag, reader.hasColumns),
    cutByWire: reader.wasCut,
    warnings: [...(reader.notes.invalidUtf8 ? [textReplaced] : []), ...reader.messages.sentences()],
  };
}
