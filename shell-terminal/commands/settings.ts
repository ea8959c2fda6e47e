/** `sallyport settings list`, `get`, `set` and `reset`. */

import type { SettingView } from '../../shared/control-commands.ts';
import { noteText } from '../../shared/note.ts';
import { type CommandCall, command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { type Cell, table } from '../table.ts';
import { remark } from '../terminal.ts';

export const listSettingsCommand = command(
  { words: 'settings list', about: 'List the settings' },
  async ({ terminal, answer }) => {
    const { settings } = await askDaemon(terminal, 'settings.list', {});
    const columns = {
      SETTING: ({ key }: SettingView) => key,
      VALUE: valueCell,
      DEFAULT: (setting: SettingView) => String(setting.default),
      ABOUT: ({ about }: SettingView) => about,
    };
    answer(settings, ...table(terminal, settings, columns, 'ABOUT'));
  },
);

export const getSettingCommand = command(
  { words: 'settings get', arguments: ['KEY'], about: 'Print a setting' },
  async ({ terminal, arguments: [key = ''], answer }) => {
    const setting = await askDaemon(terminal, 'settings.get', { key });
    answer(setting, String(setting.value));
  },
);

export const setSettingCommand = command(
  {
    words: 'settings set',
    arguments: ['KEY', 'VALUE'],
    about: 'Change a setting',
    details: ['`sallyport settings list` shows all keys.'],
  },
  call => change(call, call.arguments[1] ?? ''),
);

export const resetSettingCommand = command(
  { words: 'settings reset', arguments: ['KEY'], about: 'Restore the default of a setting' },
  async call => {
    const [key = ''] = call.arguments;
    const { default: byDefault } = await askDaemon(call.terminal, 'settings.get', { key });
    await change(call, byDefault);
  },
);

async function change(
  { terminal, arguments: [key = ''], answer }: CommandCall,
  value: SettingView['value'],
): Promise<void> {
  const setting = await askDaemon(terminal, 'settings.set', { key, value });
  answer(setting, `${setting.key} is ${setting.value}.`);
  if (setting.key !== 'port' && setting.key !== 'enabled') return;
  // The setting may be saved and still have no effect, as when another program uses that port.
  for (const note of (await askDaemon(terminal, 'status', {})).notes)
    if (note.code === 'unserved' || note.code === 'port_taken') remark(terminal, noteText(note));
}

function valueCell({ value, default: byDefault }: SettingView): Cell {
  return value === byDefault ? String(value) : { text: String(value), style: 'bold' };
}
