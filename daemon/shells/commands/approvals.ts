/**
 * The `approvals.*` commands (spec §11, §12): what waits for the user's yes, who can ask them, and
 * the answer.
 */

import * as z from 'zod';
import type { ControlNotification } from '../../../shared/control.ts';
import { textSize } from '../../../shared/text-size.ts';
import { answerWords, type ProcessOrigin } from '../../access/privilege-increases/origin.ts';
import type { Approvals, Question, QuestionEvent } from '../../access/questions/approvals.ts';
import { bridgeTokenName } from '../../access/tokens/token.ts';
import { askerWords } from '../asker-words.ts';
import { command, done, looks, refused } from '../command.ts';
import { type ApprovalView, approvalAttachment, approvalDecision, approvalList } from '../messages/approvals.ts';
import { answerIncrease } from './approvals-increase.ts';
import { answerById, nothing } from './shapes.ts';

export const approvalsPending = command('approvals.pending', {
  shape: nothing,
  result: approvalList,
  ...looks,
  run: (_, { ports }) => done({ questions: pendingIn(ports.approvals) }),
});

/**
 * From here on this shell is one that can ask a person (or no more); the answer is what is open
 * now. Ends with its connection. `attached` is false for one that has no terminal and isn't
 * Sallyport.app, whatever it wants: it is shown the questions alone.
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

/** A person sits there, as far as can be known: what follows questions in a pipe is a program. */
function isOnTerminal(origin: ProcessOrigin | null): boolean {
  return origin !== null && origin.terminal !== null;
}

export const approvalsDecide = command('approvals.decide', {
  shape: answerById,
  result: approvalDecision,
  privilegeIncrease: answerIncrease,
  records: 'refusals',
  run: async ({ id, answer }, context) => {
    const by = answerWords(answer, await askerWords(context), context.confirmedBy);
    return context.ports.approvals.decide(id, answer, by)
      ? done({ id, answer })
      : refused(
          `No question ${JSON.stringify(id)} is open: it was answered, it ran out of time, or its client left. Look at those that wait now.`,
        );
  },
});

/** As it is pushed to shells. */
export function approvalNotification(event: QuestionEvent): ControlNotification {
  if (event.kind === 'asked') return { jsonrpc: '2.0', method: 'approval.asked', params: approvalView(event.question) };
  const { id, because } = event;
  return { jsonrpc: '2.0', method: 'approval.withdrawn', params: { id, because } };
}

function pendingIn(approvals: Approvals): readonly ApprovalView[] {
  return approvals.pending().map(approvalView);
}

function approvalView(question: Question): ApprovalView {
  const { id, kind, client, tokenName, connection, means, statement, askedAt, expiresAt } = question;
  return {
    id,
    kind,
    client,
    token: tokenName === bridgeTokenName ? null : tokenName,
    connection,
    means,
    statement: statement === null ? null : { ...statement, ...textSize(statement.text) },
    askedAt,
    expiresAt,
  };
}
