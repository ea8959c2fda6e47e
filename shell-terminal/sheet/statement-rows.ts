/**
 * A statement as rows (spec §12). Escaped here, and behind a bar at every row, so that nothing in
 * it can pass for a line of ours.
 */

import { blankRowsCounted } from '../../shared/blank-rows.ts';
import { shownText } from '../../shared/shown-text.ts';
import { pieces } from './fit.ts';
import type { Paint } from './place.ts';

/**
 * `|` where a line of it begins, `:` where one goes on that was too long, `~` where blank ones are
 * counted instead.
 */
const barColumns = 2;
const narrowestTab = '    ';

/**
 * All rows of it, none wider than `columns` with its bar. Blanks, however many, push nothing out of
 * sight.
 */
export function statementRows(statement: string, columns: number): string[] {
  const rows = shownText(statement, 'lines')
    .replaceAll('\t', narrowestTab)
    .split('\n')
    .flatMap(line =>
      pieces(line, columns - barColumns).map((text, index) => `${index === 0 ? '|' : ':'} ${text}`.trimEnd()),
    );
  return blankRowsCounted(rows);
}

export function paintedRow(row: string, paint: Paint): string {
  return `${paint('red', row.slice(0, 1))}${row.slice(1)}`;
}
