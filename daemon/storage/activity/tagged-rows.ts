/**
 * Rows for walks along hundreds of thousands of them. For each blob the driver makes an object
 * outside V8's heap; ten a row take most of a walk's time. So blobs come as text: hexadecimal, with
 * a tag.
 */

import { packingOf } from './packed-values.ts';
import type { StoredRow } from './row.ts';
import { isRepeated, principalNamed, type Texts, textNamed } from './texts.ts';

/** An edited table may hold any type in any column: the value keeps the type that it has there. */
export type TaggedValue = string | number | null;

const blobMark = 'x';

/** `quote()` would end at a NUL, and an edited text would pass for the original. */
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
  // V8 stores an object that begins with all its keys as fields; one that grows by computed keys
  // becomes a hash table.
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

/** Caches by the tagged value: such a column has few different ones, each of them often. */
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
