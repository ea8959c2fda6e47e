/**
 * The settings (spec §16). An entry says everything about one setting: its check, the answers of
 * `settings.*`, the app's form and the documentation's tables
 * (`node test/settings/check.mjs --write`) come from it. This file neither stores nor applies them.
 */

import { defaultRequestLimits, type RequestLimits } from '../limits/request-limits.ts';
import {
  type SettingSpec,
  setting,
  whenChanged,
  whenLimitRises,
  whenLowered,
  whenRaised,
  whenSetTo,
} from './setting-spec.ts';
import { lineOf, oneOf, onOrOff, wholeNumber, yesOrNo } from './setting-values.ts';

const kib = 1024;
const mib = 1024 * kib;

/** The most that a setting, or a connection's own limit, may allow. */
export const mostRows = 10_000;
export const mostSeconds = 300;
/** The most rows to change in an hour without a question; beyond this a person can be asked. */
export const mostWriteRows = 1_000_000;

/** In reading order, grouped. */
export const settingSpecs = {
  // Clients that have the old port in their file would send their tokens to whatever program takes
  // it next.
  port: setting({
    label: 'Port',
    group: 'Server',
    about: 'the TCP port on 127.0.0.1 that HTTP clients use',
    takes: wholeNumber(1, 65_535),
    default: 27_432,
    privilegeIncrease: whenChanged,
  }),
  'port.fallback': setting({
    label: 'Use another port while it is taken',
    group: 'Server',
    about: 'whether another port is used while that one is taken',
    takes: yesOrNo(),
    default: true,
    privilegeIncrease: whenSetTo(true),
    ifUnreadable: false,
  }),
  enabled: setting({
    label: 'Serve AI clients',
    group: 'Server',
    about: 'whether AI clients are served at all',
    takes: yesOrNo(),
    default: true,
    privilegeIncrease: whenSetTo(true),
    ifUnreadable: false,
  }),
  'limits.requestsPerMinute': setting({
    label: 'Requests a minute',
    group: 'Server',
    about: 'requests a client may make in 60 seconds; all bridges together four times as many',
    takes: wholeNumber(1, 100_000, null, 'no limit'),
    default: defaultRequestLimits.requestsPerMinute,
    privilegeIncrease: whenLimitRises,
  }),
  'limits.concurrentRequests': setting({
    label: 'Requests at once',
    group: 'Server',
    about: 'requests of a client worked on at once; all bridges together eight times as many',
    takes: wholeNumber(1, 1_000, null, 'no limit'),
    default: defaultRequestLimits.concurrentRequests,
    privilegeIncrease: whenLimitRises,
  }),
  keychain: setting({
    label: 'Keychain',
    group: 'Safety',
    about: 'whether secrets must be in the keychain',
    takes: oneOf('auto', 'required'),
    default: 'auto',
    privilegeIncrease: whenSetTo('auto'),
  }),
  'approval.rememberHours': setting({
    label: 'Remember approvals for',
    group: 'Safety',
    about: 'how long an approval is remembered on a connection that asks each time',
    takes: wholeNumber(1, 720, 'hours', 'asking at every call'),
    default: 8,
    privilegeIncrease: whenRaised,
    ifUnreadable: 0,
  }),
  'writes.maxRows': setting({
    label: 'Rows changed in an hour',
    group: 'Safety',
    about: 'rows of a table that a token may update and delete in an hour before the user is asked',
    takes: wholeNumber(1, mostWriteRows, 'rows'),
    default: 1_000,
    privilegeIncrease: whenRaised,
    ifUnreadable: 1,
  }),
  // With any value a request shows in `status`, in `allow` and at every command, and nothing is
  // allowed by being overlooked.
  'requests.notify': setting({
    label: 'Notify of questions',
    group: 'Safety',
    about: 'whether a desktop notification tells that a client’s question waits for you',
    takes: yesOrNo(),
    default: true,
    privilegeIncrease: null,
  }),
  // The command runs as the person, and hears of every client's questions.
  'approval.hook': setting({
    label: 'Command for what waits',
    group: 'Safety',
    about: 'a command that is told, as JSON on its standard input, of each question that waits for you',
    takes: lineOf('a command', 1_024),
    default: '',
    privilegeIncrease: { when: 'set to a command', holds: (_, to) => to !== '' },
  }),
  // These only say how much of the readable data comes in one answer.
  'results.defaultRows': setting({
    label: 'Rows by default',
    group: 'Results',
    about: 'rows given when a call names no number',
    takes: wholeNumber(1, mostRows, 'rows'),
    default: 500,
    privilegeIncrease: null,
  }),
  'results.maxRows': setting({
    label: 'Rows at most',
    group: 'Results',
    about: 'rows a call may ask for',
    takes: wholeNumber(1, mostRows, 'rows'),
    default: mostRows,
    privilegeIncrease: null,
  }),
  'results.defaultBytes': setting({
    label: 'Size of a result by default',
    group: 'Results',
    about: 'bytes of an answer when a call names no number',
    takes: wholeNumber(kib, 8 * mib, 'bytes'),
    default: 24 * kib,
    privilegeIncrease: null,
  }),
  'results.maxBytes': setting({
    label: 'Size of a result at most',
    group: 'Results',
    about: 'bytes of an answer a call may ask for',
    takes: wholeNumber(kib, 8 * mib, 'bytes'),
    default: 256 * kib,
    privilegeIncrease: null,
  }),
  'results.maxCellBytes': setting({
    label: 'Size of a cell at most',
    group: 'Results',
    about: 'bytes kept of one cell',
    takes: wholeNumber(64, 4 * mib, 'bytes'),
    default: 64 * kib,
    privilegeIncrease: null,
  }),
  'query.defaultSeconds': setting({
    label: 'Time of a statement by default',
    group: 'Results',
    about: 'how long a statement may take when a call names no time',
    takes: wholeNumber(1, mostSeconds, 'seconds'),
    default: 30,
    privilegeIncrease: null,
  }),
  'query.maxSeconds': setting({
    label: 'Time of a statement at most',
    group: 'Results',
    about: 'the longest time a call may ask for',
    takes: wholeNumber(1, mostSeconds, 'seconds'),
    default: mostSeconds,
    privilegeIncrease: null,
  }),
  // Switched off, less is recorded of what clients did.
  history: setting({
    label: 'Keep the history of statements',
    group: 'History and log',
    about: 'whether the text of statements is kept',
    takes: onOrOff(),
    default: 'on',
    privilegeIncrease: whenSetTo('off'),
  }),
  'history.days': setting({
    label: 'Days of history',
    group: 'History and log',
    about: 'how long the text of statements is kept',
    takes: wholeNumber(1, 3_650, 'days'),
    default: 90,
    privilegeIncrease: whenLowered,
    // The value that can't be read may have been many days, and too few would delete texts.
    ifUnreadable: 3_650,
  }),
  // It names a file that is written to, and whoever clears the setting hides what comes next.
  'log.forward': setting({
    label: 'Forward the activity log to',
    group: 'History and log',
    about: 'a file, or a syslog receiver on this machine, that gets each row of the activity log as a line of JSON',
    takes: lineOf('a path, unix:/PATH, tcp:// or udp://127.0.0.1:PORT', 1_024, /^(?:\/|unix:\/|(?:tcp|udp):\/\/)/),
    default: '',
    privilegeIncrease: whenChanged,
  }),
  'log.forwardMode': setting({
    label: 'Mode of that file',
    group: 'History and log',
    about: 'who may read a new file that the log is forwarded to: 600 is you, 640 your group too',
    takes: oneOf('600', '640'),
    default: '600',
    privilegeIncrease: null,
  }),
  // The activity log records what clients did, whatever this says.
  'log.level': setting({
    label: 'Level of the daemon’s log',
    group: 'History and log',
    about: "how much the daemon's own log records; debug adds a line for each row of the activity log",
    takes: oneOf('error', 'warn', 'info', 'debug'),
    default: 'info',
    privilegeIncrease: null,
  }),
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

/** Request limits derived from the settings (spec §13). */
export function requestLimitsOf(settings: Settings): RequestLimits {
  return {
    requestsPerMinute: settings['limits.requestsPerMinute'],
    concurrentRequests: settings['limits.concurrentRequests'],
  };
}
