/**
 * `sallyport logs`: the last lines of the daemon's own log, which is for whoever looks for a fault.
 * What clients did is `activity`.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../command.ts';
import { failed } from '../ending.ts';
import { locationsOf } from '../terminal.ts';
import { wholeNumber } from '../words.ts';

export const logsCommand = command(
  {
    words: 'logs',
    about: "Print the end of Sallyport's own log",
    details: ['One JSON object a line. `sallyport activity` shows what clients did.'],
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
