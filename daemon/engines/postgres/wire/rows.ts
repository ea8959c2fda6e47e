/** Reads the body of a DataRow; of a too long one, what was kept while it arrived. */

import { type CutCell, jsonOfText, noCuts, type RowText } from '../../row-text.ts';
import { type CellKind, cellJson, cutCell, decodedCellJson, type ReadingNotes } from './values.ts';

export interface RowShape {
  readonly kinds: readonly CellKind[];
  readonly cellBytes: number;
  readonly notes: ReadingNotes;
}

/**
 * `shortened`: of a long value only the start is there, with its full length. `cut`: the end of the
 * row is missing too.
 */
export type RowState = 'whole' | 'shortened' | 'cut';

/** Enough to cut between two characters. */
const keepBytes = (shape: RowShape) => shape.cellBytes + 4;

/** Size of the column count at the beginning of a row, and of the length before each value. */
export const countBytes = 2;
const lengthBytes = 4;

/**
 * The body of a DataRow, from `start` to `end`. Cut values have no length.
 * @throws RangeError if the body contradicts itself or the announced columns.
 */
export function readRow(bytes: Buffer, start: number, end: number, shape: RowShape, state: RowState): RowText {
  const { kinds, cellBytes, notes } = shape;
  if (bytes.readUInt16BE(start) !== kinds.length) throw new RangeError('a row has other columns than announced');
  const kept = state === 'whole' ? Number.POSITIVE_INFINITY : keepBytes(shape);
  // One conversion for the row instead of one per cell.
  const latin1 = bytes.toString('latin1', start, end);
  let cuts: CutCell[] | null = null;
  let json = '[';
  let offset = start + countBytes;
  for (let column = 0; column < kinds.length; column += 1) {
    if (column > 0) json += ',';
    if (state === 'cut' && offset === end) {
      json += '""';
      cuts ??= [];
      cuts.push({ column, fullBytes: null });
      continue;
    }
    const length = bytes.readInt32BE(offset);
    offset += lengthBytes;
    const from = offset;
    const to = from + Math.min(length, kept);
    if (length < -1 || (to > end && state !== 'cut')) throw new RangeError('a value is longer than its row');
    if (length === -1) {
      json += 'null';
      continue;
    }
    offset = Math.min(to, end);
    const kind = kinds[column] ?? 'text';
    // The last byte of a cut value may be the start of a character.
    const isWhole = offset - from === length;
    const limit = isWhole ? cellBytes : Math.min(cellBytes, Math.max(0, offset - from - 1));
    if (length <= limit) {
      const plain = cellJson(kind, latin1.substring(from - start, offset - start));
      json += plain ?? decodedCellJson(bytes.subarray(from, offset), notes);
      continue;
    }
    const cut = cutCell(kind, bytes.subarray(from, offset), length, limit, notes);
    json += jsonOfText(cut.kept);
    cuts ??= [];
    cuts.push({ column, fullBytes: cut.fullBytes });
  }
  return { json: `${json}]`, cuts: cuts ?? noCuts };
}

/** One row that is too long to be held whole, while it arrives. */
export class LongRow {
  /** Bytes of the message still to come. */
  left: number;
  readonly #keepBytes: number;
  readonly #kept: Buffer[];
  #columnsLeft: number;
  /** Bytes of the current value still to come, and how many of them are kept. */
  #valueLeft = 0;
  #keepLeft = 0;

  /**
   * Throws a RangeError if `columns`, the count at the row's beginning, differs from the announced
   * one.
   */
  constructor(columns: number, bodyBytes: number, shape: RowShape) {
    if (columns !== shape.kinds.length) throw new RangeError('a row has other columns than announced');
    this.left = bodyBytes - countBytes;
    this.#keepBytes = keepBytes(shape);
    this.#columnsLeft = columns;
    this.#kept = [Buffer.alloc(countBytes)];
    this.#kept[0]?.writeUInt16BE(columns);
  }

  /** In the form that `readRow` takes. */
  get kept(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** True if nothing showable would come within `bytes` more: reading on would only cost time. */
  isEnoughWithin(bytes: number): boolean {
    return bytes < lengthBytes || (this.#valueLeft > bytes && this.#keepLeft === 0);
  }

  /**
   * @returns how many of `bytes` were taken; a length is taken only whole. Throws a RangeError if
   *   the message contradicts itself.
   */
  take(bytes: Buffer): number {
    const end = Math.min(bytes.length, this.left);
    let at = 0;
    while (at < end) {
      if (this.#valueLeft > 0) at += this.#takeValue(bytes.subarray(at, end));
      else if (this.left - at < lengthBytes) throw new RangeError('a value is longer than its row');
      else if (end - at < lengthBytes) break;
      else {
        this.#startValue(bytes.readInt32BE(at), this.left - at);
        at += lengthBytes;
      }
    }
    this.left -= at;
    return at;
  }

  #startValue(length: number, left: number): void {
    if (this.#columnsLeft === 0) throw new RangeError('a row has other columns than announced');
    if (length < -1 || length > left) throw new RangeError('a value is longer than its row');
    this.#columnsLeft -= 1;
    const number = Buffer.alloc(lengthBytes);
    number.writeInt32BE(length);
    this.#kept.push(number);
    this.#valueLeft = Math.max(0, length);
    this.#keepLeft = Math.min(this.#valueLeft, this.#keepBytes);
  }

  #takeValue(bytes: Buffer): number {
    const taken = Math.min(bytes.length, this.#valueLeft);
    const keep = Math.min(taken, this.#keepLeft);
    // A copy: a view would keep the whole network buffer in memory as long as the row.
    if (keep > 0) this.#kept.push(Buffer.from(bytes.subarray(0, keep)));
    this.#keepLeft -= keep;
    this.#valueLeft -= taken;
    return taken;
  }
}
