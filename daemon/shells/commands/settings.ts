/** The `settings.*` commands (spec §16). What a setting accepts, and whether it can be put into effect, is its register's matter. */

import * as z from 'zod';
import { noSetting } from '../../access/settings/setting-change.ts';
import { isSettingKey, settingKeys } from '../../access/settings/settings.ts';
import { command, done, invalid, refused } from '../command.ts';
import { settingView } from '../setting-view.ts';

const key = z.string('the name of a setting is expected').max(64, 'the name of a setting is expected');

export const listSettings = command<'settings.list'>(z.strictObject({}), (_, { ports }) =>
  done({ settings: settingKeys.map(known => settingView(known, ports.settings.current())) }),
);

export const getSetting = command<'settings.get'>(z.strictObject({ key }), ({ key: asked }, { ports }) =>
  isSettingKey(asked) ? done(settingView(asked, ports.settings.current())) : invalid(noSetting(asked)),
);

export const setSetting = command<'settings.set'>(
  z.strictObject({
    key,
    value: z.union([z.string().max(256), z.number(), z.boolean()], 'a text, a number, true or false is expected'),
  }),
  async ({ key: asked, value }, { ports }) => {
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
);
