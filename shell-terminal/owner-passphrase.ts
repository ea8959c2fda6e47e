/**
 * Has the owner confirm a privilege increase (spec §11): the passphrase typed where only a person
 * can, on the terminal itself, `/dev/tty`, never from an argument, a variable or stdin; or in
 * Sallyport.app. Which request needs it is for the daemon to say.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { ConfirmationWanted } from '../shared/control.ts';
import type { ConfirmationFact, PassphraseView } from '../shared/control-commands.ts';
import { isObject } from '../shared/json.ts';
import { leastPassphraseCharacters, passphraseProblem } from '../shared/new-passphrase.ts';
import { shownText } from '../shared/shown-text.ts';
import { type ControlClient, Refused } from './control-client.ts';
import { failed } from './ending.ts';
import { shownFacts } from './shown-facts.ts';
import { wrapped } from './terminal.ts';
import { typedUnseen } from './typed-unseen.ts';

const mostTries = 3;

/**
 * Asks again, confirmed, what was refused for want of it: with the passphrase, or by asking the
 * person in Sallyport.app. Each act is asked about anew: whoever types into this terminal
 * afterwards (`tmux send-keys`) must not go on under a passphrase that was typed before. @param
 * tell says that the app is waited for, and that nothing was confirmed.
 */
export function confirming(client: ControlClient, tell: (sentence: string) => void): ControlClient {
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
  'Nobody confirmed that: the owner passphrase is off, so any program that runs as you, your agents too, may allow itself anything.';

type Given = { readonly kind: 'typed'; readonly text: string } | { readonly kind: 'app' };

/** Null where the daemon wants none, or none is given. */
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

/**
 * Whether this very command chose the passphrase, or has told who did: then it says no more of it
 * at its end.
 */
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
 * A new one, typed twice; empty without a terminal: it is for the daemon to refuse what it is then
 * asked, so that its log says who tried.
 * @throws Ending
 */
export async function newPassphrase(about: string): Promise<string> {
  const typed = await typedTwice(about);
  if (typed === null) throw failed('No passphrase was typed; nothing was changed.');
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
 * Null where it was given up, undefined without a terminal; '' where nothing was typed at first.
 * One that can't be one is asked for anew, before it is typed a second time. @throws Ending where
 * the two differ.
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
  const second = await typedOnTerminal(null, 'The same again: ');
  if (second !== first) throw failed('The two are not the same; nothing was changed.');
  return first;
}

/** Null where it was given up, undefined without a terminal. */
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
    // The sentence last: of many lines the end is what stays in sight.
    if (facts.length > 0) for (const line of shownFacts(facts, columnsOfTerminal())) show(`${line}\n`);
    if (sentence !== null) for (const line of wrapped(shownText(sentence), columnsOfTerminal(), '')) show(`${line}\n`);
    return await typedUnseen(input, show, prompt);
  } finally {
    input.destroy();
  }
}

const usualColumns = 80;

/** Of the one that is typed on, wherever the output goes. */
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
