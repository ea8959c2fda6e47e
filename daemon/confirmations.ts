/** Wires the questions to the user of one run (spec §12): the register, the memory of first uses, the questions through clients. */

import { randomBytes } from 'node:crypto';
import type { Concurrency } from './access/limits/concurrency.ts';
import { approvalLimits, newQuestionId, openApprovals } from './access/questions/approvals.ts';
import { openFirstUses } from './access/questions/first-use.ts';
import type { ActivityLog } from './activity.ts';
import { openClientQuestions } from './clients/mcp/client-questions.ts';
import type { ConfirmationPorts } from './clients/mcp/confirmation.ts';
import type { Log } from './clients/mcp/log.ts';
import { logQuestions } from './clients/mcp/question-log.ts';
import { recordQuestions } from './clients/mcp/record-question.ts';

interface ConfirmationsOptions {
  /** Whether a shell that can ask a person is attached. */
  readonly someoneAnswers: () => boolean;
  /** As the approvals take it; else none can be brought. */
  readonly bringShell?: (() => Promise<void>) | null;
  readonly whileWaiting: Concurrency['whileWaiting'];
  /** The setting, asked each time; else that of the limits. */
  readonly rememberHours?: () => number;
  readonly log: Log;
  readonly activity: Pick<ActivityLog, 'record'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** For tests that can't wait; else {@link approvalLimits}. */
  readonly limits?: Partial<{ readonly [Name in keyof typeof approvalLimits]: number }>;
}

export function openConfirmations(options: ConfirmationsOptions): ConfirmationPorts {
  const { someoneAnswers, whileWaiting, log, activity, now, limits } = options;
  const held = { ...approvalLimits, ...limits };
  const after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  };
  const approvals = openApprovals({
    now,
    after,
    newId: () => newQuestionId(randomBytes),
    someoneAnswers,
    bringShell: options.bringShell ?? null,
    limits: held,
  });
  approvals.onEvent(logQuestions(log));
  approvals.onEvent(recordQuestions(activity));
  return {
    approvals,
    firstUses: openFirstUses({ approvals, now, rememberHours: options.rememberHours ?? (() => held.rememberHours) }),
    clientQuestions: openClientQuestions({
      key: randomBytes(32),
      now,
      newId: () => randomBytes(18).toString('base64url'),
      after,
      limits: held,
    }),
    whileWaiting,
    log,
    activity,
  };
}
