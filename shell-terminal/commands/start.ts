/** `sallyport start`: launches the daemon and returns when it is ready, or runs it in the foreground. */

import type { StatusResult } from '../../shared/control-commands.ts';
import { command } from '../command.ts';
import { failed } from '../ending.ts';
import { runInForeground } from '../foreground.ts';
import { readyStatus, started, unserved, untilReady } from '../starting.ts';
import { print, printJson, type Terminal } from '../terminal.ts';

export const startCommand = command(
  {
    words: 'start',
    about: 'Start Sallyport in the background',
    details: ['Returns when it is ready; says so when it runs already.'],
    options: {
      foreground: { type: 'boolean', about: 'run here, and print what to paste into AI clients' },
    },
  },
  async ({ terminal, options, json }) => {
    const running = await readyStatus(terminal);
    if (running !== null) return say(terminal, json, running, true);
    if (options.foreground) return runInForeground(terminal, ending => untilReady(terminal, ending));
    say(terminal, json, await started(terminal), false);
  },
);

function say(terminal: Terminal, json: boolean, status: StatusResult, wasRunning: boolean): void {
  const problem = unserved(status);
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
