/** Writes a described column as the statements have it that make its table again. */

import type { ColumnRow } from './describe-rows.ts';

export function columnLine(column: ColumnRow): string {
  const parts = [column.quoted, column.type];
  if (column.collation !== null) parts.push(`COLLATE ${column.collation}`);
  if (column.identity !== '') parts.push(identity(column));
  else if (column.generated === 's') parts.push(`GENERATED ALWAYS AS (${column.default ?? ''}) STORED`);
  else if (column.generated === 'v') parts.push(`GENERATED ALWAYS AS (${column.default ?? ''}) VIRTUAL`);
  else if (column.default !== null) parts.push(`DEFAULT ${column.default}`);
  if (column.notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

function identity({ identity: kind, identityOptions }: ColumnRow): string {
  const options = identityOptions === null ? '' : ` (${identityOptions})`;
  return `GENERATED ${kind === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${options}`;
}
