/**
 * Texts that repeat from row to row (who, where, which tool) stand once in `activity_texts`, and a
 * row names them by number, as a blob of one to four bytes. The id of a token stands beside its
 * name there, so that a row names both at once, and one index finds it by either. What a row says
 * is the same either way, and its MAC is of that: an edited text is an edited row.
 *
 * Texts are made anew in each epoch, so that they go with the rows that name them: no row of a
 * later epoch names a text of an earlier one.
 */

import type { DatabaseSync } from 'node:sqlite';
import { queryOn } from '../../sqlite/query.ts';
import { bytesOf, packings } from './packed-values.ts';
import type { StoredRow } from './row.ts';

/** Of the columns of a row, those whose texts repeat. */
const repeated = [
  ...['action', 'outcome', 'principal', 'token_name', 'client', 'connection_id', 'connection_name'],
] as const satisfies readonly (keyof StoredRow)[];

/** A row as it stands in the table: a blob in the place of a text or a number. */
export type PackedRow = { readonly [Column in keyof StoredRow]: StoredRow[Column] | Buffer };

/** A text by its number, and the id of the token whose name it is. */
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

/** @param first of the rows that are about to be added. */
export function packInto(database: DatabaseSync, first: Place): (row: StoredRow) => PackedRow {
  const epoch = epochOf(database, first);
  const find = queryOn(database, 'select id from activity_texts where text = ? and epoch = ? and principal is ?');
  const add = database.prepare('insert into activity_texts (text, epoch, principal) values (?, ?, ?)');
  const knownTexts = new Map<string, Buffer>();
  const knownPairs = new Map<string, Buffer>();

  /**
   * Null where somebody gave a text a number that no reference can hold: the next ones follow it.
   */
  function reference(text: string, principal: string | null): Buffer | null {
    const known = principal === null ? knownTexts : knownPairs;
    // The length, so that no two pairs make the same key.
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
 * Each bridge has an id of its own, and all of them one name: a question about that name would have
 * to look for each.
 */
function isOfOneToken(principal: string | null): boolean {
  return principal !== null && !principal.startsWith('bridge:');
}

/** The number of its first row. */
function epochOf(database: DatabaseSync, first: Place): number {
  const begun = queryOn(
    database,
    'select number, time from activity where number = (select max(epoch) from activity_texts)',
  ).first() as Place | undefined;
  return begun !== undefined && Math.abs(first.time - begun.time) < epochMilliseconds ? begun.number : first.number;
}

/** Once all rows up to that number are gone. */
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
  // No text has two references, or a question about it would miss the rows that name it by the
  // other.
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
 * What a value of a repeated column says. A text that is gone is one that no row was sealed with.
 */
export function textNamed(value: unknown, texts: Texts): unknown {
  const id = idOf(value);
  return id === null ? value : (texts.get(id)?.text ?? `the text ${id}, which is gone`);
}

/** Whose name a value of the column `token_name` names. */
export function principalNamed(value: unknown, texts: Texts): string | null {
  const id = idOf(value);
  return id === null ? null : (texts.get(id)?.principal ?? null);
}
