/** Logs questions to the user (spec §12, §14): who asked and about what, never the statement. */

import { createHash } from 'node:crypto';
import { endOfQuestion, type Question, type QuestionEvent } from '../../access/questions/approvals.ts';
import type { Log } from './log.ts';

function factsOf({ id, facts }: Question) {
  const { kind, principalId, tokenName, client, connection, statement } = facts;
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
  return ({ ask, because, by }) => {
    if (because === null) log.info(factsOf(ask), `a question is asked${how}`);
    else log.info({ question: ask.id, answer: endOfQuestion(because), by }, `a question${how} has ended`);
  };
}
