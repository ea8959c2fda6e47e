/** Rows as CSV (RFC 4180): CRLF, quotes only where needed. NULL is an empty field, an empty text is `""`. */

import type { Column } from '../../query/database.ts';
import type { Cell } from '../../query/row-text.ts';

export function csvOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns.map(column => field(column.name)), ...rows.map(row => row.map(field))];
  return lines.map(line => `${line.join(',')}\r\n`).join('');
}

function field(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
