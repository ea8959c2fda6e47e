/**
 * A result set as lines of a terminal: a table if it fits, otherwise each row as its own block, so
 * nothing is cut.
 */

import { shownText } from '../shared/shown-text.ts';
import type { ResultColumn } from './column-title.ts';
import { type Cell, tableOf } from './table.ts';
import type { Terminal } from './terminal.ts';

type Value = string | number | boolean | null;

/** The answer of `execute_query` (spec §8) for a program: with every member, and columns read. */
export interface ResultSet {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  readonly row_count: number;
  readonly rows_affected: number | null;
  readonly insert_id?: number | string;
  readonly execution_time_ms: number;
  readonly truncated: boolean;
  readonly truncated_because?: string;
  readonly next_cursor?: string;
  readonly hint?: string;
  readonly warnings?: readonly string[];
  readonly cut_cells?: readonly unknown[];
}

export function resultLines(terminal: Terminal, { columns, rows }: ResultSet): string[] {
  if (columns.length === 0) return [];
  const cells = columns.map(
    ({ name }, index) => [shownText(name), (row: readonly Value[]) => cellOf(row[index])] as const,
  );
  return tableOf(terminal, rows, cells, null, number => `Row ${number + 1}`);
}

function cellOf(value: Value | undefined): Cell {
  return value == null ? { text: 'NULL', style: 'dim' } : String(value);
}
