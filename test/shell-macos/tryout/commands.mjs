/**
 * The tryout's commands. Each has a time limit. However the tryout ends, what it started ends with
 * it, and what is still to be undone is undone.
 */

import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const limitSeconds = 30;
const undos = [];

/**
 * What a command printed.
 * @throws if it failed or took too long; the message has its complaint.
 */
export async function ran(command, words, { seconds = limitSeconds, ...options } = {}) {
  try {
    const { stdout } = await run(command, words, { timeout: seconds * 1000, killSignal: 'SIGKILL', ...options });
    return stdout;
  } catch (error) {
    const why = error.killed ? `gave no answer within ${seconds} s` : `failed (${error.code})`;
    throw new Error(`${command} ${why}: ${String(error.stderr ?? '').trim()}`, { cause: error });
  }
}

/** What a command printed; empty if it failed. */
export const asked = (command, words, options) => ran(command, words, options).catch(() => '');

/** A process beside the tryout, which the tryout ends. */
export function started(command, words, options) {
  const child = spawn(command, words, options);
  undo(() => child.kill('SIGKILL'));
  child.on('error', () => {});
  return child;
}

/** @param act is done at the end, the last one first. It waits for nothing. */
export function undo(act) {
  undos.unshift(act);
}

/** Undoes each act once. If one fails, the others are done all the same. */
export function undoAll() {
  for (const act of undos.splice(0)) {
    try {
      act();
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    undoAll();
    process.exit(1);
  });
}
