/**
 * Rows of the log for walks along hundreds of thousands of them. The driver makes an object outside of V8's heap for each blob, ten a
 * row and most of the time of a walk: so blobs come as text, hexadecimal and marked as what they are.
 */

import type { StoredRow } from './row.ts';
import { isRepeated, textNamed, uuidOf } from './texts.ts';

/** Whoever edits the table may put any type into any column: it comes out as the type that stands there. */
export type TaggedValue = string | number | null;

const blobMark = 'x';

/** Not by `quote()`: that ends at a NUL, and an edited text would pass for the one before it. */
export function taggedColumn(column: string): string {
  return `case typeof(${column}) when 'blob' then '${blobMark}' || hex(${column}) when 'text' then 't' || ${column} else ${column} end`;
}

/** @param texts by their number. */
export function rowReader(
  columns: readonly (keyof StoredRow)[],
  texts: ReadonlyMap<number, string>,
): (values: readonly TaggedValue[]) => StoredRow {
  /** By the tagged value: a log names few texts, each of them often. */
  const named = new Map<string, unknown>();

  function nameFor(value: string): unknown {
    const known = named.get(value);
    if (known !== undefined) return known;
    const text = textNamed(untagged(value), texts);
    if (named.size < 10_000) named.set(value, text);
    return text;
  }

  const readers = columns.map(column => {
    if (isRepeated(column)) return nameFor;
    return column === 'request_id' ? (value: string) => uuidOf(untagged(value)) : untagged;
  });
  // V8 keeps an object that begins with all its keys as fields, where one that grows by computed keys becomes a table.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(column => [column, null]));
  return values => {
    const row = { ...blank };
    for (let at = 0; at < columns.length; at += 1) {
      const value = values[at];
      row[columns[at] as string] = typeof value === 'string' ? readers[at]?.(value) : value;
    }
    return row as unknown as StoredRow;
  };
}

function untagged(value: string): string | Buffer {
  return value.startsWith(blobMark) ? Buffer.from(value.slice(1), 'hex') : value.slice(1);
}
