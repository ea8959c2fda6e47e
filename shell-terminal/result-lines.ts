/** A result set as lines of a terminal: a table where it fits, else each row as a block of its own, so that nothing is cut. */

import { shownText } from '../shared/shown-text.ts';
import { type Cell, pairs, tableOf, textWidth } from './table.ts';
import { styled, type Terminal, widthOf } from './terminal.ts';

type Value = string | number | boolean | null;

/** As `execute_query` answers it (spec §8). */
export interface ResultSet {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Value[])[];
  readonly row_count: number;
  readonly rows_affected: number | null;
  readonly execution_time_ms: number;
  readonly truncated: boolean;
  readonly truncated_because?: string;
  readonly next_cursor?: string;
  readonly warnings?: readonly string[];
}

export function resultLines(terminal: Terminal, { columns, rows }: ResultSet): string[] {
  if (columns.length === 0) return [];
  const width = widthOf(terminal.stdout);
  const titles = columns.map(({ name }) => shownText(name));
  const whole = titles.reduce(
    (sum, title, index) =>
      sum + 2 + rows.reduce((most, row) => Math.max(most, textWidth(shownText(textOf(row[index])))), textWidth(title)),
    -2,
  );
  if (width === null || whole <= width) {
    const columns = titles.map((title, index) => [title, (row: readonly Value[]) => cellOf(row[index])] as const);
    return tableOf(terminal, rows, columns, null);
  }
  return rows.flatMap((row, number) => [
    styled(terminal, 'dim', `Row ${number + 1}`),
    ...pairs(
      terminal,
      titles.map((title, index) => [title, textOf(row[index])]),
    ),
  ]);
}

function textOf(value: Value | undefined): string {
  return value == null ? 'NULL' : String(value);
}

function cellOf(value: Value | undefined): Cell {
  return value == null ? { text: 'NULL', style: 'dim' } : String(value);
}
