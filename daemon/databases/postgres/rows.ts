/** Reads the body of a DataRow; of one too long to be held whole, what was kept of it while it arrived. */

import type { Cell } from '../../query/database.ts';
import { type CellKind, type ReadingNotes, readCell } from './values.ts';

export interface RowShape {
  readonly kinds: readonly CellKind[];
  readonly cellBytes: number;
  readonly notes: ReadingNotes;
}

/** `shortened`: of a long value only its start is there, under its full length. `cut`: the end of the row is missing too. */
export type RowState = 'whole' | 'shortened' | 'cut';

/** Enough to cut between two characters. */
const keepBytes = (shape: RowShape) => shape.cellBytes + 4;

/** Of the number of columns that a row begins with, and of the length before each value. */
export const countBytes = 2;
const lengthBytes = 4;

/** Throws a RangeError where the body contradicts itself or the columns announced. Values that are cut off have no length. */
export function readRow(body: Buffer, shape: RowShape, state: RowState): Cell[] {
  const { kinds, cellBytes, notes } = shape;
  if (body.readUInt16BE(0) !== kinds.length) throw new RangeError('a row has other columns than announced');
  const kept = state === 'whole' ? Number.POSITIVE_INFINITY : keepBytes(shape);
  const cells: Cell[] = new Array(kinds.length);
  let offset = countBytes;
  for (let index = 0; index < kinds.length; index += 1) {
    if (state === 'cut' && offset === body.length) {
      cells[index] = { kept: '', fullBytes: null };
      continue;
    }
    const length = body.readInt32BE(offset);
    offset += lengthBytes;
    const end = offset + Math.min(length, kept);
    if (length < -1 || (end > body.length && state !== 'cut')) throw new RangeError('a value is longer than its row');
    if (length === -1) {
      cells[index] = null;
      continue;
    }
    const bytes = body.subarray(offset, end);
    // Of a value that is cut off, the last byte may be the start of a character.
    const limit = bytes.length === length ? cellBytes : Math.min(cellBytes, Math.max(0, bytes.length - 1));
    cells[index] = readCell(kinds[index] ?? 'text', bytes, length, limit, notes);
    offset += bytes.length;
  }
  return cells;
}

/** One row too long to be held whole, while it arrives. */
export class LongRow {
  /** Bytes of the message still to come. */
  left: number;
  readonly #keepBytes: number;
  readonly #kept: Buffer[];
  #columnsLeft: number;
  /** Bytes of the current value still to come, and how many of them are kept. */
  #valueLeft = 0;
  #keepLeft = 0;

  /** Throws a RangeError where `columns`, which the row begins with, are not those announced. */
  constructor(columns: number, bodyBytes: number, shape: RowShape) {
    if (columns !== shape.kinds.length) throw new RangeError('a row has other columns than announced');
    this.left = bodyBytes - countBytes;
    this.#keepBytes = keepBytes(shape);
    this.#columnsLeft = columns;
    this.#kept = [Buffer.alloc(countBytes)];
    this.#kept[0]?.writeUInt16BE(columns);
  }

  /** As `readRow` takes it. */
  get kept(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** True where nothing that could be shown would come within `bytes` more: reading on would only cost time. */
  isEnoughWithin(bytes: number): boolean {
    return bytes < lengthBytes || (this.#valueLeft > bytes && this.#keepLeft === 0);
  }

  /** @returns how many of `bytes` were taken: a length only in one piece. Throws a RangeError where the message contradicts itself. */
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
    // A copy: a view would hold the whole network buffer in memory for as long as the row.
    if (keep > 0) this.#kept.push(Buffer.from(bytes.subarray(0, keep)));
    this.#keepLeft -= keep;
    this.#valueLeft -= taken;
    return taken;
  }
}
