/**
 * The command that runs another one on a pseudo-terminal of its own: what is written to its stdin is
 * typed there, what the terminal shows is its output, and it ends with the other's exit code. The
 * one way for all tests. On Linux it is `script`; that of macOS takes no stdin that is a socket, as
 * Node's pipes are, so there it is on_terminal.py.
 */

import { fileURLToPath } from 'node:url';
import { missingPrograms } from '../missing-programs.ts';

const python = fileURLToPath(new URL('./on_terminal.py', import.meta.url));

/** @param words a program and its arguments. @returns for `spawn(...)`. */
export function onTerminal(words, platform = process.platform) {
  return platform === 'darwin'
    ? ['python3', [python, ...words]]
    : lineOnTerminal(words.map(quoted).join(' '), platform);
}

/** @param line for a shell. */
export function lineOnTerminal(line, platform = process.platform) {
  return platform === 'darwin'
    ? onTerminal(['sh', '-c', line], platform)
    : ['/usr/bin/script', ['-qfec', line, '/dev/null']];
}

/** Null, or a sentence. */
export function missingForTerminals(platform = process.platform) {
  return platform === 'darwin'
    ? missingPrograms(['python3'], 'xcode-select --install')
    : missingPrograms(['script'], 'sh test/install/desktop-files.sh');
}

function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
