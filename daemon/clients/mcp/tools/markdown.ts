/** A row of a Markdown table. What would end a cell or a line is escaped; an absent value says so. */

export function markdownLine(cells: readonly (string | null)[]): string {
  return `| ${cells.map(field).join(' | ')} |\n`;
}

/** Behind the names of the columns. */
export function markdownRule(columns: number): string {
  return `|${' --- |'.repeat(columns)}\n`;
}

function field(cell: string | null): string {
  return cell === null ? 'NULL' : cell.replace(/[\\|]/g, '\\$&').replace(/\r\n|[\r\n]/g, '<br>');
}
