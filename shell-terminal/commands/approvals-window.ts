/**
 * `sallyport approvals --follow` in a terminal (spec §12): a prompt left open, in which questions
 * are drawn and answered by keys.
 */

import type { ApprovalDecision, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import { isObject } from '../../shared/json.ts';
import { shownText } from '../../shared/shown-text.ts';
import { Refused } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { Ending, failed } from '../ending.ts';
import { onOwnScreen } from '../sheet/own-screen.ts';
import type { Place } from '../sheet/place.ts';
import { ask } from '../sheet/prompt.ts';
import { watchedContent } from '../sheet/question.ts';
import { Watching } from '../sheet/watched.ts';
import { aboutQuestion } from '../shown-question.ts';
import { locationsOf, type Terminal } from '../terminal.ts';
import { watchApprovals } from './approvals-watch.ts';

/** Ends with Ctrl-C; outlives the daemon. @throws Ending where there is none at first. */
export async function followInWindow(terminal: Terminal, place: Place): Promise<void> {
  const watching = new Watching(Date.now);
  const leaving = new AbortController();
  /** The question whose answer is under way, and how it ended meanwhile. */
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
      // Raw from here on: what is typed meanwhile is not shown, and its Ctrl-C is no signal.
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
 * Null where the daemon took it, else why it didn't; escaped. Over a connection of its own, which
 * forgets the passphrase with its end: whoever could type into this window later (`tmux send-keys`)
 * would otherwise say yes without it.
 */
async function problemOf(terminal: Terminal, decision: ApprovalDecision): Promise<string | null> {
  try {
    await withDaemon(terminal, client => client.ask('approvals.decide', decision).catch(throwShorter));
    return null;
  } catch (error) {
    if (error instanceof Ending) return shownText(error.message);
    throw error;
  }
}

/** The daemon's own sentence says to run this in a terminal: here it is. */
function throwShorter(error: unknown): never {
  const wantsConfirmation = error instanceof Refused && isObject(error.data) && 'confirm' in error.data;
  throw wantsConfirmation ? failed('the owner passphrase was not given.') : error;
}
