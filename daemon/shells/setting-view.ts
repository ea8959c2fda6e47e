/** A setting as shells see it: its value, and everything that a form needs. */

import { type SettingKey, type Settings, settingSpecs } from '../access/settings/settings.ts';
import type { SettingView } from './messages/settings.ts';

export function viewOfSetting(key: SettingKey, settings: Settings): SettingView {
  const { label, group, about, takes, default: byDefault } = settingSpecs[key];
  return { key, value: settings[key], default: byDefault, label, group, about, accepts: takes.accepts, ...takes.form };
}
