/**
 * The built `sallyport allow --follow` on a terminal of its own, in line
 * mode: whether the daemon counts it as one that asks a person.
 */

import type { ChildProcess } from 'node:child_process';
import { executable, type RealHome } from '../../shell-terminal/real-home.ts';
import { lineOnTerminal } from '../../terminals/on-terminal.mjs';
import { until } from '../../waiting/until.ts';

export { missingForTyping as missingForFollower } from './typed-on-a-terminal.ts';

export interface Follower {
  /** Everything shown, including remarks, in lines that end with a line feed. */
  shown(): string;
  /** Types the line and Enter. */
  type(line: string): void;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  /** Ends it as Ctrl-C does. */
  end(): Promise<void>;
}

/** @returns once it is attached. */
export async function followOnTerminal(
  home: Pick<RealHome, 'spawnProgram'>,
  options: readonly string[] = [],
  isAttached: (shown: string) => boolean = shown => shown.includes('Questions are asked here now.'),
): Promise<Follower> {
  const command = [executable, 'allow', '--follow', ...options].map(word => `'${word}'`).join(' ');
  // Wide, so no line is broken; typed text isn't echoed into the output.
  const line = `stty cols 240 -echo; TERM=dumb NO_COLOR=1 exec ${command}`;
  const child: ChildProcess = home.spawnProgram(...lineOnTerminal(line));
  let shown = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', text => {
    shown += text.replaceAll('\r', '');
  });
  child.stdin?.on('error', () => {});
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  await until(() => isAttached(shown), 'the terminal is attached');
  return {
    shown: () => shown,
    type: text => void child.stdin?.write(`${text}\r`),
    ended,
    async end() {
      child.stdin?.write('\u0003');
      await ended;
    },
  };
}
