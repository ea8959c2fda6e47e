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

const nothing = Buffer.alloc(0);

/** Throws a RangeError where the body contradicts itself or the columns announced. Values that are cut off have no length. */
export function readRow(body: Buffer, shape: RowShape, state: RowState): Cell[] {
  const { kinds, cellBytes, notes } = shape;
  if (body.readUInt16BE(0) !== kinds.length) throw new RangeError('a row has other columns than announced');
  const kept = state === 'whole' ? Number.POSITIVE_INFINITY : keepBytes(shape);
  const cells: Cell[] = new Array(kinds.length);
  let offset = 2;
  for (let index = 0; index < kinds.length; index += 1) {
    if (state === 'cut' && offset === body.length) {
      cells[index] = { kept: '', fullBytes: null };
      continue;
    }
    const length = body.readInt32BE(offset);
    offset += 4;
    const end = offset + Math.min(length, kept);
    if (length < -1 || (end > body.length && state !== 'cut')) throw new RangeError('a value is longer than its row');
    if (length === -1) {
      cells[index] = null;
      continue;
    }
    const bytes = body.subarray(offset, end);
    cells[index] = readCell(kinds[index] ?? 'text', bytes, length, Math.min(cellBytes, bytes.length), notes);
    offset += bytes.length;
  }
  return cells;
}

/** One row too long to be held whole, while it arrives. */
export class LongRow {
  /** Bytes of the message still to come. */
  left: number;
  readonly #shape: RowShape;
  readonly #kept: Buffer[];
  /** The two bytes of the count or four of a length, which may arrive apart. */
  #number = nothing;
  #numberBytes = 2;
  #columnsLeft: number;
  /** Bytes of the current value still to come, and how many of them are kept. */
  #valueLeft = 0;
  #keepLeft = 0;

  constructor(bodyBytes: number, shape: RowShape) {
    this.left = bodyBytes;
    this.#shape = shape;
    this.#columnsLeft = shape.kinds.length;
    const count = Buffer.alloc(2);
    count.writeUInt16BE(this.#columnsLeft);
    this.#kept = [count];
  }

  /** As `readRow` takes it. */
  get kept(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /**
   * True where the value now arriving can't end within `bytes` more and enough of it is here to be shown: reading on
   * would only cost time.
   */
  cannotEndWithin(bytes: number): boolean {
    return this.#valueLeft > bytes && this.#keepLeft === 0;
  }

  /** @returns how many of `bytes` belonged to this row. Throws a RangeError where the message contradicts itself. */
  take(bytes: Buffer): number {
    const mine = bytes.subarray(0, this.left);
    let offset = 0;
    while (offset < mine.length) {
      offset +=
        this.#valueLeft === 0 ? this.#takeNumber(mine.subarray(offset)) : this.#takeValue(mine.subarray(offset));
    }
    this.left -= mine.length;
    return mine.length;
  }

  #takeNumber(bytes: Buffer): number {
    const taken = bytes.subarray(0, this.#numberBytes - this.#number.length);
    this.#number = Buffer.concat([this.#number, taken]);
    if (this.#number.length < this.#numberBytes) return taken.length;
    if (this.#numberBytes === 4) this.#startValue(this.#number);
    else if (this.#number.readUInt16BE(0) !== this.#columnsLeft)
      throw new RangeError('a row has other columns than announced');
    this.#number = nothing;
    this.#numberBytes = 4;
    return taken.length;
  }

  #startValue(number: Buffer): void {
    const length = number.readInt32BE(0);
    if (length < -1 || length > this.left) throw new RangeError('a value is longer than its row');
    if (this.#columnsLeft === 0) throw new RangeError('a row has other columns than announced');
    this.#columnsLeft -= 1;
    this.#kept.push(number);
    this.#valueLeft = Math.max(0, length);
    this.#keepLeft = Math.min(this.#valueLeft, keepBytes(this.#shape));
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
