/** The `settings.*` commands (spec §16). What a setting accepts, and whether it can be put into effect, is its register's matter. */

import * as z from 'zod';
import type { SettingView } from '../../../shared/control-commands.ts';
import { settingWidening } from '../../access/privilege-increases/widening.ts';
import {
  changed,
  isSettingKey,
  noSetting,
  type SettingKey,
  type Settings,
  settingKeys,
  settingSpecs,
} from '../../access/settings/settings.ts';
import { command, done, invalid, refused } from '../command.ts';
import * as messages from '../messages/settings.ts';
import { nothing } from './shapes.ts';

const key = z.string('the name of a setting is expected').max(64, 'the name of a setting is expected');

export const settingsList = command('settings.list', {
  shape: nothing,
  result: messages.settingList,
  widens: 'never',
  records: 'refusals',
  run: (_, { ports }) => done({ settings: settingKeys.map(known => settingView(known, ports.settings.current())) }),
});

export const settingsGet = command('settings.get', {
  shape: z.strictObject({ key }),
  result: messages.settingView,
  widens: 'never',
  records: 'refusals',
  run: ({ key: asked }, { ports }) =>
    isSettingKey(asked) ? done(settingView(asked, ports.settings.current())) : invalid(noSetting(asked)),
});

/** Answered once it is in effect. The value may be the text that a person typed for it. */
export const settingsSet = command('settings.set', {
  shape: z.strictObject({
    key,
    value: z.union([z.string().max(256), z.number(), z.boolean()], 'a text, a number, true or false is expected'),
  }),
  result: messages.settingView,
  widens: ({ key, value }, { ports }) => {
    const former = ports.settings.current();
    const next = changed(former, key, value);
    return !isSettingKey(key) || 'refused' in next ? null : settingWidening(key, former, next);
  },
  records: { action: 'setting.change', done: ({ key, value }) => ({ reason: `${key} is ${value}` }) },
  run: async ({ key: asked, value }, { ports }) => {
    const change = await ports.settings.set(asked, value);
    switch (change.kind) {
      case 'set':
        return done(settingView(change.key, change.settings));
      case 'not_accepted':
        return invalid(change.sentence);
      case 'refused':
        return refused(change.sentence);
    }
  },
});

function settingView(known: SettingKey, settings: Settings): SettingView {
  const { about, kind, default: byDefault } = settingSpecs[known];
  return { key: known, value: settings[known], default: byDefault, accepts: kind.accepts, about };
}
