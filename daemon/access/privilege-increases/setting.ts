/**
 * Whether a changed setting is a privilege increase, and how it is put to the owner (spec §11). The
 * setting itself says which change is one; connection.ts handles connections; others decide who
 * confirms.
 */

import type { SettingSpec } from '../settings/setting-spec.ts';
import type { SettingValue } from '../settings/setting-values.ts';
import { type SettingKey, type Settings, settingSpecs } from '../settings/settings.ts';
import { fact, type PrivilegeIncrease } from './words.ts';

/** @returns the privilege increase, or null. */
export function settingIncrease(key: SettingKey, former: Settings, next: Settings): PrivilegeIncrease | null {
  if (Object.is(former[key], next[key])) return null;
  const { privilegeIncrease }: SettingSpec<SettingValue> = settingSpecs[key];
  if (privilegeIncrease?.holds(former[key], next[key]) !== true) return null;
  const [from, to] = [valueWords(key, former), valueWords(key, next)];
  return { phrase: `sets ${key} from ${from} to ${to}`, facts: [fact('Setting', key), fact('Value', to, from)] };
}

/** Every value is a number, a switch or a word of ours. */
function valueWords(key: SettingKey, settings: Settings): string {
  const isWithoutLimit = settings[key] === 0 && key.startsWith('limits.');
  return isWithoutLimit ? '0, which is no limit' : String(settings[key]);
}
