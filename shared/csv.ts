/**
 * A row as CSV (RFC 4180): CRLF, quotes only where needed. NULL is an empty field, an empty text is
 * `""`.
 */

export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}

function field(cell: string | null): string {
  if (cell === null) return '';
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
