/**
 * Whether a changed setting is a privilege increase, and how it is put to the owner (spec §11). The
 * setting itself says which change is one; connection-increase.ts handles connections; others
 * decide who confirms.
 */

import type { SettingSpec } from '../settings/setting-spec.ts';
import type { SettingValue } from '../settings/setting-values.ts';
import { type SettingKey, type Settings, settingSpecs } from '../settings/settings.ts';
import { fact, type PrivilegeIncrease, quoted } from './increase-words.ts';

/** @returns the privilege increase, or null. */
export function settingIncrease(key: SettingKey, former: Settings, next: Settings): PrivilegeIncrease | null {
  if (Object.is(former[key], next[key])) return null;
  const { privilegeIncrease }: SettingSpec<SettingValue> = settingSpecs[key];
  if (privilegeIncrease?.holds(former[key], next[key]) !== true) return null;
  const [from, to] = [valueWords(key, former), valueWords(key, next)];
  const said =
    settingSpecs[key].takes.form.kind === 'text' ? [former, next].map(all => textWords(all[key])) : [from, to];
  return {
    phrase: `sets ${key} from ${said[0]} to ${said[1]}`,
    facts: [fact('Setting', key), fact('Value', to, from)],
  };
}

/**
 * A text stands in quotes: a command could be worded so that it seems to go on with our sentence.
 */
function textWords(value: SettingValue): string {
  return value === '' ? none : quoted(String(value));
}

const none = '(none)';

/** Every value but a text is a number, a switch or a word of ours. */
function valueWords(key: SettingKey, settings: Settings): string {
  if (settings[key] === '') return none;
  const isWithoutLimit = settings[key] === 0 && key.startsWith('limits.');
  return isWithoutLimit ? '0, which is no limit' : String(settings[key]);
}
