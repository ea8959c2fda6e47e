/**
 * Records questions to the user and their answers in the activity log (spec §14): who asked, about
 * what, never the statement.
 */

import { createHash } from 'node:crypto';
import type { AskMove } from '../../access/desk/ask.ts';
import {
  endOfQuestion,
  type QuestionContent,
  type QuestionEvent,
  type QuestionFacts,
} from '../../access/questions/approvals.ts';
import type { ActivityLog, ActivityResult, ActivitySubject } from '../../activity.ts';

export function recordQuestions(activity: Pick<ActivityLog, 'record'>): (event: QuestionEvent) => void {
  return ({ ask: { facts }, because, by }) => {
    const subject = { category: 'access', ...subjectOf(facts) } as const;
    if (because !== null) activity.record({ ...subject, action: 'approval.decide', ...resultOf(because, by) });
    else activity.record({ ...subject, action: 'approval.ask', outcome: 'success', reason: kinds[facts.kind] });
  };
}

const kinds: Readonly<Record<QuestionContent['kind'], string>> = {
  statement: 'to run a destructive statement',
  first_use: 'to use the connection',
};

function subjectOf({ principalId, client, tokenName, connection, statement }: QuestionFacts): ActivitySubject {
  return {
    principal: principalId,
    tokenName,
    client,
    connection: { id: connection.id, name: connection.name },
    statementHash: statement === null ? null : createHash('sha256').update(statement.text).digest('hex'),
  };
}

function resultOf(because: AskMove, by: string | null): ActivityResult {
  const end = endOfQuestion(because);
  switch (end) {
    case 'yes':
      return { outcome: 'success', reason: by };
    case 'no':
      return { outcome: 'denied', reason: by };
    case 'timeout':
      return { outcome: 'denied', reason: 'nobody answered in time' };
    case 'cancelled':
      return { outcome: 'error', reason: 'the request that asked has ended' };
    case 'nobody':
      return { outcome: 'denied', reason: end };
  }
}
