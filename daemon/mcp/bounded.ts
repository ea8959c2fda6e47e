/** Keeps what a client puts before a model as small as an answer is (spec §7), and still JSON. */

import { jsonOfContent } from '../query/row-text.ts';
import { wholeCharacters } from '../query/shorten.ts';

/** Shorter texts are left whole: what is long makes the size. */
const shortText = 200;

type Holder = Record<string, unknown> | unknown[];

/**
 * Texts that are longer than a sixteenth of all are halved first, the longest first, so that one as long as a book takes no table's
 * place; then whatever is largest.
 * @param rest how to get what was left out; only then is it said.
 * @returns `content` itself where it fits.
 */
export function boundedContent(content: Record<string, unknown>, bytes: number, rest: string): Record<string, unknown> {
  const { next_cursor: more, cut: _, ...shown } = content;
  const whole = jsonOfContent(shown);
  if (Buffer.byteLength(whole) <= bytes && more === undefined) return content;
  const room = bytes - Buffer.byteLength(rest) - 16;
  const kept: Record<string, unknown> = JSON.parse(whole);
  while (sizeOf(kept) > room) {
    const largest =
      largestIn(kept, (value): value is string => isText(value) && sizeOf(value) > bytes / 16) ??
      largestIn(kept, isCuttable);
    if (largest === null) break;
    const { holder, key, value } = largest;
    const half = Math.floor(value.length / 2);
    Reflect.set(holder, key, typeof value === 'string' ? wholeCharacters(value, half) : value.slice(0, half));
  }
  return { cut: rest, ...kept };
}

interface Largest {
  readonly holder: Holder;
  readonly key: string;
  readonly value: string | unknown[];
  readonly size: number;
}

function largestIn(holder: Holder, isOne: (value: unknown) => value is string | unknown[]): Largest | null {
  let largest: Largest | null = null;
  for (const [key, value] of Object.entries<unknown>({ ...holder })) {
    if (!isText(value) && (typeof value !== 'object' || value === null)) continue;
    const size = sizeOf(value);
    if (size <= (largest?.size ?? 0)) continue;
    const inner = () => (isText(value) ? null : largestIn(value as Holder, isOne));
    const found = isOne(value) ? { holder, key, value, size } : inner();
    if (found !== null && found.size > (largest?.size ?? 0)) largest = found;
  }
  return largest;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCuttable(value: unknown): value is string | unknown[] {
  return isText(value) ? value.length > shortText : Array.isArray(value) && value.length > 1;
}
