/** `sallyport history clear` (spec §9). What is kept at all, and for how long, are settings. */

import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { print, printJson } from '../terminal.ts';

export const clearHistoryCommand = command(
  {
    words: 'history clear',
    arguments: [],
    about: 'Remove the text of every statement that was kept',
    details: [
      'The activity log keeps its rows, which have no text of statements.',
      '`sallyport settings set history off` keeps none from then on, and',
      '`sallyport settings set history.days N` keeps them for so long.',
    ],
    options: {},
    json: true,
  },
  async ({ terminal, json }) => {
    const { removed } = await askDaemon(terminal, 'history.clear', {});
    if (json) return printJson(terminal, { removed });
    print(terminal, removed === 1 ? '1 statement was removed.' : `${removed} statements were removed.`);
  },
);
