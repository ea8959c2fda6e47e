/**
 * `sallyport allow --follow` on a terminal (spec §12): an open prompt that draws what waits, one
 * after the other, and takes keys as answers.
 */

import { isObject } from '../../shared/json.ts';
import { shownText } from '../../shared/shown-text.ts';
import { CliError, failed } from '../cli-error.ts';
import { Refused } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import type { Place } from '../sheet/drawing-place.ts';
import { onOwnScreen } from '../sheet/own-screen.ts';
import { ask, type PromptAnswer } from '../sheet/prompt.ts';
import { locationsOf, type Terminal } from '../terminal.ts';
import { type Answer, give } from './answers.ts';
import { type Ask, aboutAsk, requestOf } from './asks.ts';
import { watchDesk } from './watch.ts';
import { Watching } from './watched.ts';
import { watchedContent } from './window-content.ts';

type Pressed = Exclude<PromptAnswer['kind'], 'leave' | 'gone' | 'later' | 'open'>;

/** Ends with Ctrl-C; survives the daemon's end. @throws CliError if no daemon runs at first. */
export async function followInWindow(terminal: Terminal, place: Place): Promise<void> {
  const watching = new Watching(Date.now);
  const leaving = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = watchDesk(terminal, watching, resolve, leaving.signal);
    ended.catch(reject);
  });
  const { home } = locationsOf(terminal);
  const content = () => watchedContent(watching, home, Date.now(), place.paint);
  const prompt = { place, content, seen: new Set<string>() };

  async function answerUntilLeft(): Promise<void> {
    for (;;) {
      const { kind, id } = await ask(prompt);
      if (kind === 'leave' || kind === 'gone') return;
      // Raw from here on: typed text isn't shown, and Ctrl-C sends no signal.
      place.input.setRawMode(true);
      const asked = watching.asks.get(id.split(' ')[0] ?? '');
      if (asked === undefined) continue;
      if (kind === 'later') watching.putAside(asked.id);
      else if (kind === 'open') await openRequest(asked);
      else await answer(asked, kind);
    }
  }

  async function answer(asked: Ask, kind: Pressed): Promise<void> {
    place.output.write(`${doing[kind]} ${aboutAsk(asked)}\n\n`);
    watching.hold(asked.id);
    const problem = await problemOf(terminal, asked, answers[kind], said => watching.told(said));
    // A level answers a request once its client sends it again.
    const isGone = watching.release(problem === null && kind !== '30m' ? done[kind] : null);
    if (problem !== null && !isGone) watching.told(`Not answered: ${problem}`);
    if (problem === null && kind === '30m') watching.putAside(asked.id);
  }

  /** Its rows are counted by the daemon, which may take some seconds. */
  async function openRequest({ id }: Ask): Promise<void> {
    place.output.write('Counting what it takes ...\n');
    try {
      const { requests } = await withDaemon(terminal, client => client.ask('requests.open', { ids: [id] }));
      for (const opened of requests) watching.asks.set(opened.id, requestOf(opened));
    } catch (error) {
      watching.told(`Not counted: ${sentenceOf(error)}`);
    }
  }

  try {
    await onOwnScreen(place, () => Promise.race([answerUntilLeft(), ended]));
  } finally {
    leaving.abort();
    place.input.setRawMode(false);
  }
}

const answers: Readonly<Record<Pressed, Answer>> = {
  approve: 'once',
  deny: 'no',
  once: 'once',
  run: 'run',
  '30m': '30m',
  no: 'no',
};

const doing: Readonly<Record<Pressed, string>> = {
  approve: 'Approving',
  deny: 'Denying',
  once: 'Allowing once:',
  run: 'Running',
  '30m': 'Letting AI clients write for 30 minutes:',
  no: 'Refusing',
};

const done: Readonly<Record<Exclude<Pressed, '30m'>, string>> = {
  approve: 'You approved',
  deny: 'You denied',
  once: 'You allowed once',
  run: 'You ran',
  no: 'You refused',
};

/**
 * Null if the daemon accepted it, otherwise the reason; escaped. Uses a separate connection, which
 * forgets the passphrase at its end. Otherwise anyone who can later type into this window
 * (`tmux send-keys`) could approve without the passphrase.
 * @param tell gets what a run changed.
 */
async function problemOf(
  terminal: Terminal,
  asked: Ask,
  answer: Answer,
  tell: (said: string) => void,
): Promise<string | null> {
  try {
    const given = await withDaemon(terminal, client => give(client, [asked], answer).catch(throwShorter));
    if (asked.ask === 'request' && given.problem === null)
      tell([...given.said, ...given.warnings].map(text => shownText(text)).join(' '));
    return given.problem === null ? null : shownText(given.problem);
  } catch (error) {
    return sentenceOf(error);
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof CliError) return shownText(error.message);
  throw error;
}

/** The daemon's sentence says to run this in a terminal, and it already runs in one. */
function throwShorter(error: unknown): never {
  const wantsConfirmation = error instanceof Refused && isObject(error.data) && 'confirm' in error.data;
  throw wantsConfirmation ? failed('the owner passphrase was not given.') : error;
}
