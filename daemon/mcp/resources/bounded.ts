/** Keeps what a client puts before a model as small as an answer is (spec §7), and still JSON. */

import { jsonOfContent } from '../../query/row-text.ts';

/** Shorter texts are left whole: what is long makes the size. */
const shortText = 200;

type Holder = Record<string, unknown> | unknown[];

/** @param rest how to get what was left out; only then is it said. */
export function boundedJson(content: Record<string, unknown>, bytes: number, rest: string): string {
  const { next_cursor: more, ...shown } = content;
  const whole = jsonOfContent(shown);
  const room = bytes - Buffer.byteLength(rest) - 16;
  if (Buffer.byteLength(whole) <= bytes && more === undefined) return whole;
  const kept: Record<string, unknown> = JSON.parse(whole);
  while (Buffer.byteLength(JSON.stringify(kept)) > room) {
    const largest = largestIn(kept);
    if (largest === null) break;
    const { holder, key, value } = largest;
    Reflect.set(holder, key, value.slice(0, Math.floor(value.length / 2)));
  }
  return JSON.stringify({ ...kept, cut: rest });
}

interface Largest {
  readonly holder: Holder;
  readonly key: string;
  readonly value: string | unknown[];
  readonly size: number;
}

function largestIn(holder: Holder): Largest | null {
  let largest: Largest | null = null;
  for (const [key, value] of Object.entries<unknown>({ ...holder })) {
    const inner = typeof value === 'object' && value !== null && !isCuttable(value) ? largestIn(value as Holder) : null;
    const found = isCuttable(value) ? { holder, key, value, size: JSON.stringify(value).length } : inner;
    if (found !== null && found.size > (largest?.size ?? 0)) largest = found;
  }
  return largest;
}

function isCuttable(value: unknown): value is string | unknown[] {
  return typeof value === 'string' ? value.length > shortText : Array.isArray(value) && value.length > 1;
}
