/** Changes of settings: which give clients more access, or leave less on record. */

import { settingIncrease } from '../../../daemon/access/privilege-increases/setting-increase.ts';
import {
  defaultSettings,
  type SettingKey,
  type Settings,
  settingKeys,
  settingSpecs,
} from '../../../daemon/access/settings/settings.ts';
import type { RuleRow } from './row.ts';

const increases: [SettingKey, Partial<Settings>, Partial<Settings>][] = [
  ['port', {}, { port: 27_433 }],
  ['port.fallback', { 'port.fallback': false }, { 'port.fallback': true }],
  ['enabled', { enabled: false }, { enabled: true }],
  ['keychain', { keychain: 'required' }, { keychain: 'auto' }],
  ['history', {}, { history: 'off' }],
  ['history.days', {}, { 'history.days': 1 }],
  ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 0 }],
  ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 1_000 }],
  ['limits.concurrentRequests', {}, { 'limits.concurrentRequests': 0 }],
  ['writes.maxRows', {}, { 'writes.maxRows': 1_001 }],
  ['approval.rememberHours', {}, { 'approval.rememberHours': 9 }],
  ['approval.rememberHours', { 'approval.rememberHours': 0 }, { 'approval.rememberHours': 1 }],
  ['approval.hook', {}, { 'approval.hook': 'true' }],
  ['log.forward', {}, { 'log.forward': '/var/log/own/sallyport.log' }],
  ['log.forward', { 'log.forward': '/var/log/own/sallyport.log' }, { 'log.forward': '' }],
];

const free: [SettingKey, Partial<Settings>, Partial<Settings>][] = [
  ['port.fallback', {}, { 'port.fallback': false }],
  ['enabled', {}, { enabled: false }],
  ['keychain', {}, { keychain: 'required' }],
  ['history', { history: 'off' }, { history: 'on' }],
  ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 10 }],
  ['limits.requestsPerMinute', { 'limits.requestsPerMinute': 0 }, { 'limits.requestsPerMinute': 10 }],
  ['writes.maxRows', {}, { 'writes.maxRows': 999 }],
  ['approval.rememberHours', {}, { 'approval.rememberHours': 0 }],
  ['approval.hook', { 'approval.hook': 'true' }, { 'approval.hook': '' }],
  ['requests.notify', {}, { 'requests.notify': false }],
  ['log.level', {}, { 'log.level': 'error' }],
  ['log.forwardMode', {}, { 'log.forwardMode': '640' }],
];

const unchanged = settingKeys.map(key => [key, {}, {}] as const);

function setting(key: SettingKey, former: Partial<Settings>, next: Partial<Settings>, isMore: boolean): RuleRow {
  const from = { ...defaultSettings, ...former };
  const what = `${key} from ${from[key]} to ${next[key] ?? 'the same'}`;
  const judged = settingIncrease(key, from, { ...from, ...next });
  if (!isMore) return { what, judged, gives: null, facts: [] };
  const words = (value: unknown): string =>
    key === 'approval.hook' || key === 'log.forward'
      ? value === ''
        ? '(none)'
        : JSON.stringify(value)
      : value === 0 && key.startsWith('limits.')
        ? '0, which is no limit'
        : `${value}`;
  const unquoted = (value: string): string => value.replace(/^"(.*)"$/, '$1');
  const [before, after] = [words(from[key]), words(next[key])];
  return {
    what,
    judged,
    gives: `sets ${key} from ${before} to ${after}`,
    // Only within the sentence does a command need its quotes.
    facts: [{ label: 'Value', value: unquoted(after), former: unquoted(before), form: 'line' }],
  };
}

export const settingRows: readonly RuleRow[] = [
  ...increases.map(([key, former, next]) => setting(key, former, next, true)),
  ...[...free, ...unchanged].map(([key, former, next]) => setting(key, former, next, false)),
];

/** The settings that a row above changes for more, and all that can give more. */
export const settingsTried: readonly SettingKey[] = [...new Set(increases.map(([key]) => key))].sort();
export const settingsThatGive: readonly SettingKey[] = settingKeys
  .filter(key => settingSpecs[key].privilegeIncrease !== settingSpecs['log.level'].privilegeIncrease)
  .sort();
