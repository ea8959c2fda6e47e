/**
 * `sallyport approvals --follow` on a terminal (spec §12): an open prompt that draws questions and
 * takes keys as answers.
 */

import type { ApprovalDecision, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import { isObject } from '../../shared/json.ts';
import { shownText } from '../../shared/shown-text.ts';
import { CliError, failed } from '../cli-error.ts';
import { Refused } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import type { Place } from '../sheet/drawing-place.ts';
import { onOwnScreen } from '../sheet/own-screen.ts';
import { ask } from '../sheet/prompt.ts';
import { watchedContent } from '../sheet/question.ts';
import { Watching } from '../sheet/watched.ts';
import { aboutQuestion } from '../shown-question.ts';
import { locationsOf, type Terminal } from '../terminal.ts';
import { watchApprovals } from './approvals-watch.ts';

/** Ends with Ctrl-C; survives the daemon's end. @throws CliError if no daemon runs at first. */
export async function followInWindow(terminal: Terminal, place: Place): Promise<void> {
  const watching = new Watching(Date.now);
  const leaving = new AbortController();
  /** The question being answered, and how it ended meanwhile. */
  let answering: { readonly id: string; ended: ApprovalWithdrawn | null } | null = null;
  const withdrawn = (withdrawal: ApprovalWithdrawn): void => {
    if (answering?.id === withdrawal.id) answering.ended = withdrawal;
    else watching.ended(withdrawal);
  };
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = watchApprovals(terminal, watching, { withdrawn }, resolve, leaving.signal);
    ended.catch(reject);
  });
  const { home } = locationsOf(terminal);
  const content = () => watchedContent(watching, home, Date.now(), place.paint);
  const prompt = { place, content, seen: new Set<string>() };

  async function answerUntilLeft(): Promise<void> {
    for (;;) {
      const { kind, id } = await ask(prompt);
      if (kind === 'leave') return;
      // Raw from here on: typed text isn't shown, and Ctrl-C sends no signal.
      place.input.setRawMode(true);
      await answer({ id, answer: kind === 'approve' ? 'yes' : 'no' });
    }
  }

  async function answer(decision: ApprovalDecision): Promise<void> {
    const { id } = decision;
    const question = watching.questions.get(id);
    if (question === undefined) return;
    const [doing, done] = decision.answer === 'yes' ? ['Approving', 'You approved'] : ['Denying', 'You denied'];
    place.output.write(`${doing} ${aboutQuestion(question)}\n\n`);
    const under = { id, ended: null as ApprovalWithdrawn | null };
    answering = under;
    try {
      const problem = await problemOf(terminal, decision);
      if (problem === null) watching.ended({ id, because: decision.answer }, done);
      else if (under.ended !== null) watching.ended(under.ended);
      else watching.told(`Not answered: ${problem}`);
    } finally {
      answering = null;
    }
  }

  try {
    await onOwnScreen(place, () => Promise.race([answerUntilLeft(), ended]));
  } finally {
    leaving.abort();
    place.input.setRawMode(false);
  }
}

/**
 * Null if the daemon accepted it, otherwise the reason; escaped. Uses a separate connection, which
 * forgets the passphrase at its end. Otherwise anyone who can later type into this window
 * (`tmux send-keys`) could approve without the passphrase.
 */
async function problemOf(terminal: Terminal, decision: ApprovalDecision): Promise<string | null> {
  try {
    await withDaemon(terminal, client => client.ask('approvals.decide', decision).catch(throwShorter));
    return null;
  } catch (error) {
    if (error instanceof CliError) return shownText(error.message);
    throw error;
  }
}

/** The daemon's sentence says to run this in a terminal, and it already runs in one. */
function throwShorter(error: unknown): never {
  const wantsConfirmation = error instanceof Refused && isObject(error.data) && 'confirm' in error.data;
  throw wantsConfirmation ? failed('the owner passphrase was not given.') : error;
}
