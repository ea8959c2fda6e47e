/**
 * The `approvals.*` commands (spec §11, §12): what waits for the user's approval, who can ask them,
 * and the answer.
 */

import * as z from 'zod';
import type { ControlNotification } from '../../../shared/control.ts';
import { textSize } from '../../../shared/text-size.ts';
import { answerWords, type ProcessOrigin } from '../../access/privilege-increases/origin-words.ts';
import type { Approvals, Question, QuestionEvent } from '../../access/questions/approvals.ts';
import { bridgeTokenName } from '../../access/tokens/token.ts';
import { command, done, looks, refused } from '../command.ts';
import { type ApprovalView, approvalAttachment, approvalDecision, approvalList } from '../messages/approvals.ts';
import { requesterWords } from '../requester-words.ts';
import { answerIncrease } from './approvals-increase.ts';
import { answerById, nothing } from './shapes.ts';

export const approvalsPending = command('approvals.pending', {
  shape: nothing,
  result: approvalList,
  ...looks,
  run: (_, { ports }) => done({ questions: pendingIn(ports.approvals) }),
});

/**
 * Registers this shell, until it disconnects, as one that can (or can't) ask a person; answers with
 * the open questions. `attached` is false for a shell without a terminal that isn't Sallyport.app:
 * it only sees the questions.
 */
export const approvalsAttach = command('approvals.attach', {
  shape: z.strictObject({ answers: z.boolean('true or false is expected') }),
  result: approvalAttachment,
  ...looks,
  run: async ({ answers }, { ports, attach, isApp, origin }) => {
    const attached = (isApp() || isOnTerminal(await origin())) && answers;
    attach(attached);
    return done({ questions: pendingIn(ports.approvals), attached });
  },
});

/** A person sits there, as far as one can tell: a program may answer questions through a pipe. */
function isOnTerminal(origin: ProcessOrigin | null): boolean {
  return origin !== null && origin.terminal !== null;
}

export const approvalsDecide = command('approvals.decide', {
  shape: answerById,
  result: approvalDecision,
  privilegeIncrease: answerIncrease,
  records: 'refusals',
  run: async ({ id, answer }, context) => {
    const by = answerWords(answer, await requesterWords(context), context.confirmedBy);
    return context.ports.approvals.decide(id, answer, by)
      ? done({ id, answer })
      : refused(
          'gone',
          `No question ${JSON.stringify(id)} is open: it was answered, it ran out of time, or its client left. Look at those that wait now.`,
        );
  },
});

/** The notification for shells. */
export function approvalNotification(event: QuestionEvent): ControlNotification {
  if (event.kind === 'asked') return { jsonrpc: '2.0', method: 'approval.asked', params: approvalView(event.question) };
  const { id, because } = event;
  return { jsonrpc: '2.0', method: 'approval.withdrawn', params: { id, because } };
}

function pendingIn(approvals: Approvals): readonly ApprovalView[] {
  return approvals.pending().map(approvalView);
}

function approvalView(question: Question): ApprovalView {
  const { id, kind, client, tokenName, isBox, connection, means, statement, askedAt, expiresAt } = question;
  return {
    id,
    kind,
    client,
    token: tokenName === bridgeTokenName ? null : tokenName,
    ...(isBox && { isBox }),
    connection,
    means,
    statement: statement === null ? null : { ...statement, ...textSize(statement.text) },
    askedAt,
    expiresAt,
  };
}
