/**
 * A private desktop for tests: a session bus of its own, and a program that shows notifications on
 * it. It ends with the test process, however that ends.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { missingPrograms } from '../missing-programs.ts';

export interface ShownNotification {
  readonly app: string;
  readonly summary: string;
  readonly body: string;
  readonly icon: string;
  readonly actions: readonly string[];
}

export interface Desktop {
  readonly address: string;
  /** In order. */
  readonly shown: readonly ShownNotification[];
  /** Freezes it: it accepts calls and answers none. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const bring = 'sh test/install/desktop-notifications.sh';
const here = (name: string) => join(import.meta.dirname, name);
const pythonPackages = '/usr/lib/python3/dist-packages';

/** Null, or what is missing, with the command that installs it. */
export function missingForDesktop(): string | null {
  if (process.platform !== 'linux') return 'Linux only';
  const files = ['/usr/bin/notify-send', '/usr/bin/python3', `${pythonPackages}/dbus`, `${pythonPackages}/gi`];
  const file = files.find(path => !existsSync(path));
  return file === undefined ? missingPrograms(['dbus-run-session'], bring) : `no ${file}; ${bring}`;
}

export async function startDesktop(): Promise<Desktop> {
  const session = spawn(
    'dbus-run-session',
    [`--config-file=${here('desktop-bus.conf')}`, '--', '/usr/bin/python3', here('desktop.py')],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    },
  );
  const ended = new Promise<void>(resolve => session.once('close', () => resolve()));
  const shown: ShownNotification[] = [];
  const { address, pid } = await new Promise<{ address: string; pid: number }>((resolve, reject) => {
    void ended.then(() => reject(new Error('the desktop has ended')));
    session.once('error', reject);
    let begun = false;
    createInterface({ input: session.stdout }).on('line', line => {
      if (begun) shown.push(JSON.parse(line));
      else resolve(JSON.parse(line));
      begun = true;
    });
  });
  return {
    address,
    shown,
    pause: () => void process.kill(pid, 'SIGSTOP'),
    resume: () => void process.kill(pid, 'SIGCONT'),
    async stop() {
      process.kill(pid, 'SIGCONT');
      session.stdin.end();
      await ended;
    },
  };
}
