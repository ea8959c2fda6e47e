/**
 * The tryout's commands: each has a time limit, and what it started and what is still to be undone
 * ends with the tryout, however it ends.
 */

import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const limitSeconds = 30;
const undos = [];

/**
 * What a command printed.
 * @throws where it failed or took too long; the message has what it complained of.
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

/** What a command printed; empty where it failed. */
export const asked = (command, words, options) => ran(command, words, options).catch(() => '');

/** A process beside the tryout, which ends it. */
export function started(command, words, options) {
  const child = spawn(command, words, options);
  undo(() => child.kill('SIGKILL'));
  child.on('error', () => {});
  return child;
}

/** @param act done at the end, the last first; waits for nothing. */
export function undo(act) {
  undos.unshift(act);
}

/** Once: what is undone is forgotten. One that fails keeps none of the others. */
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
