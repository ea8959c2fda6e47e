/** `sallyport service install` and `uninstall` (SPEC §16): so far the links; the unit that starts the daemon follows. */

import { realpathSync } from 'node:fs';
import { command } from '../command.ts';
import { failed } from '../ending.ts';
import { registerHandler, unregisterHandler } from '../link-handler.ts';
import { print, remark } from '../terminal.ts';

const onMacOs = 'On macOS Sallyport.app registers the links; there is nothing to install from here.';

export const installServiceCommand = command(
  {
    words: 'service install',
    arguments: [],
    about: 'Open sallyport: links of clients with this command',
    details: ['Registers a terminal that runs `sallyport open` for you, and only for you.'],
    options: {},
    json: false,
  },
  async ({ terminal }) => {
    if (process.platform !== 'linux') throw failed(onMacOs);
    const { file, isDefault } = await registerHandler(terminal, realpathSync(terminal.script));
    print(terminal, `Pairing links open in a terminal now: ${file}`);
    if (isDefault) return;
    remark(
      terminal,
      'The desktop was not told: install xdg-utils, then run this again. `sallyport open LINK` works anyway.',
    );
  },
);

export const uninstallServiceCommand = command(
  {
    words: 'service uninstall',
    arguments: [],
    about: 'Take back what `service install` did',
    options: {},
    json: false,
  },
  async ({ terminal }) => {
    if (process.platform !== 'linux') throw failed(onMacOs);
    const removed = await unregisterHandler(terminal);
    print(terminal, removed === null ? 'Nothing was installed.' : `Removed ${removed}`);
  },
);
