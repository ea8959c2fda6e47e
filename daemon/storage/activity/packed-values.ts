/**
 * Stores values of a row in few bytes: a blob in place of a text or number. The row's meaning and
 * MAC stay the same. An edited table may hold any type in any column: a value that isn't packed is
 * returned as it is.
 */

import { type ActivityRow, activityCategories } from '../../activity.ts';
import type { StoredRow } from './row.ts';

interface Packing {
  pack(value: unknown): unknown;
  unpack(stored: unknown): unknown;
}

/** A word of a closed list is stored as its index, so new words go to the end. */
function coded(words: readonly string[]): Packing {
  const codes = new Map<unknown, Buffer>(words.map((word, place) => [word, Buffer.from([place])]));
  return {
    pack: word => codes.get(word) ?? word,
    unpack(stored) {
      const code = Buffer.isBuffer(stored) && stored.length === 1 ? stored[0] : undefined;
      return code === undefined ? stored : (words[code] ?? `the code ${code}, which is none`);
    },
  };
}

/** The most bytes that `readUIntBE` reads. */
const mostBytes = 6;

/** The big-endian bytes of a whole number below 2 ** 48, without leading zeros. */
export function bytesOf(number: number): Buffer {
  const bytes = Buffer.alloc(mostBytes);
  bytes.writeUIntBE(number, 0, mostBytes);
  const first = bytes.findIndex(byte => byte !== 0);
  return bytes.subarray(first === -1 ? mostBytes - 1 : first);
}

/** Milliseconds with three decimals are a whole number of microseconds. */
const microseconds: Packing = {
  pack(value) {
    const whole = Math.round(Number(value) * 1_000);
    const isExact = typeof value === 'number' && whole >= 0 && whole < 2 ** 48 && whole / 1_000 === value;
    return isExact && !Object.is(value, -0) ? bytesOf(whole) : value;
  },
  unpack: stored =>
    Buffer.isBuffer(stored) && stored.length > 0 && stored.length <= mostBytes
      ? stored.readUIntBE(0, stored.length) / 1_000
      : stored,
};

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const uuid: Packing = {
  pack: text =>
    typeof text === 'string' && uuidPattern.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text,
  unpack(stored) {
    if (!Buffer.isBuffer(stored) || stored.length !== 16) return stored;
    const digits = stored.toString('hex');
    return [8, 12, 16, 20, 32].map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end)).join('-');
  },
};

/** row.ts has checked it: only hexadecimal digits. */
const hash: Packing = {
  pack: text => (typeof text === 'string' ? Buffer.from(text, 'hex') : text),
  unpack: stored => (Buffer.isBuffer(stored) ? stored.toString('hex') : stored),
};

const kinds: readonly ActivityRow['kind'][] = ['event', 'attempt', 'outcome'];

export const packings = {
  kind: coded(kinds),
  category: coded(activityCategories),
  statement_hash: hash,
  duration_milliseconds: microseconds,
  request_id: uuid,
} satisfies { readonly [Column in keyof StoredRow]?: Packing };

export function packingOf(column: keyof StoredRow): Packing | null {
  return (packings as { readonly [Column in keyof StoredRow]?: Packing })[column] ?? null;
}
