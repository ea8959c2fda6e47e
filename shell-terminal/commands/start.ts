/** `sallyport start`: launches the daemon and returns when it is ready, or runs it in the foreground. */

import { setTimeout as wait } from 'node:timers/promises';
import type { StatusResult } from '../../shared/control-commands.ts';
import { daemonBeside, homeToName, launchDaemon } from '../../shared/launch.ts';
import { command } from '../command.ts';
import { ConnectionLost } from '../control-client.ts';
import { tryDaemon } from '../daemon.ts';
import { failed } from '../ending.ts';
import { runInForeground } from '../foreground.ts';
import { locationsOf, print, printJson, type Terminal } from '../terminal.ts';

const patienceMilliseconds = 10_000;
const pollMilliseconds = 50;

export const startCommand = command(
  {
    words: 'start',
    arguments: [],
    about: 'Start Sallyport in the background',
    details: ['Returns when it is ready; says so when it runs already.'],
    options: {
      foreground: { type: 'boolean', about: 'run here, and print what to paste into AI clients' },
    },
    json: true,
  },
  async ({ terminal, options, json }) => {
    const running = await readyStatus(terminal);
    if (running !== null) return say(terminal, json, running, true);
    if (options.foreground) return runInForeground(terminal, ending => untilReady(terminal, ending));

    const launch = await launchDaemon({
      daemonExecutable: daemonBeside(terminal.script),
      namedHome: homeToName(terminal.environment),
    });
    if (launch.kind === 'failed') throw failed(`Sallyport could not be started: ${launch.problem}.`);
    say(terminal, json, await untilReady(terminal, launch.ending), false);
  },
);

function say(terminal: Terminal, json: boolean, status: StatusResult, wasRunning: boolean): void {
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

/** @throws Ending when it isn't ready in time. */
async function untilReady(terminal: Terminal, ending: () => string | null): Promise<StatusResult> {
  const giveUpAt = performance.now() + patienceMilliseconds;
  for (;;) {
    const status = await readyStatus(terminal);
    if (status !== null) return status;
    const ended = ending();
    // One that ended well gave way to another, which is about to be ready.
    if (ended !== null && !ended.endsWith('exit code 0'))
      throw failed(`Sallyport did not start: ${ended}. ${whatToDo(terminal)}`);
    if (performance.now() > giveUpAt) throw failed(`Sallyport was not ready within 10 s. ${whatToDo(terminal)}`);
    await wait(pollMilliseconds);
  }
}

const isUp = { starting: false, ready: true, paused: true, off: true, stopping: false } as const;

/** @throws Ending where somebody answers who can't be believed. */
async function readyStatus(terminal: Terminal): Promise<StatusResult | null> {
  const connecting = await tryDaemon(terminal);
  if (connecting.kind === 'absent') return null;
  if (connecting.kind === 'untrusted') throw failed(connecting.problem);
  try {
    const status = await connecting.client.ask('status', {});
    return isUp[status.state] ? status : null;
  } catch (error) {
    if (error instanceof ConnectionLost) return null;
    throw error;
  } finally {
    connecting.client.close();
  }
}

function whatToDo(terminal: Terminal): string {
  return `\`sallyport start --foreground\` shows why; its log is in ${locationsOf(terminal).logs}.`;
}
