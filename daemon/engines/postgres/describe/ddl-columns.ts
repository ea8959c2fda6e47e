/** Writes a described column as the statements have it that make its table again. */

import type { ColumnRow } from './rows.ts';

export function columnLine(column: ColumnRow): string {
  const parts = [column.quoted, column.type];
  parts.push(...foreignOptions(column));
  if (column.collation !== null) parts.push(column.collation);
  if (column.identity !== '') parts.push(identity(column));
  else parts.push(...value(column));
  if (column.notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

/**
 * In CREATE TABLE … PARTITION OF, which gives the column its type and what the parent's has;
 * nothing where it has no more than that.
 */
export function partitionColumnLine(column: ColumnRow): readonly string[] {
  const parts: string[] = [];
  // A default that the parent's column has, and this one hasn't, is taken away by a null.
  if (column.default !== (column.ofParent?.default ?? null))
    parts.push(...(column.default === null ? ['DEFAULT NULL'] : value(column)));
  if (column.notNull && column.ofParent?.notNull !== true) parts.push('NOT NULL');
  return parts.length === 0 ? [] : [[column.quoted, ...parts].join(' ')];
}

/**
 * What CREATE TABLE … PARTITION OF refuses. From PostgreSQL 17 on a partition counts with its
 * parent's sequence alone.
 */
export function partitionColumnChanges(column: ColumnRow): readonly string[] {
  const changes = foreignOptions(column);
  if (column.identityOptions !== null) changes.push(`ADD ${identity(column)}`);
  return changes.map(change => `ALTER COLUMN ${column.quoted} ${change}`);
}

function foreignOptions({ foreignOptions: options }: ColumnRow): string[] {
  return options.length === 0 ? [] : [`OPTIONS (${options.join(', ')})`];
}

function value({ generated, default: expression }: ColumnRow): readonly string[] {
  if (expression === null) return [];
  if (generated === '') return [`DEFAULT ${expression}`];
  return [`GENERATED ALWAYS AS (${expression}) ${generated === 's' ? 'STORED' : 'VIRTUAL'}`];
}

function identity({ identity: kind, identityOptions }: ColumnRow): string {
  const options = identityOptions === null ? '' : ` (${identityOptions})`;
  return `GENERATED ${kind === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${options}`;
}
