/**
 * The words that people type and read for levels, scopes and times, and the daemon's words for
 * them.
 */

import type { AiPolicyWord, ExternalClientsWord, ScopeWord } from '../shared/control-commands.ts';
import {
  activityCategories,
  externalClientsWords as levels,
  aiPolicyWords as policies,
  tlsModes,
} from '../shared/words.ts';
import { misuse } from './cli-error.ts';

type Words<Value extends string | number> = Readonly<Record<string, Value>>;

export const externalClientsWords: Words<ExternalClientsWord> = levels;
export const roleAccessWords: Words<'readOnly' | 'readWrite'> = { 'read-only': 'readOnly', 'read-write': 'readWrite' };
export const aiPolicyWords: Words<AiPolicyWord> = policies;
export const scopeWords: Words<ScopeWord> = {
  'read-only': 'readOnly',
  'read-write': 'readWrite',
  'full-access': 'fullAccess',
};
export const tlsWords = asTheyAre(...tlsModes);
export const databasesWords = asTheyAre('own', 'all');
export const identityWords = asTheyAre('known', 'any');
export const wallsWords = asTheyAre('both', 'one');
export const categoryWords = asTheyAre(...activityCategories);
export const expiryWords: Words<'never' | 1 | 7 | 30 | 90> = { never: 'never', 1: 1, 7: 7, 30: 30, 90: 90 };

function asTheyAre<const Word extends string>(...words: readonly Word[]): Words<Word> {
  return Object.fromEntries(words.map(word => [word, word]));
}

/** Accepts the daemon's own words too: `--json` prints them. */
export function meaningOf<Value extends string | number>(option: string, words: Words<Value>, typed: string): Value {
  if (Object.hasOwn(words, typed)) return words[typed] as Value;
  const own = Object.values(words).find(value => value === typed);
  if (own !== undefined) return own;
  throw misuse(`--${option} must be one of ${Object.keys(words).join(', ')}.`);
}

export function wordFor<Value extends string | number>(words: Words<Value>, value: Value): string {
  return Object.entries(words).find(([, meaning]) => meaning === value)?.[0] ?? String(value);
}

const unitSeconds: Words<number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90s`, `30m`, `1h`, `2d`, or several of them: `1h30m`. In seconds. */
export function durationSeconds(option: string, typed: string): number {
  if (/^(\d{1,6}[smhd])+$/.test(typed)) {
    let seconds = 0;
    for (const [, count, unit] of typed.matchAll(/(\d{1,6})([smhd])/g))
      seconds += Number(count) * (unitSeconds[unit ?? ''] ?? 0);
    if (seconds > 0) return seconds;
  }
  throw misuse(
    `--${option} must be a duration such as 30m, 1h or 2d${option === 'for' ? ', tonight, or always' : ''}.`,
  );
}

export function wholeNumber(option: string, typed: string): number {
  if (/^\d{1,9}$/.test(typed)) return Number(typed);
  throw misuse(`--${option} must be a whole number.`);
}

/** `14:30` if that is within a day from now, otherwise with its date. */
export function shownUntil(instant: string, nowMilliseconds: number): string {
  const near = Math.abs(Date.parse(instant) - nowMilliseconds) < 86_400_000;
  return near ? shownTime(instant).slice(-5) : shownTime(instant);
}

/** `2026-11-20 23:50`, in the reader's time zone. */
export function shownTime(instant: string): string {
  const date = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `23:50:10`: for what ends within minutes. */
export function shownClock(instant: string): string {
  return `${shownTime(instant).slice(-5)}:${String(new Date(instant).getSeconds()).padStart(2, '0')}`;
}

/** `2h` ago, or an ISO 8601 instant or day, in the reader's time zone if it names none. */
export function sinceOf(typed: string, nowMilliseconds: number): string {
  if (/^(\d{1,6}[smhd])+$/.test(typed)) {
    return new Date(nowMilliseconds - durationSeconds('since', typed) * 1_000).toISOString();
  }
  const isInstant = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(typed);
  // A day alone would be read as UTC.
  const instant = isInstant ? Date.parse(typed.length === 10 ? `${typed}T00:00` : typed) : Number.NaN;
  if (Number.isNaN(instant))
    throw misuse('--since must be a duration such as 30m or 2d, or an instant such as 2026-11-20T12:00.');
  return new Date(instant).toISOString();
}
