/**
 * A column's name, and a cell's bytes as JSON (spec §8). The server prints every value itself (text
 * protocol), so only small integers and floats are converted here. The type code and character set
 * 63 ("binary") tell numbers, text and bytes apart.
 */

import { isUtf8 } from 'node:buffer';
import type { Column } from '../../engine.ts';
import { jsonOfNumber, jsonOfPlainText } from '../../row-text.ts';
import type { ColumnDefinition } from './answer-packets.ts';
import { binaryCharacterSet, hasZeros, typeName } from './type-names.ts';

type CellForm = 'number' | 'text' | 'binary';

export interface ResultColumn extends Column {
  readonly form: CellForm;
}

export function resultColumn(definition: ColumnDefinition): ResultColumn {
  return { name: definition.name, type: typeName(definition), form: formOf(definition) };
}

function formOf(definition: ColumnDefinition): CellForm {
  const { type, characterSet } = definition;
  if (hasZeros(definition)) return 'text';
  switch (type) {
    case 1: // tinyint
    case 2: // smallint
    case 3: // int
    case 4: // float
    case 5: // double
    case 9: // mediumint
    case 13: // year
      return 'number';
    case 16: // bit
    case 255: // geometry
      return 'binary';
    case 15: // varchar
    case 249: // tiny blob
    case 250: // medium blob
    case 251: // long blob
    case 252: // blob
    case 253: // var string
    case 254: // string
    case 242: // vector
      return characterSet === binaryCharacterSet ? 'binary' : 'text';
    default:
      // bigint, decimal, dates and times, json (which MySQL labels binary), NULL
      return 'text';
  }
}

/** How many bytes of a cell its JSON needs, at most. */
export function bytesToHold(form: CellForm, cellBytes: number): number {
  return form === 'binary' ? Math.max(0, Math.floor((cellBytes - 2) / 2)) : cellBytes;
}

/**
 * A whole cell, short enough to be kept.
 * @param latin1 its bytes, one character for each
 * @returns null if only the bytes tell ({@link decodedCellJson})
 */
export function cellJson(form: CellForm, latin1: string): string | null {
  if (form === 'number') return jsonOfNumber(latin1);
  return form === 'binary' ? null : jsonOfPlainText(latin1);
}

export function decodedCellJson(form: CellForm, bytes: Buffer, notes: CellNotes): string {
  return form === 'binary' ? `"\\\\x${bytes.toString('hex')}"` : JSON.stringify(text(bytes, notes));
}

/** What is kept of a cell that is too long, or of which only `held` arrived. */
export function keptOf(form: CellForm, held: Buffer, cellBytes: number, notes: CellNotes): string {
  const limit = Math.min(held.length, bytesToHold(form, cellBytes));
  if (form === 'binary') return `\\x${held.toString('hex', 0, limit)}`;
  return text(held.subarray(0, characterBoundary(held, limit)), notes);
}

/** Facts about values that the reader must know. */
export interface CellNotes {
  invalidUtf8: boolean;
}

function text(bytes: Buffer, notes: CellNotes): string {
  const value = bytes.toString('utf8');
  if (!notes.invalidUtf8 && value.includes('\ufffd') && !isUtf8(bytes)) notes.invalidUtf8 = true;
  return value;
}

/** The last place up to `limit` that doesn't split a UTF-8 character. */
function characterBoundary(bytes: Buffer, limit: number): number {
  let at = limit;
  if (at === 0) return 0;
  let lead = at - 1;
  while (lead > 0 && at - lead < 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (lead + length > at) at = lead;
  return at;
}
