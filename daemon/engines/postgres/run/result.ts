/**
 * Passes one statement's result to the sink: columns once their types have names, rows as they
 * arrive.
 */

import type { RowSink, StatementLimits } from '../../engine.ts';
import type { RowText } from '../../row-text.ts';
import { ServerMessages } from '../../server-messages.ts';
import type { Link } from '../link.ts';
import type { Field, Told } from '../wire/flight.ts';
import { noticeText } from '../wire/notice.ts';
import { type RowState, readRow } from '../wire/rows.ts';
import type { TypeNames } from '../wire/type-names.ts';
import { cellKind, type ReadingNotes } from '../wire/values.ts';

/** `enough`: the sink wants no further row. `cut`: the allowed bytes are used up. */
type EarlyEnd = 'enough' | 'cut';

export class ResultReader {
  /** Settles only if the result ends before the server has sent everything. */
  readonly early: Promise<EarlyEnd>;
  readonly notes: ReadingNotes = { invalidUtf8: false };
  readonly messages = new ServerMessages();
  hasColumns = false;
  wasCut = false;
  /** An error of the sink, for the caller to throw again. */
  thrown: { readonly error: unknown } | null = null;
  readonly #link: Link;
  readonly #sink: RowSink;
  readonly #limits: StatementLimits;
  readonly #names: TypeNames;
  #endEarly: (end: EarlyEnd) => void = () => {};
  #deaf = false;

  constructor(link: Link, sink: RowSink, limits: StatementLimits, names: TypeNames) {
    this.#link = link;
    this.#sink = sink;
    this.#limits = limits;
    this.#names = names;
    this.early = new Promise(resolve => {
      this.#endEarly = resolve;
    });
  }

  /** @param place of the statement in its flight. */
  told(place: number): Told {
    return { place, columns: fields => this.columns(fields), notice: message => this.notice(message) };
  }

  notice(message: Buffer): void {
    if (this.messages.isFull) {
      this.messages.count(1);
      return;
    }
    const text = noticeText(message);
    if (text !== null) this.messages.add(text);
  }

  columns(fields: readonly Field[]): void {
    this.hasColumns = true;
    const known = this.#names.known(fields);
    if (known !== null) {
      this.#begin(fields, known);
      return;
    }
    // A new type: rows wait in the socket until the catalog has named it.
    const { stream } = this.#link;
    stream.hold();
    void this.#names.lookUp(fields).then(names => {
      this.#begin(fields, names);
      stream.release();
    });
  }

  /** From now on the sink gets nothing; what still arrives is dropped. */
  stop(): void {
    this.#deaf = true;
    this.#link.stream.readRows(null, Number.POSITIVE_INFINITY);
  }

  #begin(fields: readonly Field[], types: readonly string[]): void {
    if (this.#deaf) return;
    const columns = fields.map((field, index) => ({ name: field.name, type: types[index] ?? '' }));
    try {
      this.#sink.columns(columns);
    } catch (error) {
      this.#broken(error);
      return;
    }
    const shape = {
      kinds: fields.map(field => cellKind(field.dataTypeID)),
      cellBytes: this.#limits.cellBytes,
      notes: this.notes,
    };
    const row = (bytes: Buffer, start: number, end: number, state: RowState): void =>
      this.#row(readRow(bytes, start, end, shape, state));
    this.#link.stream.readRows({ shape, row, cut: () => this.#cut() }, this.#limits.wireBytes);
  }

  #row(row: RowText): void {
    if (this.#deaf) return;
    try {
      if (!this.#sink.row(row)) this.#end('enough');
      else this.#waitWhileFull();
    } catch (error) {
      this.#broken(error);
    }
  }

  #waitWhileFull(): void {
    const full = this.#sink.full?.() ?? null;
    if (full === null) return;
    const { stream } = this.#link;
    stream.hold();
    void full.then(() => stream.release());
  }

  #cut(): void {
    this.wasCut = true;
    this.#end('cut');
  }

  #end(end: EarlyEnd): void {
    this.stop();
    this.#endEarly(end);
  }

  /** A throwing sink must not end the process from within a socket's event. */
  #broken(error: unknown): void {
    this.thrown ??= { error };
    this.#end('enough');
  }
}
