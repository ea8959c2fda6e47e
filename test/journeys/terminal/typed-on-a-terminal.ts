/**
 * Runs a built command on a terminal of its own, where answers to its prompts
 * can be typed.
 */

import { executable, type RealHome } from '../../shell-terminal/real-home.ts';
import { lineOnTerminal, missingForTerminals } from '../../terminals/on-terminal.mjs';
import { here } from '../../waiting/limits.ts';

const patienceMilliseconds = 40_000;

/** Null, or a sentence. */
export const missingForTyping = (): string | null => missingForTerminals();

export const passphrasePrompt = 'Type the owner passphrase to allow this: ';
/** Answers to the prompts for a first or another owner passphrase. */
export const choosing = (passphrase: string) =>
  [
    ['New owner passphrase: ', passphrase],
    ['Type it again: ', passphrase],
  ] as const;

export interface Typed {
  readonly code: number | null;
  /** Everything shown, on one line. */
  readonly shown: string;
  /** The same, with its line breaks. */
  readonly drawn: string;
}

/** What is typed. A function first makes something happen while the prompt waits. */
export type Answer = readonly [prompt: string, typed: string | (() => Promise<string>)];

/**
 * @param answers each is typed, with Enter, once its prompt is shown again.
 * @param columns of the terminal.
 * @throws if the command still waits once all is typed.
 */
export async function runOnTerminal(
  home: Pick<RealHome, 'spawnProgram'>,
  words: readonly string[],
  answers: readonly Answer[],
  columns: number | null = null,
): Promise<Typed> {
  const called = [executable, ...words].map(word => `'${word}'`).join(' ');
  const line = columns === null ? called : `stty cols ${columns} rows 50; ${called}`;
  const child = home.spawnProgram(...lineOnTerminal(line));
  let shown = '';
  let read = 0;
  const waiting = [...answers];
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', text => {
    shown += text;
    const [next] = waiting;
    if (next === undefined) return;
    const at = shown.indexOf(next[0], read);
    if (at === -1) return;
    read = at + next[0].length;
    waiting.shift();
    const typing = typeof next[1] === 'string' ? Promise.resolve(next[1]) : next[1]();
    void typing.then(typed => child.stdin?.write(`${typed}\r`));
  });
  child.stdin?.on('error', () => {});
  // Without this limit a wait for a missing prompt wouldn't say which one.
  let isLeft = false;
  const patience = setTimeout(() => {
    isLeft = true;
    child.kill('SIGKILL');
  }, here(patienceMilliseconds));
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  clearTimeout(patience);
  if (isLeft) throw new Error(`nothing answered this: ${shown}`);
  // Lines are broken between words to fit the terminal.
  return { code, shown: shown.replace(/\s+/g, ' '), drawn: shown };
}
