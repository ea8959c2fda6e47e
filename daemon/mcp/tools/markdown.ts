/** A row of a Markdown table. What would end a cell or a line is escaped; an absent value says so. */

import type { Cell } from '../../query/row-text.ts';

export function markdownLine(cells: readonly Cell[]): string {
  return `| ${cells.map(field).join(' | ')} |\n`;
}

/** Behind the names of the columns. */
export function markdownRule(columns: number): string {
  return `|${' --- |'.repeat(columns)}\n`;
}

function field(cell: Cell): string {
  return cell === null
    ? 'NULL'
    : String(cell)
        .replace(/[\\|]/g, '\\$&')
        .replace(/\r\n|[\r\n]/g, '<br>');
}
