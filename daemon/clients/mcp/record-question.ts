/**
 * Records questions to the user and their answers in the activity log (spec §14): who asked, about
 * what, never the statement.
 */

import { createHash } from 'node:crypto';
import type { Question, QuestionContent, QuestionEvent, Verdict } from '../../access/questions/approvals.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { ActivityLog, ActivityResult, ActivitySubject } from '../../activity.ts';

type Recorder = Pick<ActivityLog, 'record'>;
type By = Pick<Principal, 'id' | 'tokenName'>;

export function recordAsked(activity: Recorder, content: QuestionContent, by: By): void {
  activity.record({
    category: 'access',
    action: 'approval.ask',
    outcome: 'success',
    ...subjectOf(content, by),
    reason: kinds[content.kind],
  });
}

/** @param said the answer for the log: who gave it, and how it was confirmed. */
export function recordAnswered(
  activity: Recorder,
  content: QuestionContent,
  by: By,
  answer: Verdict['kind'],
  said: string | null,
): void {
  const result = resultOf(answer, said);
  activity.record({ category: 'access', action: 'approval.decide', ...subjectOf(content, by), ...result });
}

/** For the register of open questions. */
export function recordQuestions(activity: Recorder): (event: QuestionEvent) => void {
  return event => {
    const by = askerOf(event.question);
    if (event.kind === 'asked') recordAsked(activity, event.question, by);
    else recordAnswered(activity, event.question, by, event.because, event.by);
  };
}

const kinds: Readonly<Record<QuestionContent['kind'], string>> = {
  destructive_statement: 'to run a destructive statement',
  stop_server_session: 'to stop a session of the server',
  first_use: 'to use the connection',
};

function askerOf({ principalId, tokenName }: Question): By {
  return { id: principalId, tokenName };
}

function subjectOf({ client, connection, statement }: QuestionContent, { id, tokenName }: By): ActivitySubject {
  return {
    principal: id,
    tokenName,
    client,
    connection: { id: connection.id, name: connection.name },
    statementHash: statement === null ? null : createHash('sha256').update(statement.text).digest('hex'),
  };
}

function resultOf(answer: Verdict['kind'], said: string | null): ActivityResult {
  switch (answer) {
    case 'yes':
      return { outcome: 'success', reason: said };
    case 'no':
      return { outcome: 'denied', reason: said };
    case 'timeout':
      return { outcome: 'denied', reason: 'nobody answered in time' };
    case 'cancelled':
      return { outcome: 'error', reason: 'the request that asked has ended' };
    case 'nobody':
    case 'too_many_open':
    case 'quiet':
      return { outcome: 'denied', reason: answer };
  }
}
