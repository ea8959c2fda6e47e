/** Runs a built command on a terminal of its own (util-linux `script`), where what is asked for can be typed. */

import { missingPrograms } from '../../needs.ts';
import { executable, type RealHome } from '../../shell-terminal/real-home.ts';

const patienceMilliseconds = 40_000;

/** Null, or a sentence. */
export function missingForTyping(): string | null {
  if (process.platform !== 'linux') return "the options of Linux's script(1) are needed";
  return missingPrograms(['script'], 'sh test/install/desktop-files.sh');
}

export const passphrasePrompt = 'Type the owner passphrase to allow this: ';
/** Answers to who asks for an owner passphrase where there is none, or for another. */
export const choosing = (passphrase: string) =>
  [
    ['New owner passphrase: ', passphrase],
    ['The same again: ', passphrase],
  ] as const;

export interface Typed {
  readonly code: number | null;
  /** All that was shown. */
  readonly shown: string;
}

/** @param answers each typed, with Enter, once its prompt was shown again. */
export async function runOnTerminal(
  home: Pick<RealHome, 'spawnProgram'>,
  words: readonly string[],
  answers: readonly (readonly [prompt: string, typed: string])[],
): Promise<Typed> {
  const line = [executable, ...words].map(word => `'${word}'`).join(' ');
  const child = home.spawnProgram('/usr/bin/script', ['-qfec', line, '/dev/null']);
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
    child.stdin?.write(`${next[1]}\r`);
  });
  child.stdin?.on('error', () => {});
  // Who waits for an answer that never comes would say nothing of where.
  const patience = setTimeout(() => {
    shown += ' (given up: nothing answered this)';
    child.kill('SIGKILL');
  }, patienceMilliseconds);
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  clearTimeout(patience);
  // Lines are broken between words to fit the terminal.
  return { code, shown: shown.replace(/\s+/g, ' ') };
}
