/**
 * Reads the server's answer to one command: OK, an error, or result sets, of which the first is
 * handed out row by row. Decides when enough has been read; doesn't touch the socket.
 */

import type { Column } from '../../engine.ts';
import type { RowText } from '../../row-text.ts';
import {
  type ColumnDefinition,
  readColumnCount,
  readColumnDefinition,
  readEof,
  readError,
  readOk,
  type ServerError,
  serverStatus,
} from './answer-packets.ts';
import { type PayloadSink, ProtocolViolation } from './packets.ts';
import { RowReader } from './rows.ts';
import { type CellNotes, resultColumn } from './values.ts';

export interface AnswerSink {
  columns(columns: readonly Column[]): void;
  /** @returns false if no further row is wanted. */
  row(row: RowText): boolean;
  /** As in a row sink. */
  full?(): Promise<void> | null;
}

export interface AnswerLimits {
  readonly cellBytes: number;
  readonly wireBytes: number;
}

export type ServerAnswer =
  | {
      readonly kind: 'ok';
      /** Null if the command gave a result set. */
      readonly affectedRows: number | null;
      /** As in an OK packet. */
      readonly insertId: number | string | null;
      readonly status: number;
      readonly warnings: number;
      /** True if further result sets followed; they were read and dropped. */
      readonly furtherResults: boolean;
    }
  | ServerError
  /**
   * Broken off by us: the rest of the answer is still on the connection, which must be destroyed.
   */
  | { readonly kind: 'stopped'; readonly why: 'enough' | 'wire' }
  /** The connection broke, or can't be trusted any more. */
  | { readonly kind: 'lost'; readonly message: string };

type Ended = Pick<Extract<ServerAnswer, { kind: 'ok' }>, 'affectedRows' | 'insertId' | 'status' | 'warnings'>;

/**
 * Longest packet that is collected before it is read; OK, ERR and column definitions are far
 * shorter.
 */
const gatheredBytesMost = 1024 * 1024;

export class AnswerReader implements PayloadSink {
  readonly notes: CellNotes = { invalidUtf8: false };
  readonly #sink: AnswerSink;
  readonly #limits: AnswerLimits;
  #wireBytes = 0;
  #answer: ServerAnswer | null = null;
  #expecting: 'start' | 'columns' | 'columnsEnd' | 'rows' = 'start';
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #streaming = false;
  #columnCount = 0;
  #columns: ColumnDefinition[] = [];
  #rows: RowReader | null = null;
  #resultSets = 0;

  constructor(sink: AnswerSink, limits: AnswerLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /** Null while the answer goes on. */
  get answer(): ServerAnswer | null {
    return this.#answer;
  }

  /** Null if the next chunk may come at once. */
  get full(): Promise<void> | null {
    return this.#answer === null ? (this.#sink.full?.() ?? null) : null;
  }

  /** Call it with each chunk's length before its pieces, and `afterChunk` after them. */
  beforeChunk(bytes: number): void {
    this.#wireBytes += bytes;
  }

  /**
   * Cuts at the limit (spec §7); earlier if a cell announces a length beyond it and no more of that
   * cell would be kept.
   */
  afterChunk(): void {
    if (this.#answer !== null) return;
    const rows = this.#rows;
    const hopelessBytes = rows?.holdsEnough === true ? rows.bytesToCome : 0;
    if (this.#wireBytes + hopelessBytes <= this.#limits.wireBytes) return;
    const broken = this.#resultSets === 0 && this.#streaming ? rows?.broken() : null;
    if (broken) this.#sink.row(broken);
    this.#answer = { kind: 'stopped', why: 'wire' };
  }

  piece(chunk: Buffer, start: number, end: number, announced: number, first: boolean, last: boolean): boolean {
    if (this.#expecting === 'rows' && this.#rows !== null && !this.#isGathering(chunk, start, announced, first)) {
      if (first && last) this.#row(this.#rows.whole(chunk, start, end));
      else {
        this.#streaming = !last;
        const row = this.#rows.piece(chunk, start, end, last);
        if (row !== null) this.#row(row);
      }
    } else {
      this.#gather(chunk, start, end, last);
    }
    return this.#answer === null;
  }

  /**
   * In a result set an error or the end is collected; anything else is a row. A row can't start
   * with 0xff, nor be this short with 0xfe.
   */
  #isGathering(chunk: Buffer, start: number, announced: number, first: boolean): boolean {
    if (!first) return !this.#streaming;
    return chunk[start] === 0xff || (chunk[start] === 0xfe && announced < 9);
  }

  #gather(chunk: Buffer, start: number, end: number, last: boolean): void {
    this.#gatheredBytes += end - start;
    if (this.#gatheredBytes > gatheredBytesMost) throw new ProtocolViolation('a packet of absurd length');
    const part = chunk.subarray(start, end);
    if (!last) {
      this.#gathered.push(Buffer.from(part));
      return;
    }
    const packet = this.#gathered.length === 0 ? part : Buffer.concat([...this.#gathered, part]);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#packet(packet);
  }

  #packet(packet: Buffer): void {
    const tag = packet[0];
    if (tag === undefined) throw new ProtocolViolation('an empty packet');
    if (tag === 0xff) {
      this.#answer = readError(packet);
    } else if (this.#expecting === 'start') {
      this.#start(packet, tag);
    } else if (this.#expecting === 'columns') {
      this.#columns.push(readColumnDefinition(packet));
      if (this.#columns.length === this.#columnCount) this.#expecting = 'columnsEnd';
    } else if (this.#expecting === 'columnsEnd') {
      if (tag !== 0xfe) throw new ProtocolViolation('column definitions without an end');
      const columns = this.#columns.map(resultColumn);
      if (this.#resultSets === 0) this.#sink.columns(columns.map(({ name, type }) => ({ name, type })));
      this.#rows = new RowReader(columns, this.#limits.cellBytes, this.notes);
      this.#expecting = 'rows';
    } else {
      const { status, warnings } = readEof(packet);
      this.#ended({ affectedRows: null, insertId: null, status, warnings });
    }
  }

  #start(packet: Buffer, tag: number): void {
    if (tag === 0) {
      this.#ended(readOk(packet));
    } else if (tag === 0xfb) {
      // LOAD DATA LOCAL INFILE reversed: a hostile server names a file of this machine. We never
      // offered that.
      throw new ProtocolViolation('it asked for a file of this machine, which is never sent');
    } else {
      this.#columnCount = readColumnCount(packet);
      this.#columns = [];
      this.#expecting = 'columns';
    }
  }

  #ended({ affectedRows, ...ended }: Ended): void {
    this.#rows = null;
    this.#expecting = 'start';
    // A CALL ends with an OK packet that is no result of its own.
    if ((ended.status & serverStatus.moreResults) !== 0) this.#resultSets += 1;
    else {
      const counted = this.#resultSets === 0 ? affectedRows : null;
      const furtherResults = this.#resultSets > (affectedRows === null ? 0 : 1);
      this.#answer = { kind: 'ok', affectedRows: counted, ...ended, furtherResults };
    }
  }

  #row(row: RowText): void {
    if (this.#resultSets === 0 && !this.#sink.row(row)) this.#answer = { kind: 'stopped', why: 'enough' };
  }
}
