/**
 * Cuts what the server sends into messages and bounds it: a length is judged before one byte of its message is kept, so
 * neither a 200 MB cell nor a hostile server grows the daemon. Knows no statement and no transaction.
 */

import type { Cell } from '../../query/database.ts';
import { limits } from './limits.ts';
import { LongRow, type RowShape, readWholeRow } from './rows.ts';

interface RowReader {
  readonly shape: RowShape;
  row(cells: readonly Cell[]): void;
  /** The bytes allowed are used up: what else arrives is read and dropped, until the caller ends the connection. */
  cut(): void;
}

export interface Receiver {
  /** Any message but rows, COPY data, notices, notifications and parameter reports, which a statement has no use for. */
  message(code: number, body: Buffer): void;
  /** The bytes are not the protocol, or break a bound: nothing further is read. */
  broken(reason: string): void;
}

const headerBytes = 5;
const dataRow = 0x44; // 'D'
/** 'd' COPY data, 'N' notice, 'A' notification, 'S' parameter status. */
const skipped: ReadonlySet<number> = new Set([0x64, 0x4e, 0x41, 0x53]);

export class WireLimit {
  readonly #receiver: Receiver;
  #rows: RowReader | null = null;
  #rowBytesLeft = 0;
  #header = Buffer.alloc(0);
  #skip = 0;
  #long: LongRow | null = null;
  #partial: { readonly code: number; readonly body: Buffer; filled: number } | null = null;
  #held: Buffer | null = null;
  #holding = false;
  #ended = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Rows are handed to `reader` until told otherwise; with null they are read and dropped. */
  readRows(reader: RowReader | null, wireBytes: number): void {
    this.#rows = reader;
    this.#rowBytesLeft = wireBytes;
  }

  /** From now on what arrives is kept back (the caller pauses the socket); called while a message is handled. */
  hold(): void {
    this.#holding = true;
  }

  release(): void {
    this.#holding = false;
    const held = this.#held;
    this.#held = null;
    if (held !== null) this.receive(held);
  }

  end(): void {
    this.#ended = true;
    this.#rows = null;
    this.#held = null;
  }

  receive(bytes: Buffer): void {
    let rest = bytes;
    try {
      while (rest.length > 0 && !this.#ended && !this.#holding) rest = rest.subarray(this.#step(rest));
    } catch (error) {
      // Reading beyond a message's end, or what the row and message readers found contradictory.
      const reason = rangeReason(error);
      if (reason === null) throw error;
      this.#break(reason);
    }
    if (rest.length > 0 && this.#holding && !this.#ended) {
      this.#held = this.#held === null ? rest : Buffer.concat([this.#held, rest]);
    }
  }

  #break(reason: string): void {
    this.end();
    this.#receiver.broken(reason);
  }

  /** @returns how many bytes were used, at least one. */
  #step(bytes: Buffer): number {
    if (this.#skip > 0) {
      const used = Math.min(this.#skip, bytes.length);
      this.#skip -= used;
      return used;
    }
    if (this.#long !== null) return this.#longRow(this.#long, bytes);
    if (this.#partial !== null) return this.#fill(this.#partial, bytes);
    if (this.#header.length === 0 && bytes.length >= headerBytes)
      return headerBytes + this.#begin(bytes, bytes.subarray(headerBytes));
    const used = Math.min(headerBytes - this.#header.length, bytes.length);
    this.#header = Buffer.concat([this.#header, bytes.subarray(0, used)]);
    if (this.#header.length === headerBytes) {
      const header = this.#header;
      this.#header = Buffer.alloc(0);
      this.#begin(header, bytes.subarray(bytes.length));
    }
    return used;
  }

  /** A message begins. @returns how many bytes of `after` were its body, all of it or none. */
  #begin(header: Buffer, after: Buffer): number {
    const code = header.readUInt8(0);
    const length = header.readInt32BE(1) - 4;
    if (length < 0) throw new RangeError('a message has an impossible length');
    if (code === dataRow) {
      this.#rowBytesLeft -= length + headerBytes;
      if (this.#rows !== null && (length > limits.wholeRowBytes || this.#rowBytesLeft < 0)) {
        this.#long = new LongRow(length, this.#rows.shape);
        return 0;
      }
    }
    if (skipped.has(code) || (code === dataRow && this.#rows === null)) {
      this.#skip = length;
      return 0;
    }
    if (length > limits.messageBytes) throw new RangeError('a message is longer than any PostgreSQL sends');
    if (after.length >= length) {
      this.#complete(code, after.subarray(0, length));
      return length;
    }
    this.#partial = { code, body: Buffer.allocUnsafe(length), filled: 0 };
    return 0;
  }

  #fill(partial: { readonly code: number; readonly body: Buffer; filled: number }, bytes: Buffer): number {
    const used = bytes.copy(partial.body, partial.filled);
    partial.filled += used;
    if (partial.filled === partial.body.length) {
      this.#partial = null;
      this.#complete(partial.code, partial.body);
    }
    return used;
  }

  #complete(code: number, body: Buffer): void {
    if (code !== dataRow) this.#receiver.message(code, body);
    else if (this.#rows !== null) this.#rows.row(readWholeRow(body, this.#rows.shape));
  }

  #longRow(row: LongRow, bytes: Buffer): number {
    const rows = this.#rows;
    // What the allowance still holds of this row: its full length was taken off when it began.
    const allowed = row.left + Math.min(0, this.#rowBytesLeft);
    const used = row.take(allowed < bytes.length ? bytes.subarray(0, Math.max(0, allowed)) : bytes);
    if (row.finished) {
      this.#long = null;
      rows?.row(row.cells());
    } else if (rows !== null && (allowed <= used || row.cannotEndWithin(allowed - used))) {
      this.#long = null;
      this.#rows = null;
      this.#skip = row.left;
      rows.row(row.cells());
      rows.cut();
    }
    return used;
  }
}

/** By name, since an error of the runtime's own may stem from another realm than ours. */
function rangeReason(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('name' in error) || error.name !== 'RangeError') return null;
  return 'message' in error && typeof error.message === 'string' ? error.message : 'a message contradicts itself';
}
