/** A setting as shells are told of it: its value, and all that a form of it needs. */

import { type SettingKey, type Settings, settingSpecs } from '../access/settings/settings.ts';
import type { SettingView } from './messages/settings.ts';

export function viewOfSetting(key: SettingKey, settings: Settings): SettingView {
  const { label, group, about, takes, default: byDefault } = settingSpecs[key];
  return { key, value: settings[key], default: byDefault, label, group, about, accepts: takes.accepts, ...takes.form };
}
