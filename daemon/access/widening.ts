/**
 * Whether a widening needs a confirmation, and which change of a setting is one (spec §11): judged from the settings there are and
 * those that are asked for. Connections are widening-connection.ts; who confirms is not decided here.
 */

import type { SettingKey, Settings } from './settings.ts';
import { fact, type Widening } from './widening-words.ts';

export type WideningMode = 'ask' | 'free';

/** `auto`: asked for once there is somebody to ask: an owner passphrase, or Sallyport.app. */
export function wideningMode(setting: Settings['widening'], someoneConfirms: boolean): WideningMode {
  if (setting !== 'auto') return setting;
  return someoneConfirms ? 'ask' : 'free';
}

/** @returns what is widened, or null. @param someoneConfirms decides what `auto` comes to. */
export function settingWidening(
  key: SettingKey,
  former: Settings,
  next: Settings,
  someoneConfirms: boolean,
): Widening | null {
  if (Object.is(former[key], next[key])) return null;
  if (!settingVerdicts[key](former, next, someoneConfirms)) return null;
  const [from, to] = [valueWords(key, former), valueWords(key, next)];
  return { phrase: `sets ${key} from ${from} to ${to}`, facts: [fact('Setting', key), fact('Value', to, from)] };
}

/** Every value is a number, a switch or a word of ours. */
function valueWords(key: SettingKey, settings: Settings): string {
  const isWithoutLimit = settings[key] === 0 && key.startsWith('limits.');
  return isWithoutLimit ? '0, which is no limit' : String(settings[key]);
}

type SettingVerdict = (former: Settings, next: Settings, someoneConfirms: boolean) => boolean;

const never: SettingVerdict = () => false;
const always: SettingVerdict = () => true;
const whenTrue =
  (key: 'enabled' | 'port.fallback'): SettingVerdict =>
  (_, next) =>
    next[key];
/** 0 stands for no limit. */
const whenMore =
  (key: 'limits.requestsPerMinute' | 'limits.concurrentRequests'): SettingVerdict =>
  (former, next) =>
    former[key] !== 0 && (next[key] === 0 || next[key] > former[key]);

const settingVerdicts: Readonly<Record<SettingKey, SettingVerdict>> = {
  // Clients with the former port in their file would send their tokens to whoever takes it next.
  port: always,
  'port.fallback': whenTrue('port.fallback'),
  enabled: whenTrue('enabled'),
  keychain: (_, next) => next.keychain !== 'required',
  widening: (former, next, someoneConfirms) =>
    next.widening !== 'ask' && wideningMode(former.widening, someoneConfirms) === 'ask',
  // Less is kept of what clients did.
  history: (_, next) => next.history === 'off',
  'history.days': (former, next) => next['history.days'] < former['history.days'],
  // How much of what may be read comes in one answer.
  'results.defaultRows': never,
  'results.maxRows': never,
  'results.maxBytes': never,
  'results.maxCellBytes': never,
  'query.defaultSeconds': never,
  'query.maxSeconds': never,
  'limits.requestsPerMinute': whenMore('limits.requestsPerMinute'),
  'limits.concurrentRequests': whenMore('limits.concurrentRequests'),
  'approval.rememberHours': (former, next) => next['approval.rememberHours'] > former['approval.rememberHours'],
  // What clients did stands in the activity log, whatever this says.
  'log.level': never,
};
