/** `sallyport pause` and `sallyport resume`. */

import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { print, printJson } from '../terminal.ts';

export const pauseCommand = command(
  {
    words: 'pause',
    arguments: [],
    about: 'Let no AI client in until you resume',
    details: ['What runs for a client is ended. It stays so when Sallyport is started again.'],
    options: {},
    json: true,
  },
  async ({ terminal, json }) => {
    const answer = await askDaemon(terminal, 'pause', {});
    if (json) return printJson(terminal, answer);
    print(terminal, 'Sallyport is paused; `sallyport resume` ends that.');
  },
);

export const resumeCommand = command(
  { words: 'resume', arguments: [], about: 'Let AI clients in again', options: {}, json: true },
  async ({ terminal, json }) => {
    const answer = await askDaemon(terminal, 'resume', {});
    if (json) return printJson(terminal, answer);
    print(terminal, 'Sallyport is no longer paused.');
  },
);
