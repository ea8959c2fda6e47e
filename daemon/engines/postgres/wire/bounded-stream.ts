/**
 * The socket that `pg` gets. It bounds what a server may send: it checks a message's length before
 * it keeps a byte of it, so neither a 200 MB cell nor a hostile server grows the daemon. Rows and
 * notices bypass `pg` as bytes; everything else reaches `pg` message by message.
 */

import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Intake } from '../../intake.ts';
import { networkReason } from '../failure.ts';
import type { Authentication } from './authentication.ts';
import {
  authentication,
  dataRow,
  endedError,
  errorResponse,
  headerBytes,
  makeSafe,
  noticeResponse,
  readyForQuery,
  useOf,
} from './messages.ts';
import { countBytes, LongRow, type RowShape, type RowState } from './rows.ts';
import { DialRefused } from './tls.ts';

/** Most that a server may send before it is ready; a real one sends about 500 bytes. */
const startupBytes = 64 * 1024;
/** The most of a message that is neither a row nor an error: 1,664 columns are told in 150 KB. */
const messageBytes = 1024 * 1024;
/**
 * The most that is read of an error, which may quote a cell of any size; a client sees 4,000
 * characters. The rest is dropped.
 */
const errorBytes = 64 * 1024;
/** The same of a notice. A client sees 500 characters of it; there may be a million notices. */
const noticeBytes = 4 * 1024;
/**
 * A row up to this size is read whole; a longer one cell by cell, keeping of each only what may be
 * shown.
 */
const wholeRowBytes = 128 * 1024;

interface RowReader {
  readonly shape: RowShape;
  /** The body of a DataRow, from `start` to `end`; valid until this returns. */
  row(bytes: Buffer, start: number, end: number, state: RowState): void;
  /**
   * The allowed bytes are used up: what still arrives is read and dropped until the caller ends the
   * connection.
   */
  cut(): void;
}

/** A message of which only a part has arrived. */
interface Partial {
  readonly message: Buffer;
  filled: number;
  /** Bytes of the message that are not read: 0, except for a too long error or notice. */
  readonly unread: number;
}

/** What `#step` returns if more bytes have to arrive before it can use any. */
const incomplete = -1;
const nothing = Buffer.alloc(0);

/** Emits `copy` if the statement is a COPY from or to the client: nothing further is read. */
export class BoundedStream extends Duplex {
  receivedBytes = 0;
  readonly #onData = (bytes: Buffer): void => this.#receive(bytes);
  /** Gets each notice after the sign-in; valid until this returns. */
  onNotice: (message: Buffer) => void = () => {};
  readonly #socket: Socket;
  readonly #intake: Intake;
  readonly #authentication: Pick<Authentication, 'answer' | 'isDone'>;
  #signedIn = false;
  #isAnswering = false;
  #isClosed = false;
  #rows: RowReader | null = null;
  #rowBytesLeft = 0;
  /** Bytes not examined yet: part of a header, or what had arrived when `hold` was called. */
  #rest: Buffer = nothing;
  /** How many of the next bytes are dropped. */
  #skip = 0;
  #long: LongRow | null = null;
  #partial: Partial | null = null;
  #muted = false;

  /** @param authentication answers the server until it has let us in; `pg` gets none of that. */
  constructor(socket: Socket, authentication: Pick<Authentication, 'answer' | 'isDone'>) {
    super();
    this.#socket = socket;
    this.#intake = new Intake(socket);
    this.#authentication = authentication;
    socket.on('data', this.#onData);
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => {
      this.#isClosed = true;
      this.#closed();
    });
  }

  #closed(): void {
    // The server may have said why it closes, behind the message that is just being answered.
    if (!this.#isClosed || this.#isAnswering) return;
    const said = this.#signedIn ? 'the other side closed it' : 'the server closed the connection before it was ready';
    this.destroy(new DialRefused(said, 'unanswered'));
  }

  /** `pg` calls this to dial; the socket is already connected and secured. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  override _read(): void {}

  override _writev(chunks: { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  /**
   * @param reader gets rows from now on; null reads and drops them.
   * @param wireBytes how many bytes of rows it gets before it is cut.
   */
  readRows(reader: RowReader | null, wireBytes: number): void {
    this.#rows = reader;
    this.#rowBytesLeft = wireBytes;
    if (reader !== null || this.#long === null) return;
    this.#skip = this.#long.left;
    this.#long = null;
  }

  /** Reads nothing more from the socket until `release`; called while a message is handled. */
  hold(): void {
    this.#intake.hold();
  }

  release(): void {
    this.#intake.release();
    this.#look();
  }

  /**
   * Stops reading for good: somebody else reads the socket from its next message on.
   * @returns false if a part of that message was read here already.
   */
  handOver(): boolean {
    this.#socket.off('data', this.#onData);
    this.#socket.pause();
    return this.#rest.length === 0 && this.#partial === null && this.#skip === 0;
  }

  /** Drops what still arrives, so that the server can go on sending until it has cancelled. */
  mute(): void {
    this.#muted = true;
    this.#rows = null;
    this.#rest = nothing;
    if (this.#intake.held) this.release();
  }

  /** For how many milliseconds nothing has arrived, counted from `at` at the earliest. */
  silentSince(at: number): number {
    return this.#intake.silentSince(at);
  }

  #receive(bytes: Buffer): void {
    this.receivedBytes += bytes.length;
    this.#intake.took(bytes.length);
    if (this.#muted) return;
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#look();
  }

  #look(): void {
    const bytes = this.#rest;
    this.#rest = nothing;
    let at = 0;
    try {
      if (!this.#signedIn && this.receivedBytes > startupBytes)
        throw new DialRefused('the server says more than PostgreSQL does at the start');
      while (at < bytes.length && !this.#intake.held && !this.#muted && !this.destroyed) {
        const used = this.#step(bytes, at);
        if (used === incomplete) break;
        at += used;
      }
    } catch (error) {
      // Contradictory bytes make `pg`'s parser, or the row reader, throw.
      const isPostgres = this.#signedIn || error instanceof DialRefused;
      this.destroy(new DialRefused(isPostgres ? networkReason(error) : 'what answers there is not PostgreSQL'));
    }
    if (!this.#muted) this.#rest = bytes.subarray(at);
  }

  /** @returns how many bytes were used. */
  #step(bytes: Buffer, at: number): number {
    const here = bytes.length - at;
    if (this.#skip > 0) return this.#drop(this.#skip, here);
    if (this.#long !== null) return this.#longRow(this.#long, bytes.subarray(at));
    if (this.#partial !== null) return this.#fill(this.#partial, bytes, at);
    if (here < headerBytes) return incomplete;
    const length = bytes.readInt32BE(at + 1) + 1;
    const isRow = bytes[at] === dataRow && this.#signedIn;
    const least = isRow ? headerBytes + countBytes : headerBytes;
    if (length < least) throw new RangeError('a message has an impossible length');
    if (here < least) return incomplete;
    if (isRow) this.#rowBytesLeft -= length;
    const isNotice = bytes[at] === noticeResponse && this.#signedIn;
    if (isRow ? this.#rows === null : !isNotice && !this.#takeForDriver(bytes[at] ?? 0))
      return this.#drop(length, here);
    if (isRow && this.#rows !== null && (length > wholeRowBytes || this.#rowBytesLeft < 0)) {
      this.#long = new LongRow(bytes.readUInt16BE(at + headerBytes), length - headerBytes, this.#rows.shape);
      return least;
    }
    // A long error quotes a long value: the statement failed, and the connection is sound.
    if (bytes[at] === errorResponse && this.#signedIn && length > errorBytes)
      return this.#begin(errorBytes, length - errorBytes, bytes, at);
    if (isNotice && length > noticeBytes) return this.#begin(noticeBytes, length - noticeBytes, bytes, at);
    if (length > (this.#signedIn ? messageBytes : startupBytes))
      throw new RangeError('a message is longer than any PostgreSQL sends');
    if (here >= length) {
      this.#complete(bytes, at, at + length);
      return length;
    }
    return this.#begin(length, 0, bytes, at);
  }

  #begin(length: number, unread: number, bytes: Buffer, at: number): number {
    this.#partial = { message: Buffer.allocUnsafe(length), filled: 0, unread };
    return this.#fill(this.#partial, bytes, at);
  }

  #drop(length: number, here: number): number {
    const used = Math.min(length, here);
    this.#skip = length - used;
    return used;
  }

  /** @returns whether `pg` gets such a message. The first one of a COPY mutes the stream. */
  #takeForDriver(code: number): boolean {
    const use = useOf(code, this.#signedIn);
    if (use === 'copy') {
      this.mute();
      this.emit('copy');
    }
    return use === 'driver';
  }

  #fill(partial: Partial, bytes: Buffer, at: number): number {
    const used = bytes.copy(partial.message, partial.filled, at);
    partial.filled += used;
    if (partial.filled < partial.message.length) return used;
    this.#partial = null;
    this.#skip = partial.unread;
    const message = partial.unread === 0 ? partial.message : endedError(partial.message);
    this.#complete(message, 0, message.length);
    return used;
  }

  #complete(bytes: Buffer, start: number, end: number): void {
    if (bytes[start] === dataRow) {
      this.#rows?.row(bytes, start + headerBytes, end, 'whole');
      return;
    }
    const message = bytes.subarray(start, end);
    if (message[0] === noticeResponse && this.#signedIn) {
      this.onNotice(message);
      return;
    }
    if (!this.#signedIn && message[0] === authentication) {
      void this.#authenticate(Buffer.from(message));
      return;
    }
    if (!this.#signedIn && !this.#authentication.isDone && message[0] !== errorResponse)
      throw new DialRefused('the server does not sign in as PostgreSQL does');
    makeSafe(message);
    this.emit('data', message);
    if (message[0] === readyForQuery) this.#signedIn = true;
  }

  /** Answers a message of the sign-in. What is behind it is read only afterwards. */
  async #authenticate(message: Buffer): Promise<void> {
    this.#isAnswering = true;
    this.hold();
    try {
      const answer = await this.#authentication.answer(message);
      this.#isAnswering = false;
      if (this.destroyed) return;
      if (answer !== null && !this.#isClosed) this.#socket.write(answer);
      this.release();
      this.#closed();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new DialRefused('the sign-in failed'));
    }
  }

  #longRow(row: LongRow, bytes: Buffer): number {
    // How many bytes of this row may still be read. The row's whole length was subtracted from
    // #rowBytesLeft when it began.
    const allowed = Math.max(0, row.left + Math.min(0, this.#rowBytesLeft));
    const used = row.take(bytes.subarray(0, allowed));
    const isCut = this.#rowBytesLeft < 0 && row.left > 0 && row.isEnoughWithin(allowed - used);
    if (row.left > 0 && !isCut) return used === 0 ? incomplete : used;
    const rows = this.#rows;
    this.#long = null;
    this.#skip = row.left;
    if (isCut) this.#rows = null;
    const { kept } = row;
    rows?.row(kept, 0, kept.length, isCut ? 'cut' : 'shortened');
    if (isCut) rows?.cut();
    return used;
  }
}
