/** `sallyport demo`. */

import { shownText } from '../../shared/shown-text.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';

export const demoCommand = command(
  {
    words: 'demo',
    about: 'Make the demo database afresh, as the connection Demo',
  },
  async ({ terminal, answer }) => {
    const made = await askDaemon(terminal, 'demo.create', {});
    answer(
      made,
      `The demo database is ready as the connection ${shownText(made.name)}: ${shownText(made.filePath ?? '')}`,
    );
  },
);
