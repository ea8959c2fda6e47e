/**
 * Records questions to the user and their answers in the activity log (spec §14): who asked, about
 * what, never the statement.
 */

import { createHash } from 'node:crypto';
import type { Question, QuestionContent, QuestionEvent } from '../../access/questions/approvals.ts';
import type { ActivityLog, ActivityResult, ActivitySubject } from '../../activity.ts';

export function recordQuestions(activity: Pick<ActivityLog, 'record'>): (event: QuestionEvent) => void {
  return event => {
    const { question } = event;
    const subject = { category: 'access', ...subjectOf(question) } as const;
    if (event.kind === 'withdrawn') activity.record({ ...subject, action: 'approval.decide', ...resultOf(event) });
    else activity.record({ ...subject, action: 'approval.ask', outcome: 'success', reason: kinds[question.kind] });
  };
}

const kinds: Readonly<Record<QuestionContent['kind'], string>> = {
  destructive_statement: 'to run a destructive statement',
  stop_server_session: 'to stop a session of the server',
  first_use: 'to use the connection',
};

function subjectOf({ principalId, client, tokenName, connection, statement }: Question): ActivitySubject {
  return {
    principal: principalId,
    tokenName,
    client,
    connection: { id: connection.id, name: connection.name },
    statementHash: statement === null ? null : createHash('sha256').update(statement.text).digest('hex'),
  };
}

function resultOf({ because, by: said }: QuestionEvent & { kind: 'withdrawn' }): ActivityResult {
  switch (because) {
    case 'yes':
      return { outcome: 'success', reason: said };
    case 'no':
      return { outcome: 'denied', reason: said };
    case 'timeout':
      return { outcome: 'denied', reason: 'nobody answered in time' };
    case 'cancelled':
      return { outcome: 'error', reason: 'the request that asked has ended' };
    case 'nobody':
      return { outcome: 'denied', reason: because };
  }
}
