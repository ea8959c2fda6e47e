/**
 * Reads the row packets of a text result set. A row within one chunk is read in place. Any other is
 * read as it arrives and keeps only what its cells may keep, so a 100 MB cell costs no more memory
 * than a short one.
 */

import { type CutCell, jsonOfText, noCuts, type RowText } from '../../row-text.ts';
import { ProtocolViolation } from './packets.ts';
import { bytesToHold, type CellNotes, cellJson, decodedCellJson, keptOf, type ResultColumn } from './values.ts';

/** Reads rows of `columns`; one object per result set. */
export class RowReader {
  readonly #columns: readonly ResultColumn[];
  readonly #cellBytes: number;
  readonly #notes: CellNotes;
  /** Cells of the row that arrives in pieces, each as JSON. */
  #cells: string[] = [];
  #cuts: CutCell[] = [];
  /** Bytes of a length that a chunk's end has cut. */
  #length: number[] = [];
  #inCell = false;
  #fullBytes = 0;
  #remaining = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(columns: readonly ResultColumn[], cellBytes: number, notes: CellNotes) {
    this.#columns = columns;
    this.#cellBytes = cellBytes;
    this.#notes = notes;
  }

  /** Reads a row that lies whole in `chunk`. @throws ProtocolViolation */
  whole(chunk: Buffer, start: number, end: number): RowText {
    // One conversion for the row instead of one per cell.
    const latin1 = chunk.toString('latin1', start, end);
    let cuts = noCuts;
    let json = '[';
    let at = start;
    for (const [index, column] of this.#columns.entries()) {
      if (index > 0) json += ',';
      const first = chunk[at] ?? 0;
      let length = first;
      if (at >= end) throw new ProtocolViolation('a row ended too early');
      at += 1;
      if (first === 0xfb) {
        json += 'null';
        continue;
      }
      if (first > 0xfb) {
        const bytes = lengthBytes(first);
        if (at + bytes > end) throw new ProtocolViolation('a row ended too early');
        length = readLength(chunk, at, bytes);
        at += bytes;
      }
      if (length > end - at) throw new ProtocolViolation('a cell is longer than its row');
      const from = at;
      at += length;
      if (length <= bytesToHold(column.form, this.#cellBytes)) {
        const plain = cellJson(column.form, latin1.substring(from - start, at - start));
        json += plain ?? decodedCellJson(column.form, chunk.subarray(from, at), this.#notes);
      } else {
        json += jsonOfText(keptOf(column.form, chunk.subarray(from, at), this.#cellBytes, this.#notes));
        cuts = [...cuts, { column: index, fullBytes: length }];
      }
    }
    if (at !== end) throw new ProtocolViolation('a row is longer than its cells');
    return { json: `${json}]`, cuts };
  }

  /**
   * Reads the next piece of any other row.
   * @returns the row once it is whole.
   * @throws ProtocolViolation
   */
  piece(chunk: Buffer, start: number, end: number, last: boolean): RowText | null {
    let at = start;
    while (at < end) at = this.#inCell ? this.#body(chunk, at, end) : this.#header(chunk, at);
    if (!last) return null;
    if (this.#inCell || this.#length.length > 0 || this.#cells.length !== this.#columns.length) {
      throw new ProtocolViolation('a row ended too early');
    }
    return this.#take();
  }

  /** Bytes still missing of the current cell. */
  get bytesToCome(): number {
    return this.#inCell ? this.#remaining : 0;
  }

  /** True if no more of the current cell would be kept. */
  get holdsEnough(): boolean {
    return this.#inCell && this.#heldBytes >= bytesToHold(this.#form(), this.#cellBytes);
  }

  /**
   * What has arrived of a broken-off row: whole cells, the cut one, and cells of unknown length.
   * Null for none.
   */
  broken(): RowText | null {
    if (!this.#inCell && this.#cells.length === 0) return null;
    if (this.#inCell) this.#cut(Buffer.concat(this.#held), this.#fullBytes);
    while (this.#cells.length < this.#columns.length) {
      this.#cuts.push({ column: this.#cells.length, fullBytes: null });
      this.#cells.push('""');
    }
    return this.#take();
  }

  #take(): RowText {
    const row = { json: `[${this.#cells.join(',')}]`, cuts: this.#cuts };
    this.#cells = [];
    this.#cuts = [];
    return row;
  }

  #cut(held: Buffer, fullBytes: number): void {
    this.#cuts.push({ column: this.#cells.length, fullBytes });
    this.#cells.push(jsonOfText(keptOf(this.#form(), held, this.#cellBytes, this.#notes)));
  }

  #form(): ResultColumn['form'] {
    const column = this.#columns[this.#cells.length];
    if (column === undefined) throw new ProtocolViolation('a row has too many cells');
    return column.form;
  }

  #header(chunk: Buffer, at: number): number {
    this.#form();
    const first = this.#length[0];
    this.#length.push(chunk[at] ?? 0);
    if (first === undefined) {
      const tag = this.#length[0] ?? 0;
      if (tag === 0xfb) {
        this.#cells.push('null');
        this.#length = [];
      } else if (tag < 0xfb) this.#open(tag);
      else lengthBytes(tag);
    } else if (this.#length.length === 1 + lengthBytes(first)) {
      this.#open(readLength(Buffer.from(this.#length), 1, lengthBytes(first)));
    }
    return at + 1;
  }

  #open(length: number): void {
    this.#length = [];
    this.#fullBytes = length;
    this.#remaining = length;
    this.#held = [];
    this.#heldBytes = 0;
    this.#inCell = true;
    if (length === 0) this.#close();
  }

  #body(chunk: Buffer, start: number, end: number): number {
    const take = Math.min(end - start, this.#remaining);
    // A little more than is kept, so the cut can fall between two characters.
    const room = bytesToHold(this.#form(), this.#cellBytes) + 4 - this.#heldBytes;
    if (room > 0) {
      const part = Buffer.from(chunk.subarray(start, start + Math.min(take, room)));
      this.#held.push(part);
      this.#heldBytes += part.length;
    }
    this.#remaining -= take;
    if (this.#remaining === 0) this.#close();
    return start + take;
  }

  #close(): void {
    const held = Buffer.concat(this.#held);
    const isWhole = held.length === this.#fullBytes && held.length <= bytesToHold(this.#form(), this.#cellBytes);
    const plain = isWhole ? cellJson(this.#form(), held.toString('latin1')) : null;
    if (isWhole) this.#cells.push(plain ?? decodedCellJson(this.#form(), held, this.#notes));
    else this.#cut(held, this.#fullBytes);
    this.#inCell = false;
    this.#held = [];
  }
}

function lengthBytes(tag: number): 2 | 3 | 8 {
  if (tag === 0xfc) return 2;
  if (tag === 0xfd) return 3;
  if (tag === 0xfe) return 8;
  throw new ProtocolViolation('a length that is none');
}

function readLength(bytes: Buffer, at: number, length: 2 | 3 | 8): number {
  if (length !== 8) return bytes.readUIntLE(at, length);
  const value = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
  // No server makes a cell longer than 4 GiB.
  if (value > 2 ** 32) throw new ProtocolViolation('an absurd length');
  return value;
}
