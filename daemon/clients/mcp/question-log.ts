/** Logs questions to the user (spec §12, §14): who asked and about what, never the statement. */

import { createHash } from 'node:crypto';
import type { QuestionContent, QuestionEvent } from '../../access/questions/approvals.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { Log } from './log.ts';

export function factsOfQuestion(
  { kind, client, connection, statement }: QuestionContent,
  { id, tokenName }: Pick<Principal, 'id' | 'tokenName'>,
): Readonly<Record<string, unknown>> {
  return {
    about: kind,
    principal: id,
    tokenName,
    client,
    connection: connection.id,
    ...(statement !== null && { statementHash: createHash('sha256').update(statement.text).digest('hex') }),
  };
}

/** For the register of open questions. */
export function logQuestions(log: Log): (event: QuestionEvent) => void {
  return event => {
    if (event.kind === 'withdrawn') {
      log.info({ question: event.id, answer: event.because, by: event.by }, 'a question has ended');
      return;
    }
    const { id, principalId, tokenName } = event.question;
    log.info(
      { question: id, ...factsOfQuestion(event.question, { id: principalId, tokenName }) },
      'a question is asked',
    );
  };
}
