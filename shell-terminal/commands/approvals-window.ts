/** `sallyport approvals --follow` in a terminal (spec §12): a window left open, in which questions are drawn and answered by keys. */

import type { ApprovalDecision, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { Refused } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { Ending } from '../ending.ts';
import type { Place } from '../sheet/place.ts';
import { aboutQuestion, told, withdrawn } from '../sheet/watched.ts';
import { locationsOf, type Terminal } from '../terminal.ts';
import { type Watch, watchApprovals } from './approvals-watch.ts';

/** Ends with Ctrl-C; outlives the daemon. @throws Ending where there is none at first. */
export async function followInWindow(terminal: Terminal, place: Place): Promise<void> {
  const watch = watchApprovals(terminal);
  await watch.attached;
  // Not before it is needed: the library that draws would slow the start of every command.
  const [{ drawWatch }, { onOwnScreen }, { dropTyped }] = await Promise.all([
    import('../sheet/draw-watch.ts'),
    import('../sheet/own-screen.ts'),
    import('../sheet/keys.ts'),
  ]);
  const { watched, onChange } = watch;
  const window = { place, home: locationsOf(terminal).home, watched, onChange, seen: new Set<string>() };

  async function answerUntilLeft(): Promise<void> {
    for (;;) {
      const act = await drawWatch(window);
      if (act.kind === 'leave') return;
      // Raw from here on: what is typed meanwhile is not shown, and its Ctrl-C is no signal.
      place.input.setRawMode(true);
      await answer(terminal, place, watch, act.decision);
      await dropTyped(place.input);
    }
  }

  try {
    await onOwnScreen(place, () => Promise.race([answerUntilLeft(), watch.ended]));
  } finally {
    watch.end();
    place.input.setRawMode(false);
  }
}

/**
 * Over a connection of its own, which forgets the passphrase with its end: whoever could type into this window later
 * (`tmux send-keys`) would otherwise say yes without it.
 */
async function answer(terminal: Terminal, place: Place, watch: Watch, decision: ApprovalDecision): Promise<void> {
  const { id } = decision;
  const asked = watch.watched().questions.find(({ question }) => question.id === id);
  if (asked === undefined) return;
  const doing = decision.answer === 'yes' ? 'Approving' : 'Denying';
  place.output.write(`${doing} ${aboutQuestion(asked.question)}\n\n`);
  let elsewhere: ApprovalWithdrawn | null = null;
  const answered = watch.answering(id, withdrawal => {
    elsewhere = withdrawal;
  });
  try {
    const problem = await problemOf(terminal, decision);
    const ended: ApprovalWithdrawn | null = elsewhere;
    const at = Date.now();
    watch.change(before => {
      if (problem === null) return withdrawn(before, { id, because: decision.answer }, 'here', at);
      return ended === null ? told(before, `Not answered: ${problem}`, at) : withdrawn(before, ended, 'elsewhere', at);
    });
  } finally {
    answered();
  }
}

/** Null where the daemon took it, else why it didn't; escaped. */
async function problemOf(terminal: Terminal, decision: ApprovalDecision): Promise<string | null> {
  try {
    return await withDaemon(terminal, async client => {
      try {
        await client.ask('approvals.decide', decision);
        return null;
      } catch (error) {
        // Its own sentence says to run this in a terminal: here it is.
        if (error instanceof Refused && wantsConfirmation(error.data)) return 'the owner passphrase was not given.';
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof Ending) return shownText(error.message);
    throw error;
  }
}

function wantsConfirmation(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'confirm' in data;
}
