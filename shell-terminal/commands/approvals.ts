/**
 * `sallyport approvals`, `approvals yes` and `approvals no` (spec §12, §16): questions that wait
 * for the user, and the answers.
 */

import type { ApprovalDecision, ApprovalView } from '../../shared/control-commands.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { placeOn } from '../sheet/drawing-place.ts';
import { asksFor } from '../shown-question.ts';
import { table } from '../table.ts';
import { print, printJson, remark } from '../terminal.ts';
import { shownClock } from '../words.ts';
import { followApprovals } from './approvals-follow.ts';
import { followInWindow } from './approvals-window.ts';

export const approvalsCommand = command(
  {
    words: 'approvals',
    about: 'List the questions that wait for you, or answer them',
    details: [
      '--follow asks you in this terminal until Ctrl-C: a window shows each question, and',
      'Deny is the default. With --json or TERM=dumb it prints questions, and you answer',
      'with lines: `yes ID` or `no ID`. In a pipe it only prints them.',
    ],
    options: { follow: { type: 'boolean', about: 'stay, and ask you here' } },
  },
  async ({ terminal, options, json }) => {
    if (options.follow === true) {
      const place = json ? 'no terminal' : placeOn(terminal.stdout, terminal);
      return typeof place === 'string' ? followApprovals(terminal, json) : followInWindow(terminal, place);
    }
    const { questions } = await askDaemon(terminal, 'approvals.pending', {});
    if (json) return printJson(terminal, questions);
    if (questions.length === 0) return print(terminal, 'Nothing waits for your answer.');
    const columns = {
      ID: ({ id }: ApprovalView) => id,
      CLIENT: ({ client }: ApprovalView) => client,
      'ASKS TO': asksFor,
      CONNECTION: ({ connection }: ApprovalView) => connection.name,
      UNTIL: ({ expiresAt }: ApprovalView) => shownClock(expiresAt),
    };
    print(terminal, ...table(terminal, questions, columns, 'CLIENT'));
    remark(
      terminal,
      '`sallyport approvals --follow` shows each in full; `approvals yes ID` or `approvals no ID` answers.',
    );
  },
);

export const approveCommand = answering('yes', 'Approve what a question asks, once');
export const refuseCommand = answering('no', 'Deny what a question asks');

function answering(decision: ApprovalDecision['answer'], about: string) {
  return command(
    { words: `approvals ${decision}`, arguments: ['ID'], about },
    async ({ terminal, arguments: [typed = ''], answer }) => {
      const decided = await askDaemon(terminal, 'approvals.decide', { id: typed.toLowerCase(), answer: decision });
      answer(decided, `${decision === 'yes' ? 'Approved' : 'Denied'} ${decided.id}.`);
    },
  );
}
