/**
 * How a row is stored in few bytes: texts that repeat (who, where, which tool) stand once in `activity_texts`, and the row names them by
 * number, as a blob of one to four bytes; a request id that is a UUID is its sixteen bytes. What a row says is the same either way, and
 * its MAC is of that: an edited text is an edited row.
 *
 * Texts are made anew in each epoch, so that they go with the rows that name them: no row of a later epoch names a text of an earlier one.
 */

import type { Database } from 'better-sqlite3';
import type { StoredRow } from './row.ts';

/** Of the columns of a row, those whose texts repeat and are no filter of their own. */
const repeated = [
  ...['action', 'outcome', 'principal', 'token_name', 'client', 'connection_id', 'connection_name'],
] as const satisfies readonly (keyof StoredRow)[];

/** A row as it stands in the table: a blob in the place of a text. */
export type PackedRow = { readonly [Column in keyof StoredRow]: StoredRow[Column] | Buffer };

const epochMilliseconds = 7 * 86_400_000;

interface Place {
  readonly number: number;
  readonly time: number;
}

/** @param first of the rows that are about to be added. */
export function packInto(database: Database, first: Place): (row: StoredRow) => PackedRow {
  const epoch = epochOf(database, first);
  const find = database.prepare('select id from activity_texts where text = ? and epoch = ?').pluck();
  const add = database.prepare('insert into activity_texts (text, epoch) values (?, ?)');
  const known = new Map<string, Buffer>();

  function reference(text: string): Buffer {
    const id = Number(find.get(text, epoch) ?? add.run(text, epoch).lastInsertRowid);
    const bytes = referenceTo(id);
    known.set(text, bytes);
    return bytes;
  }

  return row => {
    const packed: Record<string, unknown> = { ...row, request_id: packUuid(row.request_id) };
    for (const column of repeated) {
      const text = row[column];
      if (text !== null) packed[column] = known.get(text) ?? reference(text);
    }
    return packed as PackedRow;
  };
}

/** The number of its first row. */
function epochOf(database: Database, first: Place): number {
  const begun = database
    .prepare('select number, time from activity where number = (select max(epoch) from activity_texts)')
    .get() as Place | undefined;
  return begun !== undefined && Math.abs(first.time - begun.time) < epochMilliseconds ? begun.number : first.number;
}

/** Once all rows up to that number are gone. */
export function forgetTexts(database: Database, upTo: number): void {
  const next = '(select max(epoch) from activity_texts where epoch <= ?)';
  database.prepare(`delete from activity_texts where epoch < ${next}`).run(upTo + 1);
}

export function textsIn(database: Database): ReadonlyMap<number, string> {
  const rows = database.prepare('select id, text from activity_texts').raw().all() as [number, string][];
  return new Map(rows);
}

/** What names a text in a row. */
export function referenceTo(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes.subarray(bytes.findIndex(byte => byte !== 0));
}

const longestReference = 4;

export function namedBy(row: PackedRow): number[] {
  return repeated.flatMap(column => idOf(row[column]) ?? []);
}

function idOf(value: unknown): number | null {
  if (!Buffer.isBuffer(value) || value.length === 0 || value.length > longestReference) return null;
  return value.readUIntBE(0, value.length);
}

export function unpacked(packed: PackedRow, texts: ReadonlyMap<number, string>): StoredRow {
  const row: Record<string, unknown> = { ...packed, request_id: uuidOf(packed.request_id) };
  for (const column of repeated) row[column] = textNamed(row[column], texts);
  return row as unknown as StoredRow;
}

export function isRepeated(column: keyof StoredRow): boolean {
  return (repeated as readonly string[]).includes(column);
}

/** What a value of a repeated column says. A text that is gone is one that no row was sealed with. */
export function textNamed(value: unknown, texts: ReadonlyMap<number, string>): unknown {
  const id = idOf(value);
  return id === null ? value : (texts.get(id) ?? `the text ${id}, which is gone`);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function packUuid(text: string | null): string | Buffer | null {
  return text !== null && uuid.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text;
}

/** What a request id says. */
export function uuidOf(value: unknown): unknown {
  if (!Buffer.isBuffer(value) || value.length !== 16) return value;
  const digits = value.toString('hex');
  return [8, 12, 16, 20, 32].map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end)).join('-');
}
