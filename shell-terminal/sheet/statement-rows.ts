/**
 * A statement as rows (spec §12). Escaped here, with a bar before every row, so nothing in it looks
 * like a line of ours.
 */

import { blankRowsCounted } from '../../shared/blank-rows.ts';
import { shownText } from '../../shared/shown-text.ts';
import type { Paint } from './drawing-place.ts';
import { splitAtColumns } from './fit.ts';

/** `|` begins a line, `:` continues a long one, `~` counts blank ones. */
const barColumns = 2;
const narrowestTab = '    ';

/**
 * All its rows, none wider than `columns` with its bar. Any number of blanks pushes nothing out of
 * sight.
 */
export function statementRows(statement: string, columns: number): string[] {
  const rows = shownText(statement, 'lines')
    .replaceAll('\t', narrowestTab)
    .split('\n')
    .flatMap(line =>
      splitAtColumns(line, columns - barColumns).map((text, index) => `${index === 0 ? '|' : ':'} ${text}`.trimEnd()),
    );
  return blankRowsCounted(rows);
}

export function paintedRow(row: string, paint: Paint): string {
  return `${paint('red', row.slice(0, 1))}${row.slice(1)}`;
}
