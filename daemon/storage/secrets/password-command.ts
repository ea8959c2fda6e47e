/**
 * Runs the user's command that prints a connection's password, and keeps one that says when it ends
 * (spec §6). What it prints is never logged.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { commandEnding, commandEnvironment } from '../../../shared/launch.ts';
import { shownText } from '../../../shared/shown-text.ts';
import { PasswordUnavailable } from '../../access/secret-store.ts';
import { type PrintedPassword, printedPassword } from './printed-password.ts';

/** A fingerprint or an unlocked vault takes a person a while. */
const defaultSeconds = 60;
const longestPassword = 64 * 1024;
const mostShown = 2 * 1024;
/** A sign-in takes its time, and the server's clock may be ahead of ours. */
const leftMilliseconds = 60_000;

interface PasswordCommands {
  /**
   * What is kept, else what it prints now. Whoever asks while it runs gets the same answer: a pool
   * that grows asks the person once.
   * @throws PasswordUnavailable
   */
  run(command: string): Promise<string>;
  /**
   * After the server refused a password that was kept: what the command prints now. Null where it
   * was new.
   * @throws PasswordUnavailable
   */
  another(command: string, refused: string): Promise<string | null>;
  /** Ends those that run, with their children. */
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
      // Another dial may have asked for a newer one meanwhile.
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
  // A process group of its own: what the shell started ends with the shell.
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
      // All of them ended by themselves.
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
    // Where no file descriptor is left there are no streams, and an 'error' that nobody hears would
    // end the daemon.
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
