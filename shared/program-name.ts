/**
 * What a program is called by its command line: its own name, or that of the script it runs. Never
 * an argument: it may hold a secret.
 */

import { basename } from 'node:path';
/**
 * @param words the command line; empty where the system tells none.
 * @param plain what the system calls the program itself.
 */
export function nameOfProgram([program = '', ...rest]: readonly string[], plain: string): string {
  // A login shell's begins with a dash.
  const own = basename(program === '' ? plain : program).replace(/^-/, '');
  const script = interpreters.test(own) ? scriptIn(rest) : null;
  return programName(script === null ? own : basename(script));
}

/**
 * Of a program that put a title in the place of its command line, with its arguments in it:
 * `sshd: anna@pts/0`.
 */
export function nameOfTitle(title: string): string {
  return programName(basename(title.split(' ', 1)[0] ?? '').replace(/:$/, ''));
}

const interpreters = /^(?:node|nodejs|python[\d.]*|perl|ruby|sh|bash|dash|zsh|ksh|fish)$/;

/** These take no value. After any other option may come its value, or code. */
const skipped = ['--no-', '--enable-', '--disable-', '--trace-'];

function scriptIn(words: readonly string[]): string | null {
  const first = words.find(word => !skipped.some(option => word.startsWith(option)) && !holdsItsValue(word));
  if (first === undefined || first.startsWith('-') || first.startsWith('/dev/fd/')) return null;
  return first;
}

function holdsItsValue(word: string): boolean {
  return word.startsWith('--') && word.includes('=');
}

const longestProgramName = 24;

/**
 * What others named, made fit for the log's sentence: no blank, comma or parenthesis of theirs can
 * end its parts early.
 */
export function programName(name: string): string {
  const plain = name.replace(/[^\w.+@-]/g, '_').slice(0, longestProgramName);
  return plain === '' ? 'unnamed' : plain;
}
