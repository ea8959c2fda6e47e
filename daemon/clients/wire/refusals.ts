/** Words for programs, with the SQLSTATE that drivers know. */

import type { Answer, DatabaseFailure } from '../../engines/engine.ts';
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

export const notUtf8: SqlError = { code: '22021', message: 'The statement is not valid UTF-8.' };
export const namesOfOurs: SqlError = { code: '25006', message: 'Names that begin like this are Sallyport’s own.' };
export const tooManyKept: SqlError = {
  code: '53200',
  message: 'This session keeps too many statements or cursors; deallocate or close some.',
};
export const noTypes: SqlError = { code: '0A000', message: 'This statement takes no parameters here.' };
export const namesAreInUse: SqlError = {
  code: '25006',
  message: 'search_path can’t be changed while a cursor is open; close it first.',
};
export const noFunctions: SqlError = { code: '0A000', message: 'Function calls by the protocol are refused here.' };

/** Nobody could judge it: the daemon is busy, or the text takes too long. */
export function unjudged(failure: Exclude<Answer<unknown>, { kind: 'done' }>): SqlError {
  const text = 'message' in failure ? failure.message : 'The statement could not be checked now; send it again.';
  return { code: '53000', message: text };
}

export const unknownStatement = (name: string): SqlError => ({
  code: '26000',
  message: `prepared statement ${JSON.stringify(name)} does not exist`,
});
