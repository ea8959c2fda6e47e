/**
 * Rows of the log for walks along hundreds of thousands of them. The driver makes an object outside
 * of V8's heap for each blob, ten a row and most of the time of a walk: so blobs come as text,
 * hexadecimal and marked as what they are.
 */

import { packingOf } from './packed-values.ts';
import type { StoredRow } from './row.ts';
import { isRepeated, principalNamed, type Texts, textNamed } from './texts.ts';

/**
 * Whoever edits the table may put any type into any column: it comes out as the type that stands
 * there.
 */
export type TaggedValue = string | number | null;

const blobMark = 'x';

/** Not by `quote()`: that ends at a NUL, and an edited text would pass for the one before it. */
export function taggedColumn(column: string): string {
  return `case typeof(${column}) when 'blob' then '${blobMark}' || hex(${column}) when 'text' then 't' || ${column} else ${column} end`;
}

export function rowReader(
  columns: readonly (keyof StoredRow)[],
  texts: Texts,
): (values: readonly TaggedValue[]) => StoredRow {
  const readers = columns.map(column => {
    if (isRepeated(column)) return remembered(value => textNamed(untagged(value), texts));
    const packing = packingOf(column);
    if (packing === null) return untagged;
    const read = (value: string) => packing.unpack(untagged(value));
    return column === 'request_id' ? read : remembered(read);
  });
  const principalOf = remembered(value => principalNamed(untagged(value), texts));
  const tokenName = columns.indexOf('token_name');
  // V8 keeps an object that begins with all its keys as fields, where one that grows by computed
  // keys becomes a table.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(column => [column, null]));
  return values => {
    const row = { ...blank };
    for (let at = 0; at < columns.length; at += 1) {
      const value = values[at];
      row[columns[at] as string] = typeof value === 'string' ? readers[at]?.(value) : value;
    }
    const token = values[tokenName];
    if (row.principal === null && typeof token === 'string') row.principal = principalOf(token);
    return row as unknown as StoredRow;
  };
}

/** By the tagged value: a log has few different ones in such a column, each of them often. */
function remembered(read: (value: string) => unknown): (value: string) => unknown {
  const known = new Map<string, unknown>();
  return value => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const said = read(value);
    if (known.size < 10_000) known.set(value, said);
    return said;
  };
}

function untagged(value: string): string | Buffer {
  return value.startsWith(blobMark) ? Buffer.from(value.slice(1), 'hex') : value.slice(1);
}
