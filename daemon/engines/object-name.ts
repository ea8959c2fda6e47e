/** Table names as people write them: unquoted if possible, with the schema in front. */

import type { TableColumn, TableDescription } from './description.ts';
import type { Dialect } from './dialect.ts';

/**
 * A name as a statement needs it: in quotes unless it is plain. On PostgreSQL
 * `SELECT count(*) FROM user` counts no table, and gives no error either.
 */
export function writtenName({ plainName, reservedWords, quote }: Dialect, name: string): string {
  return plainName.test(name) && !reservedWords.has(name.toLowerCase()) ? name : quote(name);
}

export function writtenNames(dialect: Dialect, names: readonly string[]): string {
  return names.map(name => writtenName(dialect, name)).join(', ');
}

export function qualifiedName(dialect: Dialect, schema: string | null, name: string): string {
  const written = writtenName(dialect, name);
  return schema === null || schema === dialect.unwrittenSchema ? written : `${writtenName(dialect, schema)}.${written}`;
}

/** A name as our own statements write it: with every part in quotes. */
export function quotedName({ quote }: Dialect, schema: string | null, name: string): string {
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`;
}

/**
 * What a SELECT of all columns names: `*` leaves out invisible ones, and fails where the role may
 * read some columns alone.
 */
export function allColumns({ quote }: Dialect, { columns, unseen }: TableDescription): string {
  const isNotAsStar = columns.some(column => column.isInvisible === true || !mayRead(column));
  if (columns.length === 0 || !(isNotAsStar || unseen?.includes('columns'))) return '*';
  return columns.flatMap(column => (mayRead(column) ? [quote(column.name)] : [])).join(', ');
}

/** False if the role or the connection keeps it from a client. */
export function mayRead({ isUnreadable, isMasked }: TableColumn): boolean {
  return isUnreadable !== true && isMasked !== true;
}

interface NamedObject {
  readonly database: string | null;
  readonly schema: string | null;
  readonly name: string;
}

const part = /"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([^."`[\]]+)/y;

/** Reads `billing.inv_hdr`, `"Odd Name"`, `shop.public.orders`; null if it can't be read. */
export function readName(written: string): NamedObject | null {
  const parts: string[] = [];
  part.lastIndex = 0;
  for (;;) {
    const found = part.exec(written);
    if (found === null) return null;
    const [, double, back, bracket, bare] = found;
    parts.push(double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? bracket ?? bare?.trim() ?? '');
    if (part.lastIndex === written.length) break;
    if (written[part.lastIndex] !== '.') return null;
    part.lastIndex++;
  }
  const [name, schema = null, database = null, ...more] = parts.toReversed();
  return name === undefined || more.length > 0 ? null : { database, schema, name };
}
