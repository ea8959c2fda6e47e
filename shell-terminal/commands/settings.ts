/** `sallyport settings list`, `get` and `set`. */

import type { SettingView } from '../../shared/control-commands.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { table } from '../table.ts';
import { print, printJson, remark } from '../terminal.ts';

export const listSettingsCommand = command(
  { words: 'settings list', arguments: [], about: 'List the settings', options: {}, json: true },
  async ({ terminal, json }) => {
    const { settings } = await askDaemon(terminal, 'settings.list', {});
    if (json) return printJson(terminal, settings);
    const columns = [
      { title: 'SETTING' },
      { title: 'VALUE' },
      { title: 'DEFAULT' },
      { title: 'ABOUT', givesWay: true as const },
    ];
    const rows = settings.map(setting => [
      setting.key,
      isDefault(setting) ? String(setting.value) : { text: String(setting.value), style: 'bold' as const },
      String(setting.default),
      setting.about,
    ]);
    print(terminal, ...table(terminal, columns, rows));
  },
);

export const getSettingCommand = command(
  { words: 'settings get', arguments: ['KEY'], about: 'Print a setting', options: {}, json: true },
  async ({ terminal, arguments: [key = ''], json }) => {
    const setting = await askDaemon(terminal, 'settings.get', { key });
    if (json) return printJson(terminal, setting);
    print(terminal, String(setting.value));
  },
);

export const setSettingCommand = command(
  {
    words: 'settings set',
    arguments: ['KEY', 'VALUE'],
    about: 'Change a setting, at once',
    details: ['`sallyport settings list` shows those there are.'],
    options: {},
    json: true,
  },
  async ({ terminal, arguments: [key = '', value = ''], json }) => {
    const setting = await askDaemon(terminal, 'settings.set', { key, value });
    if (json) return printJson(terminal, setting);
    print(terminal, `${setting.key} is ${setting.value}.`);
    if (setting.key !== 'port' && setting.key !== 'enabled') return;
    // What was asked for may not be all that a person needs to know: another program may sit on that port.
    for (const note of (await askDaemon(terminal, 'status', {})).notes)
      if (note.startsWith('Port ')) remark(terminal, note);
  },
);

function isDefault({ value, default: byDefault }: SettingView): boolean {
  return value === byDefault;
}
