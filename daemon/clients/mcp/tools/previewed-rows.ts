/** A preview's rows as answered (spec §9): for a row on both sides, its key and what changes. */

import { cellTexts, JsonRows } from '../../../engines/row-text.ts';
import type { Preview } from '../../../statement/preview/preview.ts';
import type { Rows } from '../../../statement/preview/rows.ts';

interface Shown {
  readonly columns: readonly string[];
  readonly rows: JsonRows;
}

export function previewedRows({ before, after, telling }: Preview): {
  readonly before?: Shown;
  readonly after?: Shown;
} {
  const only = before && after ? columnsOf(before, after, telling) : null;
  return { ...(before && { before: shownRows(before, only) }), ...(after && { after: shownRows(after, only) }) };
}

/**
 * The rows without types, which a description tells. @param only indexes of columns; null for all.
 */
export function shownRows({ columns, rows }: Rows, only: readonly number[] | null): Shown {
  const names = columns.map(({ name }) => name);
  if (only === null) return { columns: names, rows };
  const those = (of: readonly string[]) => only.map(column => of[column] ?? '');
  return { columns: those(names), rows: new JsonRows(textsOf(rows).map(texts => `[${those(texts).join(',')}]`)) };
}

function columnsOf(before: Rows, after: Rows, telling: readonly string[]): readonly number[] {
  const [were, are] = [textsOf(before.rows), textsOf(after.rows)];
  const differs = (column: number) => were.some((texts, row) => texts[column] !== are[row]?.[column]);
  return before.columns.flatMap(({ name }, column) => (telling.includes(name) || differs(column) ? [column] : []));
}

function textsOf(rows: JsonRows): readonly (readonly string[])[] {
  return Array.from({ length: rows.length }, (_, row) => cellTexts({ json: rows.at(row) }));
}
