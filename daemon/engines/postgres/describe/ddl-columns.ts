/** Writes a described column as the DDL that makes its table again. */

import type { ColumnRow } from './rows.ts';

export function columnLine(column: ColumnRow): string {
  const parts = [column.quoted, column.type];
  parts.push(...foreignOptions(column));
  if (column.collation !== null) parts.push(column.collation);
  if (column.identity !== '') parts.push(identity(column));
  else parts.push(...value(column));
  if (column.notNull) parts.push(...notNull(column));
  return parts.join(' ');
}

/** True if rows of before may break it: CREATE TABLE would make it valid. */
export function isAdded({ notNullRule }: ColumnRow): boolean {
  return notNullRule?.isValid === false;
}

function notNull(column: ColumnRow): readonly string[] {
  if (isAdded(column)) return [];
  const { notNullRule: rule } = column;
  const name = rule?.quoted ? [`CONSTRAINT ${rule.quoted}`] : [];
  return [...name, 'NOT NULL', ...(rule?.state ? [rule.state] : [])];
}

/**
 * A column's line in CREATE TABLE … PARTITION OF, which takes the column from the parent; empty if
 * the column adds nothing.
 */
export function partitionColumnLine(column: ColumnRow): readonly string[] {
  const parts: string[] = [];
  // If only the parent has a default, a null removes it.
  if (column.default !== (column.ofParent?.default ?? null))
    parts.push(...(column.default === null ? ['DEFAULT NULL'] : value(column)));
  if (column.notNull && column.ofParent?.notNull !== true) parts.push(...notNull(column));
  return parts.length === 0 ? [] : [[column.quoted, ...parts].join(' ')];
}

/**
 * Changes that CREATE TABLE … PARTITION OF can't express. Since PostgreSQL 17 a partition uses its
 * parent's sequence.
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
