/**
 * A person's change of one setting: what is accepted, and what conflicts with another setting.
 * Stores nothing.
 */

import { nearestWord } from '../../../shared/nearest-word.ts';
import { isSettingKey, type SettingKey, type Settings, settingKeys, settingSpecs } from './settings.ts';

export function noSetting(key: string): string {
  const meant = nearestWord(settingKeys, key);
  const none = `There is no setting ${shownValue(key)}`;
  return meant === null ? `${none}; there are ${settingKeys.join(', ')}.` : `${none}. Did you mean ${meant}?`;
}

/** @returns the new settings, or a sentence that names what is accepted. */
export function changedSettings(
  settings: Settings,
  key: string,
  given: unknown,
): Settings | { readonly refused: string; readonly takes?: string } {
  if (!isSettingKey(key)) return { refused: noSetting(key) };
  const { takes } = settingSpecs[key];
  const value = takes.read(given);
  if (value === null) {
    const { accepts } = takes;
    return { refused: `${key} takes ${accepts}, not ${shownValue(given)}.`, takes: accepts };
  }
  const next: Settings = { ...settings, [key]: value };
  const conflict = conflictIn(next, key);
  return conflict === null ? next : { refused: conflict };
}

/**
 * Raising a default above its maximum would do nothing; lowering the maximum below the default
 * lowers both.
 */
function conflictIn(next: Settings, key: SettingKey): string | null {
  for (const [byDefault, most] of [
    ['results.defaultRows', 'results.maxRows'],
    ['results.defaultBytes', 'results.maxBytes'],
    ['query.defaultSeconds', 'query.maxSeconds'],
  ] as const) {
    if (key === byDefault && next[byDefault] > next[most]) {
      return `${byDefault} can't be more than ${most}, which is ${next[most]}; raise that first.`;
    }
  }
  return null;
}

function shownValue(given: unknown): string {
  const text = JSON.stringify(given) ?? 'nothing';
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}
