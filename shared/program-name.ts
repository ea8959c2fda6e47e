/**
 * A program's name from its command line: its own, or its script's. Never an argument, which may
 * hold a secret.
 */

import { basename } from 'node:path';
/**
 * @param words the command line; empty if the system doesn't tell it.
 * @param plain the system's name for the program.
 */
export function nameOfProgram([program = '', ...rest]: readonly string[], plain: string): string {
  // A login shell's name begins with a dash.
  const own = basename(program === '' ? plain : program).replace(/^-/, '');
  const script = interpreters.test(own) ? scriptIn(rest) : null;
  return programName(script === null ? own : basename(script));
}

/**
 * The name of a program that replaced its command line by a title with its arguments in it:
 * `sshd: anna@pts/0`.
 */
export function nameOfTitle(title: string): string {
  return programName(basename(title.split(' ', 1)[0] ?? '').replace(/:$/, ''));
}

const interpreters = /^(?:node|nodejs|python[\d.]*|perl|ruby|sh|bash|dash|zsh|ksh|fish)$/;

/** These take no value. Other options may be followed by a value, or by code. */
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
 * Makes a name by others fit for the log's sentence: its blanks, commas and parentheses can't end
 * the sentence's parts early.
 */
export function programName(name: string): string {
  const plain = name.replace(/[^\w.+@-]/g, '_').slice(0, longestProgramName);
  return plain === '' ? 'unnamed' : plain;
}
