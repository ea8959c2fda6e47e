/**
 * Has the owner confirm a privilege increase (spec §11): with the passphrase, or in Sallyport.app.
 * The passphrase is typed where only a person can type, on the terminal itself (`/dev/tty`), never
 * taken from an argument, a variable or stdin. The daemon decides which requests need it.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { ConfirmationWanted } from '../shared/control.ts';
import type { ConfirmationFact, PassphraseView } from '../shared/control-commands.ts';
import { isObject } from '../shared/json.ts';
import { leastPassphraseCharacters, passphraseProblem } from '../shared/new-passphrase.ts';
import { shownText } from '../shared/shown-text.ts';
import { failed } from './cli-error.ts';
import { type ControlClient, Refused } from './control-client.ts';
import { readHiddenLine } from './read-hidden-line.ts';
import { shownFacts } from './shown-facts.ts';
import { wrapped } from './terminal.ts';

const mostTries = 3;

/**
 * Repeats a request that was refused for lack of a confirmation: with the passphrase, or by asking
 * the person in Sallyport.app. Each act is confirmed separately, so nobody who types into this
 * terminal later (`tmux send-keys`) can go on under a passphrase typed before.
 * @param tell tells the person that the app is waited for, or that nothing was confirmed.
 */
export function withConfirmation(client: ControlClient, tell: (sentence: string) => void): ControlClient {
  let isUnconfirmedTold = false;
  client.onUnconfirmed(() => {
    if (!isUnconfirmedTold) tell(unconfirmed);
    isUnconfirmedTold = true;
  });
  return {
    ...client,
    async ask(method, params) {
      let typed: string | undefined;
      let confirm: 'app' | undefined;
      for (let tries = 0; ; tries += 1) {
        try {
          return await client.ask(method, params, typed, confirm);
        } catch (error) {
          if (!(error instanceof Refused) || tries >= mostTries) throw error;
          const given = await confirmationFor(error, client);
          if (given === null) throw error;
          typed = given.kind === 'typed' ? given.text : undefined;
          confirm = given.kind === 'app' ? 'app' : undefined;
          if (given.kind === 'app') tell(waitsForApp);
        }
      }
    },
  };
}

const unconfirmed =
  'Nobody confirmed that: the owner passphrase is off, so any program that runs as you, your agents too, can grant itself any access.';

type Given = { readonly kind: 'typed'; readonly text: string } | { readonly kind: 'app' };

/** Asks the person for a confirmation. Null if the daemon wants none, or the person gives none. */
async function confirmationFor({ data }: Refused, client: ControlClient): Promise<Given | null> {
  const wanted = wantedIn(data);
  const facts = wanted?.facts;
  switch (wanted?.confirm) {
    case 'passphrase': {
      const text = await typedOnTerminal(wanted.sentence, 'Type the owner passphrase to allow this: ', facts);
      return typeof text === 'string' ? { kind: 'typed', text } : null;
    }
    case 'choose': {
      const text = await typedTwice(`${wanted.sentence} ${chooseNow}`, facts);
      if (typeof text !== 'string' || text === '') return null;
      await choosePassphrase(client, text);
      return { kind: 'typed', text };
    }
    case 'app': {
      if (wanted.passphrase !== true) return { kind: 'app' };
      const prompt = 'Type the owner passphrase to allow this, or Enter to answer in Sallyport.app: ';
      const text = await typedOnTerminal(wanted.sentence, prompt, facts);
      if (text === null) return null;
      return text === undefined || text === '' ? { kind: 'app' } : { kind: 'typed', text };
    }
    default:
      return null;
  }
}

function wantedIn(data: unknown): ConfirmationWanted | null {
  const isWanted = isObject(data) && typeof data.confirm === 'string' && typeof data.sentence === 'string';
  return isWanted ? (data as unknown as ConfirmationWanted) : null;
}

const waitsForApp = 'Waiting for your answer in Sallyport.app; Ctrl-C gives up.';
const chooseNow = `No owner passphrase is chosen yet: choose one, of ${leastPassphraseCharacters} characters or more, to allow this.`;

let isTold = false;

/** True if this command chose the passphrase, or said who did: its end doesn't say it again. */
export const isToldOfPassphrase = (): boolean => isTold;

export function sayNoMoreOfPassphrase(): void {
  isTold = true;
}

export async function choosePassphrase(
  client: Pick<ControlClient, 'ask'>,
  passphrase: string,
): Promise<PassphraseView> {
  const chosen = await client.ask('passphrase.set', { passphrase });
  sayNoMoreOfPassphrase();
  return chosen;
}

/**
 * A new passphrase, typed twice. It is empty without a terminal: the daemon then refuses the
 * request, so its log names the program that tried.
 * @throws CliError
 */
export async function newPassphrase(about: string): Promise<string> {
  const typed = await typedTwice(about);
  if (typed === null) throw failed('No passphrase was typed; nothing was changed.', 'passphrase_not_accepted');
  return typed ?? '';
}

/** Whether a person could type here, wherever stdin comes from. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Asks for a new passphrase twice. One that can't be accepted is asked for again before that.
 * @returns null if the person gave up, undefined without a terminal, '' if they typed nothing the
 *   first time.
 * @throws CliError if the two differ.
 */
export async function typedTwice(
  about: string,
  facts: readonly ConfirmationFact[] = [],
): Promise<string | null | undefined> {
  const prompt = 'New owner passphrase: ';
  let first = await typedOnTerminal(about, prompt, facts);
  for (;;) {
    if (typeof first !== 'string' || first === '') return first;
    const problem = passphraseProblem(first);
    if (problem === null) break;
    first = await typedOnTerminal(problem, prompt);
  }
  const second = await typedOnTerminal(null, 'Type it again: ');
  if (second !== first) throw failed('The two differ; nothing was changed.', 'passphrase_not_accepted');
  return first;
}

/** Asks for a hidden line. @returns null if the person gave up, undefined without a terminal. */
async function typedOnTerminal(
  sentence: string | null,
  prompt: string,
  facts: readonly ConfirmationFact[] = [],
): Promise<string | null | undefined> {
  let descriptor: number;
  try {
    descriptor = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  let input: ReadStream;
  try {
    input = new ReadStream(descriptor);
  } catch {
    closeSync(descriptor);
    return undefined;
  }
  const show = (text: string): void => void writeSync(descriptor, text);
  try {
    // The sentence comes last: if there are many lines, the end stays in sight.
    if (facts.length > 0) for (const line of shownFacts(facts, columnsOfTerminal())) show(`${line}\n`);
    if (sentence !== null) for (const line of wrapped(shownText(sentence), columnsOfTerminal(), '')) show(`${line}\n`);
    return await readHiddenLine(input, show, prompt);
  } finally {
    input.destroy();
  }
}

const usualColumns = 80;

/** Width of the terminal that is typed on, wherever the output goes. */
function columnsOfTerminal(): number {
  try {
    const output = new WriteStream(openSync('/dev/tty', 'r+'));
    const { columns } = output;
    output.destroy();
    return columns > 0 ? columns : usualColumns;
  } catch {
    return usualColumns;
  }
}
