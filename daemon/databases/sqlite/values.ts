/**
 * One SQLite row as the port's text (spec §8), its cells cut where they are too long. Runs in the child, so that a 100 MB value
 * never reaches the daemon. INTEGER is a number up to 2^53-1 and a string beyond, REAL a number as SQLite writes it (Infinity a string),
 * TEXT as it is, BLOB `\x…`.
 */

import { jsonOfText, noCuts, type RowText } from '../../query/row-text.ts';

/** What the driver hands out with `safeIntegers`. */
export type SqliteValue = bigint | number | string | Buffer | null;

/** What was met on the way and must be said or acted on after the statement. */
export interface Notes {
  replacementCharacter: boolean;
  /** Bytes of the longest value: the child is not reused after a huge one. */
  longestBytes: number;
}

export function rowOf(values: readonly SqliteValue[], cellBytes: number, notes: Notes): RowText {
  let cuts = noCuts;
  let json = '[';
  for (const [column, value] of values.entries()) {
    const { text, fullBytes } = cellOf(value, cellBytes, notes);
    json += column > 0 ? `,${text}` : text;
    if (fullBytes !== null) cuts = [...cuts, { column, fullBytes }];
  }
  return { json: `${json}]`, cuts };
}

interface CellText {
  /** Its JSON. */
  readonly text: string;
  /** Null for a cell that is whole. */
  readonly fullBytes: number | null;
}

const whole = (text: string): CellText => ({ text, fullBytes: null });

function cellOf(value: SqliteValue, cellBytes: number, notes: Notes): CellText {
  switch (typeof value) {
    case 'bigint':
      return whole(value >= -9007199254740991n && value <= 9007199254740991n ? `${value}` : `"${value}"`);
    case 'number':
      return whole(Number.isFinite(value) ? realText(value) : `"${value}"`);
    case 'string':
      return textCell(value, cellBytes, notes);
    default:
      return value === null ? whole('null') : binaryCell(value, cellBytes, notes);
  }
}

/** Always with a dot, as `CAST(… AS TEXT)` has it: `2.0`, `1.0e+308`, `1.0e-05`. */
function realText(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const withDot = (text: string): string => (text.includes('.') ? text : `${text}.0`);
  if (Number(power) >= -4 && Number(power) < 17) return withDot(`${value}`);
  return `${withDot(digits)}e${power.replace(/^(.)(.)$/, '$10$2')}`;
}

function textCell(text: string, cellBytes: number, notes: Notes): CellText {
  if (text.includes('\uFFFD')) notes.replacementCharacter = true;
  if (text.length * 3 <= cellBytes) return whole(jsonOfText(text));
  const fullBytes = Buffer.byteLength(text);
  notes.longestBytes = Math.max(notes.longestBytes, fullBytes);
  if (fullBytes <= cellBytes) return whole(jsonOfText(text));
  // encodeInto stops before a character that doesn't fit whole.
  const { read } = new TextEncoder().encodeInto(text.slice(0, cellBytes), new Uint8Array(cellBytes));
  return { text: jsonOfText(text.slice(0, read)), fullBytes };
}

function binaryCell(bytes: Buffer, cellBytes: number, notes: Notes): CellText {
  notes.longestBytes = Math.max(notes.longestBytes, bytes.length);
  const fits = Math.max(0, Math.floor((cellBytes - 2) / 2));
  const text = `"\\\\x${bytes.toString('hex', 0, fits)}"`;
  return { text, fullBytes: bytes.length <= fits ? null : bytes.length };
}
