/**
 * Turns one SQLite row into the port's text (spec §8), cutting long cells. Runs in the child, so a
 * 100 MB value never reaches the daemon. INTEGER is a number up to 2^53-1 and a string beyond, REAL
 * a number as SQLite writes it (Infinity a string), TEXT stays, BLOB is `\x…`.
 */

import { type CutCell, jsonOfPlainText, jsonOfText, noCuts, type RowText } from '../../row-text.ts';

/** The driver's values, integers exact. */
export type SqliteValue = bigint | number | string | Uint8Array | null;

/** Collected while rows are read, for the end of the statement. */
export interface Notes {
  replacementCharacter: boolean;
  /** Bytes of the longest value: after a huge one the child is not reused. */
  longestBytes: number;
}

export function rowOf(values: readonly SqliteValue[], cellBytes: number, notes: Notes): RowText {
  let cuts: CutCell[] | null = null;
  let json = '[';
  for (let column = 0; column < values.length; column += 1) {
    if (column > 0) json += ',';
    const value = values[column] ?? null;
    const short = shortCell(value, cellBytes);
    if (short !== null) {
      json += short;
      continue;
    }
    const { text, fullBytes } =
      value instanceof Uint8Array ? binaryCell(value, cellBytes, notes) : textCell(`${value}`, cellBytes, notes);
    json += text;
    if (fullBytes === null) continue;
    cuts ??= [];
    cuts.push({ column, fullBytes });
  }
  return { json: `${json}]`, cuts: cuts ?? noCuts };
}

interface CellText {
  /** The cell's JSON. */
  readonly text: string;
  /** Null for a whole cell. */
  readonly fullBytes: number | null;
}

const whole = (text: string): CellText => ({ text, fullBytes: null });

/** @returns null for bytes, and for a text that is long or not plain. */
function shortCell(value: SqliteValue, cellBytes: number): string | null {
  switch (typeof value) {
    case 'bigint':
      return integerText(value);
    case 'number':
      return Number.isFinite(value) ? realText(value) : `"${value}"`;
    case 'string':
      return value.length * 3 <= cellBytes ? jsonOfPlainText(value) : null;
    default:
      return value === null ? 'null' : null;
  }
}

/** A number that was rounded to a double is never a safe integer. */
function integerText(value: bigint): string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? `${number}` : `"${value}"`;
}

/** Always with a dot, as `CAST(… AS TEXT)` writes it: `2.0`, `1.0e+308`, `1.0e-05`. */
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

function binaryCell(bytes: Uint8Array, cellBytes: number, notes: Notes): CellText {
  notes.longestBytes = Math.max(notes.longestBytes, bytes.length);
  const fits = Math.max(0, Math.floor((cellBytes - 2) / 2));
  const text = `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex', 0, fits)}"`;
  return { text, fullBytes: bytes.length <= fits ? null : bytes.length };
}
