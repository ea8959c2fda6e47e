/**
 * Words a privilege increase for the person who confirms it (spec §11): a phrase, and below it each
 * value. The values are others' text: nothing in them can close their quotes; whoever draws them
 * escapes them (spec §12).
 */

import type { ConfirmationFact } from '../../../shared/control-commands.ts';
import { textSize, textSizeWords } from '../../../shared/text-size.ts';
import type { Text } from '../../../shared/texts.ts';

export interface PrivilegeIncrease {
  /** Completes "This …". */
  readonly phrase: string;
  readonly facts: readonly IncreaseFact[];
  /** Not shown: another one needs another confirmation. */
  readonly occasion?: number;
}

export type IncreaseFact = ConfirmationFact;

/** Code points of a fact's value and former value. Only statements and allowlists can be longer. */
const longestValue = 16_000;
/** Code points within the quotes of a phrase; a name fits. */
const longestQuoted = 64;

/** What begins so names something, and is English only. */
type Named = 'Allowed' | 'Parameter' | 'Reaches (' | 'Until now at' | '~/.ssh/config';
type Label = Text | `${Named}${string}`;

/** Shows no value of anybody. */
export function plainIncrease(phrase: string, occasion?: number): PrivilegeIncrease {
  return { phrase, facts: [], ...(occasion !== undefined && { occasion }) };
}

export function fact(label: Label, value: string, former: string | null = null): IncreaseFact {
  return {
    label,
    value: withoutMiddle(value, longestValue),
    former: former && withoutMiddle(former, longestValue),
    form: 'line',
  };
}

/**
 * The value is drawn line by line, so its size has to be shown beside it, as `sizeWords` or a
 * count.
 */
export function linesFact(label: Label, value: string, former: string | null = null): IncreaseFact {
  return { ...fact(label, value, former), form: 'lines' };
}

/** `2026-11-27 18:00`, in this computer's time zone. */
export function instantWords(iso: string): string {
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `27 characters, 1 line`, for the whole text. */
export function sizeWords(text: string): string {
  return textSizeWords(textSize(text));
}

/** Quotes inside become apostrophes; the facts keep the original. */
const quoteLike =
  /["\u02ba\u02dd\u02ee\u02f5\u02f6\u05f4\u1cd3\u201c-\u201f\u2033\u2036\u275d\u275e\u2e42\u3003\u301d-\u301f\uff02\u{1f676}-\u{1f678}]/gu;
/** Two of them side by side look like one, even with something invisible in between. */
const half = String.raw`['\u0060\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5\u1fbd\u1fbf\u1fef\u1ffd\u1ffe\u2018-\u201b\u2032\u2035\ua78c\uff07\uff40]`;
const halfQuotes = new RegExp(`${half}(?:\\p{Default_Ignorable_Code_Point}*${half})+`, 'gu');

export function quoted(text: string): string {
  return `"${withoutMiddle(text, longestQuoted).replace(quoteLike, "'").replace(halfQuotes, "'")}"`;
}

/** The end identifies a long address or path, so both ends stay; what is left out is counted. */
function withoutMiddle(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const leftOut = characters.length - 2 * half;
  return `${characters.slice(0, half).join('')} … ${leftOut} characters more … ${characters.slice(-half).join('')}`;
}
