/** A sink that keeps what it gets, and refuses more after `most` rows. */

import type { Column, Database, RowSink, StatementOutcome, StatementRequest } from '../../daemon/engines/engine.ts';
import { cellsOf, type Cell as PlainCell, printedCells, type RowText } from '../../daemon/engines/row-text.ts';

/** As the tables of types write them: a cut cell also shows its length. */
export type Cell = PlainCell | { readonly kept: string; readonly fullBytes: number | null };

export function shownCells(row: RowText): Cell[] {
  return cellsOf(row).map((cell, column) => {
    const cut = row.cuts.find(known => known.column === column);
    return cut === undefined ? cell : { kept: String(cell), fullBytes: cut.fullBytes };
  });
}

export interface Collected {
  readonly outcome: StatementOutcome;
  readonly columns: readonly Column[] | null;
  readonly rows: readonly (readonly Cell[])[];
  /** The same rows, with numbers as the engine wrote them. */
  readonly printed: readonly (readonly (string | null)[])[];
}

export async function collect(
  database: Database,
  sql: string,
  changed: Partial<Omit<StatementRequest, 'sql'>> & { readonly most?: number } = {},
): Promise<Collected> {
  const { most = Number.POSITIVE_INFINITY, ...request } = changed;
  let columns: readonly Column[] | null = null;
  let ended = false;
  const rows: (readonly Cell[])[] = [];
  const printed: (readonly (string | null)[])[] = [];
  const sink: RowSink = {
    columns(given) {
      if (columns !== null || rows.length > 0) throw new Error('columns must come once, before any row');
      columns = given;
    },
    row(row) {
      if (columns === null) throw new Error('a row came before the columns');
      if (ended) throw new Error('a row came after the sink said no');
      if (!isCompactJson(row.json)) throw new Error(`a row is no compact JSON: ${row.json}`);
      rows.push(shownCells(row));
      printed.push(printedCells(row));
      ended = rows.length >= most;
      return !ended;
    },
  };
  const outcome = await database.run({ ...call, signal: new AbortController().signal, ...request, sql }, sink);
  return { outcome, columns, rows, printed };
}

/**
 * Text spliced into the answer must be what JSON.stringify prints. A number may have another form,
 * but must have the same value and sign.
 */
function isCompactJson(json: string): boolean {
  const cells = cellsOf({ json });
  const own = json.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  const normal = own.map((text, at) => (typeof cells[at] === 'number' ? JSON.stringify(cells[at]) : text));
  return !cells.some(cell => Object.is(cell, -0)) && `[${normal.join(',')}]` === JSON.stringify(cells);
}

export const call = {
  principal: null,
  client: 'suite',
  database: null,
  schema: null,
  timeoutSeconds: 30,
  signal: new AbortController().signal,
  parameters: [],
  session: 'read',
  limits: { cellBytes: 65_536, wireBytes: 48 * 1024 * 1024 },
} as const;
