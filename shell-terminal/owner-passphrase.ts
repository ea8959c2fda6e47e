/**
 * Has the owner confirm what widens access (spec §11): the passphrase typed where only a person can, on the terminal itself,
 * `/dev/tty`, never from an argument, a variable or stdin; or in Sallyport.app. Which request needs it is for the daemon to say.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { ConfirmationFact } from '../shared/control-commands.ts';
import { shownText } from '../shared/shown-text.ts';
import { type ControlClient, Refused } from './control-client.ts';
import { failed } from './ending.ts';
import { factsIn, shownFacts } from './shown-facts.ts';
import { typedUnseen } from './typed-unseen.ts';

const mostTries = 3;

/**
 * Asks again, confirmed, what was refused for want of it: with the passphrase, or by asking the person in Sallyport.app. What was
 * right once is not asked for twice in one run. @param tell says that the app is waited for.
 */
export function confirming(client: ControlClient, tell: (sentence: string) => void): ControlClient {
  let known: string | undefined;
  return {
    ...client,
    async ask(method, params) {
      let typed = known;
      let confirm: 'app' | undefined;
      for (let tries = 0; ; tries += 1) {
        try {
          const result = await client.ask(method, params, typed, confirm);
          known = typed;
          return result;
        } catch (error) {
          if (!(error instanceof Refused) || tries >= mostTries) throw error;
          const given = await confirmationFor(error);
          if (given === null) throw error;
          typed = given.kind === 'typed' ? given.text : undefined;
          confirm = given.kind === 'app' ? 'app' : undefined;
          if (given.kind === 'app') tell(waitsForApp);
        }
      }
    },
  };
}

type Given = { readonly kind: 'typed'; readonly text: string } | { readonly kind: 'app' };

/** Null where the daemon wants none, or none is given. */
async function confirmationFor({ message, data }: Refused): Promise<Given | null> {
  const wanted: { confirm?: unknown; passphrase?: unknown } = typeof data === 'object' && data !== null ? data : {};
  const facts = factsIn(data);
  if (wanted.confirm === 'passphrase') {
    const text = await passphraseOnTerminal(message, 'Owner passphrase: ', facts);
    return typeof text === 'string' ? { kind: 'typed', text } : null;
  }
  if (wanted.confirm !== 'app') return null;
  if (wanted.passphrase !== true) return { kind: 'app' };
  const text = await passphraseOnTerminal(message, 'Owner passphrase, or Enter to answer in Sallyport.app: ', facts);
  if (text === null) return null;
  return text === undefined || text === '' ? { kind: 'app' } : { kind: 'typed', text };
}

const waitsForApp = 'Waiting for your answer in Sallyport.app; Ctrl-C gives up.';

/** A new one, typed twice. @throws Ending */
export async function newPassphrase(): Promise<string> {
  const about =
    "Anyone who knows it can give AI clients more access. It is typed here and nowhere else, and can't be looked up.";
  const first = await passphraseOnTerminal(about, 'New owner passphrase: ');
  if (typeof first !== 'string') throw failed(`${noTerminal} Nothing was changed.`);
  const second = await passphraseOnTerminal(null, 'The same again: ');
  if (second !== first) throw failed('The two are not the same; nothing was changed.');
  return first;
}

const noTerminal = 'A passphrase is typed on a terminal, and there is none here, or it was given up.';

/** Null where it was given up, undefined without a terminal. */
async function passphraseOnTerminal(
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
    if (sentence !== null) show(`${shownText(sentence)}\n`);
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
