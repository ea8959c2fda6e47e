/** Reads DataRow messages: short ones whole, long ones cell by cell while they arrive, keeping only what may be shown. */

import type { Cell } from '../../query/database.ts';
import { type CellKind, type ReadingNotes, readCell } from './values.ts';

export interface RowShape {
  readonly kinds: readonly CellKind[];
  readonly cellBytes: number;
  readonly notes: ReadingNotes;
}

/** Throws a RangeError where the message contradicts itself or the columns announced. */
export function readWholeRow(body: Buffer, shape: RowShape): Cell[] {
  const { kinds, cellBytes, notes } = shape;
  if (body.readUInt16BE(0) !== kinds.length) throw new RangeError('a row has other columns than announced');
  const cells: Cell[] = new Array(kinds.length);
  let offset = 2;
  for (let index = 0; index < kinds.length; index += 1) {
    const length = body.readInt32BE(offset);
    offset += 4;
    if (length < -1 || offset + length > body.length) throw new RangeError('a value is longer than its row');
    if (length === -1) {
      cells[index] = null;
      continue;
    }
    const bytes = body.subarray(offset, offset + length);
    cells[index] = readCell(kinds[index] ?? 'text', bytes, length, cellBytes, notes);
    offset += length;
  }
  return cells;
}

/** One row too long to be held whole. */
export class LongRow {
  readonly #shape: RowShape;
  readonly #cells: Cell[] = [];
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Bytes of the message still to come. */
  #left: number;
  /** Bytes of the current value still to come; -1 between values. */
  #valueLeft = -1;
  #valueBytes = 0;
  /** The two or four bytes of a count or length, which may arrive apart. */
  #number = Buffer.alloc(0);
  #counted = false;

  constructor(bodyBytes: number, shape: RowShape) {
    this.#left = bodyBytes;
    this.#shape = shape;
  }

  /** Bytes of the message still to come. */
  get left(): number {
    return this.#left;
  }

  get finished(): boolean {
    return this.#left === 0;
  }

  /**
   * True where the value now arriving can't end within `bytes` more and enough of it is here to be shown: reading on
   * would only cost time.
   */
  cannotEndWithin(bytes: number): boolean {
    return this.#valueLeft > bytes && this.#keptBytes >= this.#keepBytes;
  }

  get #keepBytes(): number {
    return this.#shape.cellBytes + 4;
  }

  /** @returns how many of `bytes` belonged to this row. Throws a RangeError where the message contradicts itself. */
  take(bytes: Buffer): number {
    const mine = bytes.subarray(0, Math.min(bytes.length, this.#left));
    let offset = 0;
    while (offset < mine.length) {
      offset += this.#valueLeft < 0 ? this.#takeNumber(mine.subarray(offset)) : this.#takeValue(mine.subarray(offset));
    }
    this.#left -= mine.length;
    if (this.finished && this.#cells.length !== this.#shape.kinds.length) throw new RangeError('a row ends too early');
    return mine.length;
  }

  #takeNumber(bytes: Buffer): number {
    const wanted = (this.#counted ? 4 : 2) - this.#number.length;
    const taken = bytes.subarray(0, wanted);
    this.#number = Buffer.concat([this.#number, taken]);
    if (taken.length < wanted) return taken.length;
    if (this.#counted) this.#startValue(this.#number.readInt32BE(0));
    else this.#start(this.#number.readUInt16BE(0));
    this.#number = Buffer.alloc(0);
    return taken.length;
  }

  #start(columns: number): void {
    if (columns !== this.#shape.kinds.length) throw new RangeError('a row has other columns than announced');
    this.#counted = true;
  }

  #startValue(length: number): void {
    if (length < -1 || length > this.#left) throw new RangeError('a value is longer than its row');
    if (length === -1) {
      this.#cells.push(null);
      return;
    }
    this.#valueBytes = length;
    this.#valueLeft = length;
    if (length === 0) this.#endValue();
  }

  #takeValue(bytes: Buffer): number {
    const taken = Math.min(bytes.length, this.#valueLeft);
    const keep = Math.min(taken, this.#keepBytes - this.#keptBytes);
    if (keep > 0) {
      // A copy: a view would hold the whole network buffer in memory for as long as the row.
      this.#kept.push(Buffer.from(bytes.subarray(0, keep)));
      this.#keptBytes += keep;
    }
    this.#valueLeft -= taken;
    if (this.#valueLeft === 0) this.#endValue();
    return taken;
  }

  #endValue(): void {
    const { kinds, cellBytes, notes } = this.#shape;
    const kind = kinds[this.#cells.length] ?? 'text';
    this.#cells.push(readCell(kind, Buffer.concat(this.#kept), this.#valueBytes, cellBytes, notes));
    this.#kept.length = 0;
    this.#keptBytes = 0;
    this.#valueLeft = -1;
  }

  /** The row as far as it came: the value cut short with its announced length, those after it with none. */
  cells(): readonly Cell[] {
    if (this.#valueLeft >= 0) {
      const { kinds, notes } = this.#shape;
      const kept = Buffer.concat(this.#kept);
      const kind = kinds[this.#cells.length] ?? 'text';
      this.#cells.push(readCell(kind, kept, this.#valueBytes, Math.min(this.#shape.cellBytes, kept.length), notes));
      this.#valueLeft = -1;
    }
    while (this.#cells.length < this.#shape.kinds.length) this.#cells.push({ kept: '', fullBytes: null });
    return this.#cells;
  }
}
