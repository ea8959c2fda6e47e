/**
 * The `settings.*` commands (spec §16). The register decides what a setting accepts and whether it
 * can be applied.
 */

import * as z from 'zod';
import { settingIncrease } from '../../access/privilege-increases/setting-increase.ts';
import { changedSettings, noSetting } from '../../access/settings/setting-change.ts';
import { defaultSettings, isSettingKey, settingKeys } from '../../access/settings/settings.ts';
import { type CommandOutcome, command, done, invalid, invalidField, looks, refused } from '../command.ts';
import { settingList, settingView } from '../messages/settings.ts';
import { viewOfSetting } from '../setting-view.ts';
import { nothing } from './shapes.ts';

const key = z.string('the name of a setting is expected').max(64, 'the name of a setting is expected');

export const settingsList = command('settings.list', {
  shape: nothing,
  result: settingList,
  ...looks,
  run: (_, { ports }) => done({ settings: settingKeys.map(known => viewOfSetting(known, ports.settings.current())) }),
});

export const settingsGet = command('settings.get', {
  shape: z.strictObject({ key }),
  result: settingView,
  ...looks,
  run: ({ key: asked }, { ports }) =>
    isSettingKey(asked) ? done(viewOfSetting(asked, ports.settings.current())) : unknownSetting(asked),
});

/** Answered once the setting is applied. The value may be the text that a person typed. */
export const settingsSet = command('settings.set', {
  shape: z.strictObject({
    key,
    value: z.union([z.boolean(), z.int(), z.string().max(1_024)], 'a text, a number, true or false is expected'),
  }),
  result: settingView,
  // To serve nobody; switching on again is a privilege increase.
  brake: ({ key, value }) => {
    const next = changedSettings(defaultSettings, key, value);
    return key === 'enabled' && !('refused' in next) && !next.enabled;
  },
  privilegeIncrease: ({ key, value }, { ports }) => {
    const former = ports.settings.current();
    const next = changedSettings(former, key, value);
    return !isSettingKey(key) || 'refused' in next ? null : settingIncrease(key, former, next);
  },
  records: {
    action: 'setting.change',
    done: ({ key, value, kind }) => {
      // A command may hold the key of a service that it tells.
      const said = kind === 'text' ? (value === '' ? 'none' : 'set') : value;
      return { reason: `${key} is ${said}` };
    },
  },
  run: async ({ key: asked, value }, { ports }) => {
    const change = await ports.settings.set(asked, value);
    switch (change.kind) {
      case 'set':
        return done(viewOfSetting(change.key, change.settings));
      case 'not_accepted': {
        const { sentence, takes } = change;
        if (!isSettingKey(asked)) return unknownSetting(asked);
        return takes === null
          ? invalid('setting_conflict', sentence, { setting: asked })
          : invalidField({ field: 'value', why: `it takes ${takes}` }, sentence);
      }
      case 'refused':
        return refused('setting_not_applied', change.sentence, { setting: asked });
    }
  },
});

function unknownSetting(asked: string): CommandOutcome<never> {
  return invalid('unknown_setting', noSetting(asked), { setting: asked });
}
