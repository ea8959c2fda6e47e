/** `sallyport start`, `stop`, `restart`, `pause` and `resume`. */

import { setTimeout as wait } from 'node:timers/promises';
import type { StatusResult } from '../../shared/control-commands.ts';
import { homePlaceProblem, isHome } from '../../shared/home-place.ts';
import { lockHolder } from '../../shared/lock-holder.ts';
import { isAlive } from '../../shared/process-alive.ts';
import { keepStopped, mayStart } from '../../shared/stopped-until-login.ts';
import { unusableHome } from '../../shared/usable-home.ts';
import { failed, isNoDaemon, noDaemon } from '../cli-error.ts';
import { command } from '../command.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { runInForeground } from '../foreground.ts';
import { readyStatus, startDaemon, untilReady, whyUnserved } from '../starting.ts';
import { locationsOf, print, printJson, type Terminal } from '../terminal.ts';
import { showWaiting } from '../waiting-line.ts';

export const startCommand = command(
  {
    words: 'start',
    about: 'Start Sallyport in the background',
    details: ['Returns when it is ready, or says that it runs already.'],
    options: {
      foreground: { type: 'boolean', about: 'run here, and print what to paste into AI clients' },
    },
  },
  async ({ terminal, options, json }) => {
    const running = await readyStatus(terminal);
    if (running !== null) return say(terminal, json, running, true);
    if (options.foreground) mayStart(locationsOf(terminal).home);
    if (options.foreground) return runInForeground(terminal, ending => untilReady(terminal, ending));
    say(terminal, json, await startDaemon(terminal), false);
  },
);

function say(terminal: Terminal, json: boolean, status: StatusResult, wasRunning: boolean): void {
  const problem = whyUnserved(status);
  if (problem !== null) throw failed(problem);
  if (json) {
    printJson(terminal, { alreadyRunning: wasRunning, ...status });
    return;
  }
  const port = status.port === null ? 'its server switched off' : `port ${status.port}`;
  const paused = status.state === 'paused' ? ', paused' : '';
  print(
    terminal,
    `Sallyport ${wasRunning ? 'is already running' : 'is running'} (process ${status.pid}, ${port}${paused}).`,
  );
}

const ending = 'Waiting for running calls';

/** Longer than the daemon needs to finish its requests (spec §2: 3 s). */
const patienceMilliseconds = 10_000;
const pollMilliseconds = 25;

export const stopCommand = command(
  {
    words: 'stop',
    about: 'Stop Sallyport',
    details: ["Returns when it has stopped. A client's next call starts it again, unless --until-login."],
    options: {
      'until-login': { type: 'boolean', about: 'keep it stopped until you log in again, or start it' },
    },
  },
  async ({ terminal, options, answer }) => {
    const { home } = locationsOf(terminal);
    const isKept = options['until-login'] === true;
    // Noted before the stop: otherwise a client's call could start it again.
    if (isKept) noteKept(home);
    else mayStart(home);
    const pid = await showWaiting(terminal, ending, stopped(terminal)).catch((error: unknown) => {
      if (isKept && isNoDaemon(error)) return null;
      throw isNoDaemon(error) ? noDaemon('') : error;
    });
    const after = isKept
      ? 'It stays stopped until you log in again or run `sallyport start`.'
      : "A client's next call starts it again (`--until-login` prevents that).";
    answer({ stopped: true, pid, untilLogin: isKept }, `Sallyport has stopped. ${after}`);
  },
);

export const restartCommand = command(
  { words: 'restart', about: 'Stop Sallyport, and start it again' },
  async ({ terminal, json }) => {
    await showWaiting(terminal, ending, stopped(terminal)).catch((error: unknown) => {
      if (!isNoDaemon(error)) throw error;
    });
    say(terminal, json, await startDaemon(terminal), false);
  },
);

/** @throws CliError */
function noteKept(home: string): void {
  // One that runs may be open to others by now; it keeps its file all the same.
  const unfit = isHome(home) ? unusableHome(home) : homePlaceProblem(home);
  if (unfit !== null) throw failed(unfit);
  try {
    keepStopped(home);
  } catch (error) {
    throw failed(
      `Nothing was stopped: --until-login could not write its file in ${home} (${(error as Error).message}).`,
    );
  }
}

/** @returns the process that has ended. @throws CliError */
export async function stopped(terminal: Terminal): Promise<number> {
  const { lock } = locationsOf(terminal);
  // Who answers may be another program, and name another process.
  const holder = (await lockHolder(lock))?.pid ?? null;
  const asked = await askedToStop(terminal, holder);
  const pid = holder ?? asked.pid;
  if (await hasEnded(pid)) {
    // Nobody but who answered has said that it is this process.
    if (holder !== null || (await isFree(lock))) return pid;
    throw failed(`Who answered said that it would stop, but another process still holds ${lock}; look at the log.`);
  }
  // It said that it would stop. Signals are the last way, for the process that holds the lock; one
  // that waits for a disk that hangs hears only the last.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if ((asked.bySignal && signal === 'SIGTERM') || (await lockHolder(lock))?.pid !== pid) continue;
    process.kill(pid, signal);
    if (await hasEnded(pid)) return pid;
  }
  throw failed(`Sallyport was asked to stop, but process ${pid} still runs; look at its log.`);
}

/** @throws CliError */
async function askedToStop(
  terminal: Terminal,
  holder: number | null,
): Promise<{ readonly pid: number; readonly bySignal: boolean }> {
  try {
    const { pid } = await withDaemon(terminal, client => inTime(client.ask('stop', {})));
    return { pid, bySignal: false };
  } catch (error) {
    if (isNoDaemon(error) || holder === null) throw error;
    process.kill(holder, 'SIGTERM');
    return { pid: holder, bySignal: true };
  }
}

/** Another program may hand the proof on to the daemon, and then be silent. */
function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const late = wait(patienceMilliseconds, null, { ref: false }).then((): never => {
    throw failed('Sallyport was asked to stop, but gave no answer.');
  });
  return Promise.race([asked, late]);
}

function hasEnded(pid: number): Promise<boolean> {
  return comesTrue(() => !isAlive(pid));
}

function isFree(lock: string): Promise<boolean> {
  return comesTrue(async () => (await lockHolder(lock)) === null);
}

async function comesTrue(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const giveUpAt = performance.now() + patienceMilliseconds;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) return false;
    await wait(pollMilliseconds);
  }
  return true;
}

export const pauseCommand = command(
  {
    words: 'pause',
    about: 'Pause all AI access until you resume',
    details: ['Ends all running calls of clients. Sallyport stays paused after a restart.'],
  },
  async ({ terminal, answer }) => {
    const paused = await askDaemon(terminal, 'pause', {});
    answer(paused, 'Sallyport is paused. `sallyport resume` lets AI clients in again.');
  },
);

export const resumeCommand = command(
  { words: 'resume', about: 'Let AI clients in again' },
  async ({ terminal, answer }) => {
    const resumed = await askDaemon(terminal, 'resume', {});
    answer(resumed, 'Sallyport is no longer paused.');
  },
);
