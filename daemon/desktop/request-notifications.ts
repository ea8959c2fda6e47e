/**
 * Tells the person on a Linux desktop that access requests wait (spec §12), by `notify-send` on the
 * session bus. Where either is missing nothing is started. Nothing depends on it: a notification
 * that can't be shown is one line in the log.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { keychainEnvironment } from '../../shared/keychain-call.ts';
import { freshEnvironment } from '../../shared/launch.ts';
import type { AccessRequests } from '../access/requests/access-requests.ts';
import { hasSessionBus } from '../storage/secrets/session-bus.ts';
import { notificationText } from './notification-text.ts';

const notificationLimits = {
  /** From one to the next: what is asked meanwhile is told together. */
  pauseMilliseconds: 30_000,
  /** One that waits for a desktop that doesn't answer. */
  patienceMilliseconds: 5_000,
} as const;

/** By path, as a PATH may lead to anybody's. The last is NixOS's. */
const notifiers = [
  '/usr/bin/notify-send',
  '/usr/local/bin/notify-send',
  '/run/current-system/sw/bin/notify-send',
] as const;

interface NotificationPorts {
  readonly requests: Pick<AccessRequests, 'onChanged' | 'waiting'>;
  /** How many questions and requests wait for the person. */
  readonly waiting: () => number;
  /** The setting `requests.notify`. */
  readonly isOn: () => boolean;
  readonly log: { debug(facts: object, message: string): void };
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** For tests; else the system's own. */
  readonly notifiers?: readonly string[];
  readonly limits?: { readonly [Name in keyof typeof notificationLimits]?: number };
}

interface Way {
  readonly notifier: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** @returns what ends it, with a notification that is being shown. */
export function notifyOfRequests(ports: NotificationPorts): () => void {
  const { requests, isOn, log, platform, environment } = ports;
  const limits = { ...notificationLimits, ...ports.limits };
  const untold = new Set<string>();
  let pause: NodeJS.Timeout | null = null;
  let shown: ChildProcess | null = null;
  let hasFailed = false;

  function tell(): void {
    pause = null;
    const due = requests.waiting().filter(({ id }) => untold.has(id));
    untold.clear();
    const way = due.length > 0 && isOn() ? wayToShow() : null;
    if (way === null) return;
    pause = setTimeout(tell, limits.pauseMilliseconds).unref();
    try {
      show(way, notificationText(due, ports.waiting()));
    } catch {
      // Node throws some of what keeps a program from starting, as too little memory.
      failed();
    }
  }

  function show({ notifier, environment }: Way, { summary, body }: ReturnType<typeof notificationText>): void {
    const child = spawn(notifier, ['--app-name=Sallyport', '--', summary, asArgument(body)], {
      env: environment,
      stdio: 'ignore',
      cwd: '/',
    });
    shown = child;
    // Not spawn's own timeout: if the program can't be started, it goes on and holds the
    // process.
    const patience = setTimeout(() => child.kill('SIGKILL'), limits.patienceMilliseconds).unref();
    child.once('error', failed);
    child.once('exit', code => {
      clearTimeout(patience);
      if (code !== 0) failed();
    });
  }

  function wayToShow(): Way | null {
    const notifier = (ports.notifiers ?? notifiers).find(path => existsSync(path));
    if (notifier === undefined) return null;
    const bus = busEnvironment(environment);
    // In the locale C it takes no text beyond ASCII.
    return hasSessionBus(bus) ? { notifier, environment: { ...bus, LANG: 'C.UTF-8' } } : null;
  }

  function failed(): void {
    if (!hasFailed) log.debug({}, 'a desktop notification of an access request could not be shown; this is said once');
    hasFailed = true;
  }

  if (platform === 'linux') {
    requests.onChanged(made => {
      if (made === null || !isOn()) return;
      untold.add(made.id);
      if (pause === null) tell();
    });
  }
  return () => {
    if (pause !== null) clearTimeout(pause);
    // What is ended here has not failed.
    hasFailed = true;
    shown?.kill('SIGKILL');
  };
}

/**
 * The daemon's own; where it was started outside any session, what the user's login has meanwhile.
 */
function busEnvironment(environment: NodeJS.ProcessEnv): ReturnType<typeof keychainEnvironment> {
  const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } = environment;
  const isInSession = DBUS_SESSION_BUS_ADDRESS !== undefined || XDG_RUNTIME_DIR !== undefined;
  return keychainEnvironment(isInSession ? environment : freshEnvironment(null));
}

/**
 * `notify-send` reads C's escapes in a body: `\n` in a name would begin a line, and `\342\200\256`
 * turn its direction.
 */
function asArgument(body: string): string {
  return body.replaceAll('\\', '\\\\');
}
