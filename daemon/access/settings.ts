/** Which settings there are (spec §16): their meaning, what they accept, their default. Neither keeps nor applies them. */

import { defaultRequestLimits } from './request-limits.ts';
import { oneOf, type SettingKind, type SettingValue, wholeNumber, yesOrNo } from './setting-values.ts';

export interface SettingSpec<Value extends SettingValue> {
  readonly about: string;
  readonly kind: SettingKind<Value>;
  readonly default: Value;
}

const kib = 1024;
const mib = 1024 * kib;

export const settingSpecs = {
  port: spec('the TCP port on 127.0.0.1 that HTTP clients use', wholeNumber(1, 65_535), 27_432),
  'port.fallback': spec('whether another port is used while that one is taken', yesOrNo(), true),
  enabled: spec('whether AI clients are served at all', yesOrNo(), true),
  keychain: spec('whether secrets must be in the keychain', oneOf('auto', 'required'), 'auto'),
  widening: spec('whether what widens access needs a confirmation', oneOf('auto', 'ask', 'free'), 'auto'),
  history: spec('whether the text of statements is kept', oneOf('on', 'off'), 'on'),
  'history.days': spec('how long the text of statements is kept', wholeNumber(1, 3_650, 'days'), 90),
  'results.defaultRows': spec('rows given when a call names no number', wholeNumber(1, 10_000, 'rows'), 500),
  'results.maxRows': spec('rows a call may ask for', wholeNumber(1, 10_000, 'rows'), 10_000),
  'results.maxBytes': spec('bytes of rows in one answer', wholeNumber(kib, 8 * mib, 'bytes'), 256 * kib),
  'results.maxCellBytes': spec('bytes kept of one cell', wholeNumber(64, 4 * mib, 'bytes'), 64 * kib),
  'query.defaultSeconds': spec(
    'how long a statement may take when a call names no time',
    wholeNumber(1, 300, 'seconds'),
    30,
  ),
  'query.maxSeconds': spec('the longest time a call may ask for', wholeNumber(1, 300, 'seconds'), 300),
  'limits.requestsPerMinute': spec(
    'requests a client may make in 60 seconds; all bridges together four times as many',
    wholeNumber(1, 100_000, '', 'no limit'),
    defaultRequestLimits.requestsPerMinute,
  ),
  'limits.concurrentRequests': spec(
    'requests of a client worked on at once; all bridges together eight times as many',
    wholeNumber(1, 1_000, '', 'no limit'),
    defaultRequestLimits.concurrentRequests,
  ),
  'approval.rememberHours': spec(
    'how long a yes to a connection that asks each time is remembered',
    wholeNumber(1, 720, 'hours', 'asking at every call'),
    8,
  ),
  'log.level': spec(
    "how much stands in the daemon's own log; debug adds a line for each row of the activity log",
    oneOf('error', 'warn', 'info', 'debug'),
    'info',
  ),
} as const satisfies Record<string, SettingSpec<boolean> | SettingSpec<number> | SettingSpec<string>>;

export type SettingKey = keyof typeof settingSpecs;

export type Settings = {
  readonly [Key in SettingKey]: (typeof settingSpecs)[Key] extends SettingSpec<infer Value> ? Value : never;
};

export const settingKeys = Object.keys(settingSpecs) as readonly SettingKey[];

export const defaultSettings = Object.fromEntries(
  settingKeys.map(key => [key, settingSpecs[key].default]),
) as unknown as Settings;

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingSpecs, key);
}

/** @returns the settings with that one changed, or a sentence that names what is accepted. */
export function changed(settings: Settings, key: string, given: unknown): Settings | { readonly refused: string } {
  if (!isSettingKey(key))
    return { refused: `There is no setting ${quoted(key)}; there are ${settingKeys.join(', ')}.` };
  const { kind } = settingSpecs[key];
  const value = kind.read(given);
  if (value === null) return { refused: `${key} takes ${kind.accepts}, not ${quoted(given)}.` };
  const next: Settings = { ...settings, [key]: value };
  const conflict = conflictIn(next, key);
  return conflict === null ? next : { refused: conflict };
}

/** Raising a default above its own maximum would do nothing; lowering the maximum below the default lowers both. */
function conflictIn(next: Settings, key: SettingKey): string | null {
  for (const [byDefault, most] of [
    ['results.defaultRows', 'results.maxRows'],
    ['query.defaultSeconds', 'query.maxSeconds'],
  ] as const) {
    if (key === byDefault && next[byDefault] > next[most]) {
      return `${byDefault} can't be more than ${most}, which is ${next[most]}; raise that first.`;
    }
  }
  return null;
}

function spec<Value extends SettingValue>(
  about: string,
  kind: SettingKind<Value>,
  byDefault: Value,
): SettingSpec<Value> {
  return { about, kind, default: byDefault };
}

function quoted(given: unknown): string {
  const text = JSON.stringify(given) ?? 'nothing';
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}
