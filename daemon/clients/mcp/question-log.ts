/** Logs questions to the user (spec §12, §14): who asked and about what, never the statement. */

import { createHash } from 'node:crypto';
import type { Question, QuestionEvent } from '../../access/questions/approvals.ts';
import type { Log } from './log.ts';

function factsOf({ id, kind, principalId, tokenName, client, connection, statement }: Question) {
  return {
    question: id,
    about: kind,
    principal: principalId,
    tokenName,
    client,
    connection: connection.id,
    ...(statement !== null && { statementHash: createHash('sha256').update(statement.text).digest('hex') }),
  };
}

/** @param how through whom: empty, or words that follow `a question is asked`. */
export function logQuestions(log: Log, how = ''): (event: QuestionEvent) => void {
  return event => {
    if (event.kind === 'asked') log.info(factsOf(event.question), `a question is asked${how}`);
    else log.info({ question: event.id, answer: event.because, by: event.by }, `a question${how} has ended`);
  };
}
