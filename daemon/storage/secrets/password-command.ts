/**
 * Runs the user's command that prints a connection's password, and caches a password that comes
 * with an end (spec §6). The output is never logged.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { commandEnding, commandEnvironment } from '../../../shared/launch.ts';
import { shownText } from '../../../shared/shown-text.ts';
import { PasswordUnavailable } from '../../access/secret-store.ts';
import { type PrintedPassword, printedPassword } from './printed-password.ts';

/** A person may need time for a fingerprint or to unlock a vault. */
const defaultSeconds = 60;
const longestPassword = 64 * 1024;
const mostShown = 2 * 1024;
/** Signing in takes a moment, and the server's clock may be ahead of ours. */
const leftMilliseconds = 60_000;

interface PasswordCommands {
  /**
   * @returns the cached password, or else what the command prints. Callers during a run share its
   *   answer, so a growing pool asks the person once.
   * @throws PasswordUnavailable
   */
  run(command: string): Promise<string>;
  /**
   * Call it after the server refused a cached password. @returns what the command prints now; null
   * if the refused one was new.
   * @throws PasswordUnavailable
   */
  another(command: string, refused: string): Promise<string | null>;
  /** Ends running commands with their children. */
  close(): void;
}

export function passwordCommands(seconds = defaultSeconds): PasswordCommands {
  const running = new Map<string, Running>();
  const kept = new Map<string, Kept>();

  function forgetEnded(): void {
    for (const [command, { until }] of kept) if (until <= Date.now()) kept.delete(command);
  }

  async function run(command: string): Promise<string> {
    forgetEnded();
    const known = kept.get(command);
    if (known !== undefined) return known.password;
    const started = running.get(command) ?? start(command, seconds);
    if (running.has(command)) return (await started.printed).password;
    running.set(command, started);
    try {
      const { password, endsAt } = await started.printed;
      if (endsAt !== null) kept.set(command, { password, until: endsAt - leftMilliseconds });
      return password;
    } finally {
      running.delete(command);
    }
  }

  return {
    run,
    async another(command, refused) {
      const known = kept.get(command);
      if (known === undefined && !running.has(command)) return null;
      // Another dial may have fetched a newer one.
      if (known?.password === refused) kept.delete(command);
      return run(command);
    },
    close() {
      for (const { end } of running.values()) end();
    },
  };
}

interface Kept {
  readonly password: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

interface Running {
  readonly printed: Promise<PrintedPassword>;
  readonly end: () => void;
}

function start(command: string, seconds: number): Running {
  const env = commandEnvironment();
  // Its own process group: children of the shell end with it.
  const child: ChildProcess = spawn('/bin/sh', ['-c', command], {
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended by itself.
    }
  };
  const printed = new Promise<PrintedPassword>((resolve, reject) => {
    let output = '';
    let wrote = '';
    const fail = (how: string): void => {
      const problem = `the password command ${how}`;
      const said = shownText(wrote.trim(), 'lines');
      reject(new PasswordUnavailable(problem, `${problem}.${said === '' ? '' : ` It wrote: ${said}`}`));
    };
    const timer = setTimeout(() => {
      fail(`gave no password within ${seconds} s`);
      end();
    }, seconds * 1_000);
    // Without free file descriptors there are no streams, and an unheard 'error' would end the
    // daemon.
    child.once('error', ({ message }) => fail(`could not be run (${message})`));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length <= longestPassword) return;
      fail('printed more than a password');
      end();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      wrote = (wrote + text).slice(0, mostShown);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const read = code === 0 ? printedPassword(output) : { problem: commandEnding(code, signal, env.PATH) };
      if ('problem' in read) fail(read.problem);
      else resolve(read);
    });
  });
  return { printed, end };
}
