/**
 * A process that writes to an activity log as fast as it can until it is killed, and reports what
 * it was promised.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, 'writer.ts');

export interface Promised {
  readonly attempts: readonly number[];
  readonly outcomes: readonly number[];
}

/**
 * Lets it run for so long, counted from its start or from its first write, and kills it.
 * @returns the attempts and outcomes that it was told were kept.
 */
export async function writeUntilKilled(home: string, from: 'start' | 'ready', milliseconds: number): Promise<Promised> {
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
  let said = '';
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text;
  });
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  const isReady = new Promise<void>(resolve => {
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text;
      if (said.includes('ready\n')) resolve();
    });
  });
  if (from === 'ready') await Promise.race([isReady, closed]);
  await new Promise(resolve => setTimeout(resolve, milliseconds));
  kill(child);
  await closed;
  if ((from === 'ready' && !said.includes('ready\n')) || complaints !== '')
    throw new Error(`the writer failed: ${complaints}`);
  const numbers = (word: string): number[] =>
    [...said.matchAll(new RegExp(`${word} (\\d+)\n`, 'g'))].map(m => Number(m[1]));
  return { attempts: numbers('attempt'), outcomes: numbers('outcome') };
}

function kill(child: ChildProcess): void {
  child.kill('SIGKILL');
}
