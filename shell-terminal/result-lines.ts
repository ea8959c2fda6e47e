/**
 * A result set as lines of a terminal: a table where it fits, else each row as a block of its own,
 * so that nothing is cut.
 */

import { shownText } from '../shared/shown-text.ts';
import { type Cell, tableOf } from './table.ts';
import type { Terminal } from './terminal.ts';

type Value = string | number | boolean | null;

/**
 * What `execute_query` answers (spec §8), with what is left out there as it goes without saying.
 */
export interface ResultSet {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Value[])[];
  readonly row_count: number;
  readonly rows_affected: number | null;
  readonly insert_id?: number | string;
  readonly execution_time_ms: number;
  readonly truncated: boolean;
  readonly truncated_because?: string;
  readonly next_cursor?: string;
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
