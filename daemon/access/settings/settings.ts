/**
 * Which settings there are (spec §16): their meaning, what they accept, their default, which change of theirs widens access. Neither
 * keeps nor applies them.
 */

import { nearestWord } from '../../../shared/nearest-word.ts';
import { defaultRequestLimits, type RequestLimits } from '../limits/request-limits.ts';
import { oneOf, onOrOff, type SettingKind, type SettingValue, wholeNumber, yesOrNo } from './setting-values.ts';

export interface SettingSpec<Value extends SettingValue> {
  /** What `settings list` and the app say of it. */
  readonly about: string;
  readonly kind: SettingKind<Value>;
  readonly default: Value;
  /** What holds where a value was kept that can't be read: of what it may have been, what gives clients least. */
  readonly ifUnreadable: Value;
  /**
   * Whether a change to another value gives AI clients more access, or keeps less of what they did: where it does, the owner may
   * have to confirm it (spec §11).
   */
  widens(from: Value, to: Value): boolean;
}

const kib = 1024;
const mib = 1024 * kib;

/** The most that a setting, or a connection's own limit, may allow (spec §16). */
export const mostRows = 10_000;
export const mostSeconds = 300;
/** Whoever wants more of a table changed within the hour may as well be asked. */
export const mostWriteRows = 1_000_000;

const never = (): boolean => false;
const always = (): boolean => true;
const whenOn = (_: boolean, to: boolean): boolean => to;
const whenMore = (from: number, to: number): boolean => to > from;
/** 0 stands for no limit. */
const whenLimitRises = (from: number, to: number): boolean => from !== 0 && (to === 0 || to > from);

export const settingSpecs = {
  // Clients with the former port in their file would send their tokens to whoever takes it next.
  port: spec('the TCP port on 127.0.0.1 that HTTP clients use', wholeNumber(1, 65_535), 27_432, always),
  'port.fallback': spec('whether another port is used while that one is taken', yesOrNo(), true, whenOn, false),
  enabled: spec('whether AI clients are served at all', yesOrNo(), true, whenOn, false),
  keychain: spec(
    'whether secrets must be in the keychain',
    oneOf('auto', 'required'),
    'auto',
    (_, to) => to !== 'required',
  ),
  // Less is kept of what clients did.
  history: spec('whether the text of statements is kept', onOrOff(), 'on', (_, to) => to === 'off'),
  'history.days': spec(
    'how long the text of statements is kept',
    wholeNumber(1, 3_650, 'days'),
    90,
    (from, to) => to < from,
    // It may have been more days, and texts older than the value that holds are removed.
    3_650,
  ),
  // How much of what may be read comes in one answer.
  'results.defaultRows': spec('rows given when a call names no number', wholeNumber(1, mostRows, 'rows'), 500, never),
  'results.maxRows': spec('rows a call may ask for', wholeNumber(1, mostRows, 'rows'), mostRows, never),
  'results.defaultBytes': spec(
    'bytes of an answer when a call names no number',
    wholeNumber(kib, 8 * mib, 'bytes'),
    24 * kib,
    never,
  ),
  'results.maxBytes': spec(
    'bytes of an answer a call may ask for',
    wholeNumber(kib, 8 * mib, 'bytes'),
    256 * kib,
    never,
  ),
  'results.maxCellBytes': spec('bytes kept of one cell', wholeNumber(64, 4 * mib, 'bytes'), 64 * kib, never),
  'query.defaultSeconds': spec(
    'how long a statement may take when a call names no time',
    wholeNumber(1, mostSeconds, 'seconds'),
    30,
    never,
  ),
  'query.maxSeconds': spec(
    'the longest time a call may ask for',
    wholeNumber(1, mostSeconds, 'seconds'),
    mostSeconds,
    never,
  ),
  'writes.maxRows': spec(
    'rows of a table that a token may update and delete in an hour before the user is asked',
    wholeNumber(1, mostWriteRows, 'rows'),
    1_000,
    whenMore,
    1,
  ),
  'limits.requestsPerMinute': spec(
    'requests a client may make in 60 seconds; all bridges together four times as many',
    wholeNumber(1, 100_000, '', 'no limit'),
    defaultRequestLimits.requestsPerMinute,
    whenLimitRises,
  ),
  'limits.concurrentRequests': spec(
    'requests of a client worked on at once; all bridges together eight times as many',
    wholeNumber(1, 1_000, '', 'no limit'),
    defaultRequestLimits.concurrentRequests,
    whenLimitRises,
  ),
  'approval.rememberHours': spec(
    'how long a yes to a connection that asks each time is remembered',
    wholeNumber(1, 720, 'hours', 'asking at every call'),
    8,
    whenMore,
    0,
  ),
  // Whatever it says, a request waits in `status`, in `allow` and at every command, and nothing is allowed by not being seen.
  'requests.notify': spec(
    'whether a desktop notification tells that a request of a client waits for you',
    yesOrNo(),
    true,
    never,
  ),
  // What clients did stands in the activity log, whatever this says.
  'log.level': spec(
    "how much stands in the daemon's own log; debug adds a line for each row of the activity log",
    oneOf('error', 'warn', 'info', 'debug'),
    'info',
    never,
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

export function noSetting(key: string): string {
  const meant = nearestWord(settingKeys, key);
  const none = `There is no setting ${shownValue(key)}`;
  return meant === null ? `${none}; there are ${settingKeys.join(', ')}.` : `${none}. Did you mean ${meant}?`;
}

/** @returns the settings with that one changed, or a sentence that names what is accepted. */
export function changed(settings: Settings, key: string, given: unknown): Settings | { readonly refused: string } {
  if (!isSettingKey(key)) return { refused: noSetting(key) };
  const { kind } = settingSpecs[key];
  const value = kind.read(given);
  if (value === null) return { refused: `${key} takes ${kind.accepts}, not ${shownValue(given)}.` };
  const next: Settings = { ...settings, [key]: value };
  const conflict = conflictIn(next, key);
  return conflict === null ? next : { refused: conflict };
}

/** Raising a default above its own maximum would do nothing; lowering the maximum below the default lowers both. */
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

function spec<Value extends SettingValue>(
  about: string,
  kind: SettingKind<Value>,
  byDefault: Value,
  widens: SettingSpec<Value>['widens'],
  ifUnreadable = byDefault,
): SettingSpec<Value> {
  return { about, kind, default: byDefault, ifUnreadable, widens };
}

function shownValue(given: unknown): string {
  const text = JSON.stringify(given) ?? 'nothing';
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}

/** Request limits derived from the settings (spec §13). */
export function requestLimitsOf(settings: Settings): RequestLimits {
  return {
    requestsPerMinute: settings['limits.requestsPerMinute'],
    concurrentRequests: settings['limits.concurrentRequests'],
  };
}
