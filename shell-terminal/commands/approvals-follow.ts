/**
 * `sallyport approvals --follow` where it can't draw (spec §12): prints each question. On a
 * terminal it stays attached while it runs, and reads answers as lines; in a pipe it only prints.
 */

import { createInterface, type Interface } from 'node:readline';
import type { ApprovalView, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import { CliError, noDaemon } from '../cli-error.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { questionLines, withdrawnLine } from '../shown-question.ts';
import { print, remark, type Terminal } from '../terminal.ts';
import { attach, needsTerminalToAnswer } from './approvals-watch.ts';

/** Ends when the daemon does. @throws CliError */
export function followApprovals(terminal: Terminal, json: boolean): Promise<void> {
  // Shows each question once, and reports its end only if it was shown.
  const shown = new Set<string>();
  const asked = (question: ApprovalView): void => {
    if (shown.has(question.id)) return;
    shown.add(question.id);
    if (json) print(terminal, JSON.stringify({ event: 'asked', ...question }));
    else print(terminal, '', ...questionLines(terminal, question));
  };
  const withdrawn = (ended: ApprovalWithdrawn): void => {
    if (!shown.delete(ended.id)) return;
    if (json) print(terminal, JSON.stringify({ event: 'withdrawn', ...ended }));
    else print(terminal, '', withdrawnLine(ended));
  };
  return withDaemon(terminal, async client => {
    const isTyped = terminal.stdin.isTTY === true;
    const { questions, attached } = await attach(client, { asked, withdrawn }, isTyped);
    if (!attached) remark(terminal, needsTerminalToAnswer);
    else if (!json) {
      const waiting = questions.length === 0 ? 'Nothing waits' : `${questions.length} waiting`;
      remark(terminal, `Questions are asked here now. ${waiting}; type yes ID or no ID to answer, Ctrl-C to leave.`);
    }
    questions.forEach(asked);
    const answers = attached ? takeAnswers(terminal) : null;
    await client.closed;
    // Otherwise the open terminal would keep this process alive.
    answers?.close();
    throw noDaemon(' any more; `sallyport start` starts it');
  });
}

/** Lines typed by a person. Their end doesn't end the command: another terminal may answer too. */
function takeAnswers(terminal: Terminal): Interface {
  const answers = createInterface({ input: terminal.stdin, terminal: false });
  answers.on('line', line => {
    const [, answer, id] = /^\s*(yes|no)\s+([a-z0-9]+)\s*$/i.exec(line) ?? [];
    if (id === undefined || answer === undefined) {
      if (line.trim() !== '') remark(terminal, 'Type yes ID or no ID; each question begins with its ID.');
      return;
    }
    // An approval may need the owner passphrase, typed on this terminal. It goes over a separate
    // connection, which forgets it at its end.
    answers.pause();
    const decision = { id: id.toLowerCase(), answer: answer.toLowerCase() === 'yes' ? 'yes' : 'no' } as const;
    askDaemon(terminal, 'approvals.decide', decision)
      .finally(() => answers.resume())
      .catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        remark(terminal, error.message);
      });
  });
  return answers;
}
