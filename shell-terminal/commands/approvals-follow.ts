/**
 * `sallyport approvals --follow` where nothing can be drawn (spec §12): prints each question. On a
 * terminal it is attached for as long as it runs, and takes answers as lines; in a pipe it only
 * shows them.
 */

import { createInterface, type Interface } from 'node:readline';
import type { ApprovalView, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { Ending, noDaemon } from '../ending.ts';
import { questionLines, withdrawnLine } from '../shown-question.ts';
import { print, remark, type Terminal } from '../terminal.ts';
import { attach, notAskedHere } from './approvals-watch.ts';

/** Ends when the daemon does. @throws Ending */
export function followApprovals(terminal: Terminal, json: boolean): Promise<void> {
  // Each question is shown once, and its end only where it was.
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
    if (!attached) remark(terminal, notAskedHere);
    else if (!json) {
      const waiting = questions.length === 0 ? 'Nothing waits' : `${questions.length} waiting`;
      remark(terminal, `Questions are asked here now. ${waiting}; type yes ID or no ID to answer, Ctrl-C to leave.`);
    }
    questions.forEach(asked);
    const answers = attached ? takeAnswers(terminal) : null;
    await client.closed;
    // Else a terminal that may still be typed into would keep this process.
    answers?.close();
    throw noDaemon(' any more; `sallyport start` starts it');
  });
}

/** Lines that are typed. Their end is not the end: another terminal may answer as well. */
function takeAnswers(terminal: Terminal): Interface {
  const answers = createInterface({ input: terminal.stdin, terminal: false });
  answers.on('line', line => {
    const [, answer, id] = /^\s*(yes|no)\s+([a-z0-9]+)\s*$/i.exec(line) ?? [];
    if (id === undefined || answer === undefined) {
      if (line.trim() !== '') remark(terminal, 'Type yes ID or no ID; the ID stands at the head of a question.');
      return;
    }
    // A yes may need the owner passphrase, typed on this same terminal; over a connection of its
    // own, which forgets it at its end.
    answers.pause();
    const decision = { id: id.toLowerCase(), answer: answer.toLowerCase() === 'yes' ? 'yes' : 'no' } as const;
    askDaemon(terminal, 'approvals.decide', decision)
      .finally(() => answers.resume())
      .catch((error: unknown) => {
        if (!(error instanceof Ending)) throw error;
        remark(terminal, error.message);
      });
  });
  return answers;
}
