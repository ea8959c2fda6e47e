/**
 * Runs a command of the user beside us. A shell with it ends the command and everything that it
 * started, and removes its folder, once our end of a pipe closes: so nothing is left if we are
 * killed. Its output is kept for the person alone.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { commandEnding, commandEnvironment } from '../../shared/launch.ts';

const mostShown = 2 * 1024;
/** A little longer than the shell beside it waits. */
const endMilliseconds = 1_500;

/**
 * `$1` is the command, `$2` its folder. Signals the process group, whose number stays ours as long
 * as this shell lives.
 */
const script =
  '(trap "" TERM; read -r line <&3; kill -TERM 0; rm -rf -- "$2"; rmdir -- "$(dirname -- "$2")"; sleep 1; kill -KILL 0) >/dev/null 2>&1 & exec /bin/sh -c "$1" 3<&-';

export interface KeptChild {
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** Gets both streams as they come, unless `stdout` is the line to the server. */
  onOutput(heard: (text: string) => void): void;
  /** A clause on how it ended; null while it runs. */
  how(): string | null;
  /** The last text on its stderr. */
  wrote(): string;
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/** @param isLine true if its stdin and stdout are a line to the server. */
export function keepChild(command: string, folder: string, isLine: boolean): KeptChild {
  const env = commandEnvironment();
  const child: ChildProcess = spawn('/bin/sh', ['-c', script, 'sh', command, folder], {
    ...{ cwd: '/', env, detached: true },
    stdio: [isLine ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = child;
  // Without free file descriptors there are no streams.
  const life = (child.stdio?.[3] ?? null) as Writable | null;
  for (const stream of [stdin, stdout, stderr, life]) stream?.on('error', () => {});
  let how: string | null = null;
  let wrote = '';
  let heard: (text: string) => void = () => {};
  const hear = (text: string): void => heard(text);
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    wrote = (wrote + text).slice(-mostShown);
    hear(text);
  });
  if (!isLine) stdout?.setEncoding('utf8').on('data', hear);
  const ended = new Promise<void>(resolve => {
    const end = (words: string): void => {
      how ??= words;
      life?.destroy();
      resolve();
    };
    child.once('error', ({ message }) => end(`could not be run (${message})`));
    child.once('exit', (code, signal) => end(commandEnding(code, signal, env.PATH)));
  });
  return {
    ...{ stdin, stdout: stdout as Readable, ended },
    onOutput(listener) {
      heard = listener;
    },
    how: () => how,
    wrote: () => wrote,
    async end() {
      life?.destroy();
      await Promise.race([ended, wait(endMilliseconds, undefined, { ref: false })]);
      // The shell beside it may have been killed. As long as it isn't known to have ended, its
      // number is nobody else's.
      if (how === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
