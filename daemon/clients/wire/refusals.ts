/** Words for programs, with the SQLSTATE that drivers know. */

import type { DatabaseFailure } from '../../engines/engine.ts';
import type { Classification } from '../../guard/types.ts';
import { type Named, refusalOf, shortened } from '../../statement/failure-refusals.ts';
import type { SqlError } from './messages.ts';

const readOnlyTransaction = '25006';

/** Null for a read. */
export function notRead({ class: given, reason }: Classification): SqlError | null {
  if (given === 'read') return null;
  return {
    code: readOnlyTransaction,
    message: `Refused by Sallyport, which only reads here. ${reason}`,
    hint: 'Nothing ran. The person at this machine sees what was refused by `sallyport allow`.',
  };
}

const codes: Partial<Record<DatabaseFailure['kind'], string>> = {
  busy: '53300',
  no_free_session: '53300',
  not_connected: '08006',
  no_answer: '08006',
  cancelled: '57014',
  timeout: '57014',
};

export function failureError(failure: DatabaseFailure, named: Named): SqlError {
  const refusal = refusalOf(failure, named);
  const text = 'sentence' in refusal ? refusal.sentence : 'It could not be done now.';
  const code = failure.kind === 'query_failed' ? failure.code : (codes[failure.kind] ?? '58000');
  return { code: code ?? '58000', message: shortened(text) };
}
