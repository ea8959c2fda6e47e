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
import { give } from './answers.ts';
import { type Ask, aboutAsk, ofClients } from './asks.ts';
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
      // Behind a blank stands which screen of it that was.
      const asked = watching.asks.get(id.split(' ')[0] ?? '');
      if (asked === undefined) continue;
      if (kind === 'later') watching.putAside(asked.id);
      else if (kind === 'open') await openRequest(asked);
      else await answer(asked, kind);
    }
  }

  async function answer(asked: Ask, kind: Pressed): Promise<void> {
    const isKey = asked.kind === 'host_key';
    const [doing, done] = wordsFor(asked, kind);
    place.output.write(`${doing}: ${aboutAsk(asked)}\n\n`);
    watching.hold(asked.id);
    const end = await endOf(terminal, asked, kind);
    // A level answers a request once its client sends it again. A key stays trusted, come what may.
    const isDone = end.isTaken && (end.problem === null || isKey) && kind !== '30m';
    const isGone = watching.release(isDone ? done : null);
    for (const said of end.said) watching.told(said);
    if (end.problem !== null && (end.isTaken || !isGone))
      watching.told(end.isTaken ? end.problem : `Not answered: ${end.problem}`);
    if (end.problem === null && kind === '30m' && !isGone) watching.putAside(asked.id);
  }

  /** Its rows are counted by the daemon, which may take some seconds. */
  async function openRequest({ id }: Ask): Promise<void> {
    place.output.write('Counting its effect ...\n');
    try {
      const { asks } = await withDaemon(terminal, client => client.ask('desk.open', { ids: [id] }));
      for (const opened of ofClients(asks)) watching.put(opened);
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

type Words = readonly [doing: string, done: string];

const words: Readonly<Record<Pressed, Words>> = {
  yes: ['Allowing once', 'You allowed once'],
  run: ['Running', 'You ran'],
  '30m': ['Letting AI clients write for 30 minutes', 'You let AI clients write for 30 minutes'],
  no: ['Refusing', 'You refused'],
};

/** A key is trusted for good, and a first use is allowed for hours. */
function wordsFor({ waits, statement }: Ask, kind: Pressed): Words {
  if (waits) return kind === 'no' ? ['Denying', 'You denied'] : ['Approving', 'You approved'];
  return kind === 'yes' && statement === null ? ['Allowing', 'You allowed'] : words[kind];
}

interface End {
  /** False if the daemon refused the answer. */
  readonly isTaken: boolean;
  /** What a run changed; escaped, as is the problem. */
  readonly said: readonly string[];
  readonly problem: string | null;
}

/**
 * Uses a separate connection, which forgets the passphrase at its end. Otherwise anyone who can
 * later type into this window (`tmux send-keys`) could approve without the passphrase.
 */
async function endOf(terminal: Terminal, asked: Ask, answer: Pressed): Promise<End> {
  try {
    const given = await withDaemon(terminal, client => give(client, [asked], answer).catch(throwShorter));
    // The window's own sentence tells how a question ended.
    const lines = asked.waits ? [] : [...given.said, ...given.warnings];
    const said = lines.length === 0 ? [] : [lines.map(line => shownText(line)).join(' ')];
    return { isTaken: true, said, problem: given.problem === null ? null : shownText(given.problem) };
  } catch (error) {
    return { isTaken: false, said: [], problem: sentenceOf(error) };
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
