/** `sallyport history clear` (spec §9). What is kept at all, and for how long, are settings. */

import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';

export const clearHistoryCommand = command(
  {
    words: 'history clear',
    about: 'Remove the text of every statement that was kept',
    details: [
      'The activity log keeps its rows, which have no text of statements.',
      '`sallyport settings set history off` keeps none from then on, and',
      '`sallyport settings set history.days N` keeps them for so long.',
    ],
  },
  async ({ terminal, answer }) => {
    const { removed } = await askDaemon(terminal, 'history.clear', {});
    answer({ removed }, removed === 1 ? '1 statement was removed.' : `${removed} statements were removed.`);
  },
);
