/** Runs the user's command that prints a connection's password (spec §6). What it prints is never logged. */

import { type ChildProcess, spawn } from 'node:child_process';
import { freshEnvironment } from '../../../shared/launch.ts';
import { shownText } from '../../../shared/shown-text.ts';
import { PasswordUnavailable } from '../../access/secret-store.ts';

/** A fingerprint or an unlocked vault takes a person a while. */
const defaultSeconds = 60;
const longestPassword = 64 * 1024;
const mostShown = 2 * 1024;

interface PasswordCommands {
  /** Whoever asks while it runs gets the same answer: a pool that grows asks the person once. @throws PasswordUnavailable */
  run(command: string): Promise<string>;
  /** Ends those that run, with their children. */
  close(): void;
}

export function passwordCommands(seconds = defaultSeconds): PasswordCommands {
  const running = new Map<string, Running>();
  return {
    run(command) {
      const known = running.get(command);
      if (known !== undefined) return known.password;
      const started = start(command, seconds);
      running.set(command, started);
      const ended = () => void running.delete(command);
      started.password.then(ended, ended);
      return started.password;
    },
    close() {
      for (const { end } of running.values()) end();
    },
  };
}

interface Running {
  readonly password: Promise<string>;
  readonly end: () => void;
}

function start(command: string, seconds: number): Running {
  const env = environment();
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
  const password = new Promise<string>((resolve, reject) => {
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
    // Where no file descriptor is left there are no streams, and an 'error' that nobody hears would end the daemon.
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
      if (code === 0) resolve(output.replace(/\r?\n$/, ''));
      else fail(endingOf(code, signal, env.PATH));
    });
  });
  return { password, end };
}

/** Homebrew's folder stands last: what the system has comes first. */
function environment(): Record<string, string> {
  const clean = freshEnvironment(null);
  return process.platform === 'darwin' ? { ...clean, PATH: `${clean.PATH}:/opt/homebrew/bin` } : clean;
}

/** What a shell says of a program that it didn't find (POSIX, Shell Command Language, 2.8.2). */
const notFound = 127;

function endingOf(code: number | null, signal: string | null, path: string | undefined): string {
  if (code === null) return `was ended by ${signal}`;
  if (code !== notFound) return `ended with exit code ${code}`;
  return `names a program that is not in ${path}: write the program's whole path`;
}
