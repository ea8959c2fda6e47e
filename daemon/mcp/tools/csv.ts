/** A row as CSV (RFC 4180): CRLF, quotes only where needed. NULL is an empty field, an empty text is `""`. */

import type { Cell } from '../../query/row-text.ts';

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}

function field(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
