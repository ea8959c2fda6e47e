/** `sallyport demo`. */

import { shownText } from '../../shared/shown-text.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { print, printJson } from '../terminal.ts';

export const demoCommand = command(
  {
    words: 'demo',
    arguments: [],
    about: 'Make the demo database afresh, as the connection Demo',
    options: {},
    json: true,
  },
  async ({ terminal, json }) => {
    const made = await askDaemon(terminal, 'demo.create', {});
    if (json) return printJson(terminal, made);
    print(
      terminal,
      `The demo database is ready as the connection ${shownText(made.name)}: ${shownText(made.filePath ?? '')}`,
    );
  },
);
