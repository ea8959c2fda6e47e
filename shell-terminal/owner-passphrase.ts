/**
 * Has the owner passphrase typed where only a person can: on the terminal itself, `/dev/tty` (SPEC §11). Never from an argument,
 * a variable or stdin. Which request needs it is for the daemon to say.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { ConfirmationWanted } from '../shared/control.ts';
import { shownText } from '../shared/shown-text.ts';
import { type ControlClient, Refused } from './control-client.ts';
import { failed } from './ending.ts';
import { typedUnseen } from './typed-unseen.ts';

const mostTries = 3;

/** Asks again with the passphrase what was refused for want of it. What was right once is not asked for twice in one run. */
export function confirming(client: ControlClient): ControlClient {
  let known: string | undefined;
  return {
    ...client,
    async ask(method, params) {
      let typed = known;
      for (let tries = 0; ; tries += 1) {
        try {
          const result = await client.ask(method, params, typed);
          known = typed;
          return result;
        } catch (error) {
          if (!(error instanceof Refused) || !wantsPassphrase(error.data) || tries >= mostTries) throw error;
          const text = await passphraseOnTerminal(error.message, 'Owner passphrase: ');
          if (text === null) throw error;
          typed = text;
        }
      }
    },
  };
}

/** A new one, typed twice. @throws Ending */
export async function newPassphrase(): Promise<string> {
  const about =
    "Who knows it can widen what AI clients may do. It is typed here and nowhere else, and can't be looked up.";
  const first = await passphraseOnTerminal(about, 'New owner passphrase: ');
  if (first === null) throw failed(`${noTerminal} Nothing was changed.`);
  const second = await passphraseOnTerminal(null, 'The same again: ');
  if (second !== first) throw failed('The two are not the same; nothing was changed.');
  return first;
}

const noTerminal = 'A passphrase is typed on a terminal, and there is none here, or it was given up.';

/** Null without a terminal, or where it was given up. */
async function passphraseOnTerminal(sentence: string | null, prompt: string): Promise<string | null> {
  let descriptor: number;
  try {
    descriptor = openSync('/dev/tty', 'r+');
  } catch {
    return null;
  }
  let input: ReadStream;
  try {
    input = new ReadStream(descriptor);
  } catch {
    closeSync(descriptor);
    return null;
  }
  const show = (text: string): void => void writeSync(descriptor, text);
  try {
    if (sentence !== null) show(`${shownText(sentence)}\n`);
    return await typedUnseen(input, show, prompt);
  } finally {
    input.destroy();
  }
}

function wantsPassphrase(data: unknown): boolean {
  const { confirm }: Partial<ConfirmationWanted> = typeof data === 'object' && data !== null ? data : {};
  return confirm === 'passphrase';
}
