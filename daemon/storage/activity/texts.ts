/**
 * Stores repeated texts (client, connection, tool) once, in `activity_texts`; rows refer to them by
 * number, a blob of one to four bytes. A token's id stands beside its name, so one reference names
 * both and one index finds either. The row's meaning and MAC stay the same: an edited text is an
 * edited row.
 *
 * Each epoch has its own texts, so they go with the rows that use them.
 */

import type { DatabaseSync } from 'node:sqlite';
import { queryOn } from '../../sqlite/query.ts';
import { bytesOf, packings } from './packed-values.ts';
import type { StoredRow } from './row.ts';

/** The columns whose texts repeat. */
const repeated = [
  ...['action', 'outcome', 'principal', 'token_name', 'client', 'connection_id', 'connection_name'],
] as const satisfies readonly (keyof StoredRow)[];

/** A row as the table has it: a blob in place of a text or number. */
export type PackedRow = { readonly [Column in keyof StoredRow]: StoredRow[Column] | Buffer };

/** A text by its number, with the id of the token that it names. */
export interface RepeatedText {
  readonly id: number;
  readonly text: string;
  readonly principal: string | null;
}
export type Texts = ReadonlyMap<number, RepeatedText>;

const packedColumns = Object.entries(packings);

const epochMilliseconds = 7 * 86_400_000;

interface Place {
  readonly number: number;
  readonly time: number;
}

/** @param first the first row to be added. */
export function packInto(database: DatabaseSync, first: Place): (row: StoredRow) => PackedRow {
  const epoch = epochOf(database, first);
  const find = queryOn(database, 'select id from activity_texts where text = ? and epoch = ? and principal is ?');
  const add = database.prepare('insert into activity_texts (text, epoch, principal) values (?, ?, ?)');
  const knownTexts = new Map<string, Buffer>();
  const knownPairs = new Map<string, Buffer>();

  /**
   * @returns null if somebody edited a number beyond what a reference can hold; later texts would
   *   follow it.
   */
  function reference(text: string, principal: string | null): Buffer | null {
    const known = principal === null ? knownTexts : knownPairs;
    // The length makes the key unique for each pair.
    const key = principal === null ? text : `${text.length} ${text}${principal}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const id = Number(find.value(text, epoch, principal) ?? add.run(text, epoch, principal).lastInsertRowid);
    if (id < 1 || id > largestId) return null;
    const bytes = bytesOf(id);
    known.set(key, bytes);
    return bytes;
  }

  return row => {
    const packed: Record<string, unknown> = { ...row };
    for (const [column, { pack }] of packedColumns) packed[column] = pack(packed[column]);
    const both =
      row.token_name !== null && isOfOneToken(row.principal) ? reference(row.token_name, row.principal) : null;
    if (both !== null) Object.assign(packed, { token_name: both, principal: null });
    for (const column of repeated) {
      const text = packed[column];
      if (typeof text === 'string') packed[column] = reference(text, null) ?? text;
    }
    return packed as PackedRow;
  };
}

/**
 * All bridges share one name, each with its own id: a question about the name would look up every
 * one.
 */
function isOfOneToken(principal: string | null): boolean {
  return principal !== null && !principal.startsWith('bridge:');
}

/** The number of the epoch's first row. */
function epochOf(database: DatabaseSync, first: Place): number {
  const begun = queryOn(
    database,
    'select number, time from activity where number = (select max(epoch) from activity_texts)',
  ).first() as Place | undefined;
  return begun !== undefined && Math.abs(first.time - begun.time) < epochMilliseconds ? begun.number : first.number;
}

/** @param upTo all rows up to this number are gone. */
export function forgetTexts(database: DatabaseSync, upTo: number): void {
  const next = '(select max(epoch) from activity_texts where epoch <= ?)';
  database.prepare(`delete from activity_texts where epoch < ${next}`).run(upTo + 1);
}

export function textsIn(database: DatabaseSync): Texts {
  return textsById(
    queryOn(database, 'select id, text, principal from activity_texts').all() as unknown as RepeatedText[],
  );
}

export function textsById(texts: readonly RepeatedText[]): Texts {
  return new Map(texts.map(text => [text.id, text]));
}

const longestReference = 4;
export const largestId = 2 ** (8 * longestReference) - 1;

export function namedBy(row: PackedRow): number[] {
  return repeated.flatMap(column => idOf(row[column]) ?? []);
}

function idOf(value: unknown): number | null {
  if (!Buffer.isBuffer(value) || value.length === 0 || value.length > longestReference) return null;
  // A text has one reference; with two, a question would miss rows that use the other.
  if (value[0] === 0) return null;
  return value.readUIntBE(0, value.length);
}

export function unpacked(packed: PackedRow, texts: Texts): StoredRow {
  const row: Record<string, unknown> = { ...packed };
  for (const [column, { unpack }] of packedColumns) row[column] = unpack(row[column]);
  for (const column of repeated) row[column] = textNamed(row[column], texts);
  row.principal ??= principalNamed(packed.token_name, texts);
  return row as unknown as StoredRow;
}

export function isRepeated(column: keyof StoredRow): boolean {
  return (repeated as readonly string[]).includes(column);
}

/**
 * @returns the text of a repeated column. A text that is gone reads as one that no row was sealed
 *   with.
 */
export function textNamed(value: unknown, texts: Texts): unknown {
  const id = idOf(value);
  return id === null ? value : (texts.get(id)?.text ?? `the text ${id}, which is gone`);
}

/** @returns the id of the token that a value of `token_name` names. */
export function principalNamed(value: unknown, texts: Texts): string | null {
  const id = idOf(value);
  return id === null ? null : (texts.get(id)?.principal ?? null);
}
