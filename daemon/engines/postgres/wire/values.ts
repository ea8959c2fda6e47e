/**
 * Turns a row's field, the server's text, into the JSON of a cell (spec §8). Nothing is rounded.
 */

import { isUtf8 } from 'node:buffer';
import { jsonOfNumber, jsonOfPlainText } from '../../row-text.ts';

export type CellKind = 'number' | 'boolean' | 'binary' | 'text';

const kinds: Readonly<Record<number, CellKind>> = {
  16: 'boolean',
  17: 'binary',
  21: 'number', // int2
  23: 'number', // int4
  26: 'number', // oid
  700: 'number', // float4
  701: 'number', // float8
};

export function cellKind(typeOid: number): CellKind {
  return kinds[typeOid] ?? 'text';
}

/** Facts that the result's reader must know; set while rows are read. */
export interface ReadingNotes {
  invalidUtf8: boolean;
}

/**
 * The length of the longest start of `bytes`, at most `limit`, that doesn't end within a character.
 */
export function wholeCharacters(bytes: Buffer, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  while (end > 0 && limit - end < 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/**
 * A field that is kept whole.
 * @param latin1 its bytes, one character for each
 * @returns null if only the bytes tell ({@link decodedCellJson})
 */
export function cellJson(kind: CellKind, latin1: string): string | null {
  switch (kind) {
    case 'number':
      return jsonOfNumber(latin1);
    case 'boolean':
      return latin1.startsWith('t') ? 'true' : 'false';
    case 'binary':
    case 'text':
      return jsonOfPlainText(latin1);
  }
}

export function decodedCellJson(bytes: Buffer, notes: ReadingNotes): string {
  return JSON.stringify(readText(bytes, notes));
}

/**
 * @param bytes at least the field's first `cellBytes` + 4 bytes
 * @param fullBytes the whole field's length, more than `cellBytes`
 */
export function cutCell(
  kind: CellKind,
  bytes: Buffer,
  fullBytes: number,
  cellBytes: number,
  notes: ReadingNotes,
): { readonly kept: string; readonly fullBytes: number } {
  if (kind === 'binary') {
    const kept = bytes.toString('latin1', 0, Math.min(bytes.length, cellBytes - (cellBytes % 2)));
    return { kept, fullBytes: Math.floor((fullBytes - 2) / 2) };
  }
  return { kept: readText(bytes.subarray(0, wholeCharacters(bytes, cellBytes)), notes), fullBytes };
}

function readText(bytes: Buffer, notes: ReadingNotes): string {
  const value = bytes.toString('utf8');
  if (!notes.invalidUtf8 && value.includes('\ufffd') && !isUtf8(bytes)) notes.invalidUtf8 = true;
  return value;
}
