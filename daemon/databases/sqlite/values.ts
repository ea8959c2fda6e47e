/**
 * One SQLite value as the port's cell (spec §8), cut where it is too long. Runs in the child, so that a 100 MB value
 * never reaches the daemon. INTEGER is a number up to 2^53-1 and a string beyond, REAL a number (Infinity a string),
 * TEXT as it is, BLOB `\x…`.
 */

import type { Cell } from '../../query/database.ts';

/** What the driver hands out with `safeIntegers`. */
export type SqliteValue = bigint | number | string | Buffer | null;

/** What was met on the way and must be said or acted on after the statement. */
export interface Notes {
  replacementCharacter: boolean;
  /** Bytes of the longest value: the child is not reused after a huge one. */
  longestBytes: number;
}

export function cellOf(value: SqliteValue, cellBytes: number, notes: Notes): Cell {
  switch (typeof value) {
    case 'bigint':
      return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value.toString();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'string':
      return textCell(value, cellBytes, notes);
    default:
      return value === null ? null : binaryCell(value, cellBytes, notes);
  }
}

function textCell(text: string, cellBytes: number, notes: Notes): Cell {
  if (text.includes('\uFFFD')) notes.replacementCharacter = true;
  if (text.length * 3 <= cellBytes) return text;
  const fullBytes = Buffer.byteLength(text);
  notes.longestBytes = Math.max(notes.longestBytes, fullBytes);
  if (fullBytes <= cellBytes) return text;
  // encodeInto stops before a character that doesn't fit whole.
  const { read } = new TextEncoder().encodeInto(text.slice(0, cellBytes), new Uint8Array(cellBytes));
  return { kept: text.slice(0, read), fullBytes };
}

function binaryCell(bytes: Buffer, cellBytes: number, notes: Notes): Cell {
  notes.longestBytes = Math.max(notes.longestBytes, bytes.length);
  const fits = Math.max(0, Math.floor((cellBytes - 2) / 2));
  const kept = `\\x${bytes.toString('hex', 0, fits)}`;
  return bytes.length <= fits ? kept : { kept, fullBytes: bytes.length };
}
