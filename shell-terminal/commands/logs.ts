/**
 * `sallyport logs`: the last lines of the daemon's own log, for finding faults. `activity` shows
 * what clients did.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { locationsOf } from '../terminal.ts';
import { wholeNumber } from '../words.ts';

export const logsCommand = command(
  {
    words: 'logs',
    about: "Print the end of Sallyport's own log",
    details: ['One JSON object per line. `sallyport activity` shows what clients did.'],
    json: false,
    options: {
      limit: { type: 'string', value: 'N', about: 'how many lines (default: 100)' },
      follow: { type: 'boolean', about: 'print new lines until Ctrl-C' },
    },
  },
  async ({ terminal, options }) => {
    const lines = wholeNumber('limit', options.limit ?? '100');
    const file = join(locationsOf(terminal).logs, 'sallyportd.log');
    if (!existsSync(file)) throw failed(`There is no log yet; it will be ${file}`);
    const tail = spawn('tail', ['-n', `${lines}`, ...(options.follow ? ['-F'] : []), '--', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...(terminal.environment as NodeJS.ProcessEnv) },
    });
    tail.stdout.pipe(terminal.stdout, { end: false });
    const problem = await new Promise<string | null>(resolve => {
      tail.once('error', ({ message }) => resolve(message)).once('close', () => resolve(null));
    });
    if (problem !== null) throw failed(`${file} could not be read (${problem}).`);
  },
);
