/** The rows under keys, shown before and after. Asks nothing. */

import type { Key } from '../../engines/dialect.ts';
import type { Column, StatementDone } from '../../engines/engine.ts';
import { textReplaced, warningsOn } from '../../engines/replaced-text.ts';
import { JsonRows } from '../../engines/row-text.ts';
import { beginning } from '../../engines/shorten.ts';
import type { CollectedRows } from '../result-set.ts';

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: JsonRows;
}

export interface Sample {
  readonly before: Rows | null;
  readonly after: Rows | null;
  /**
   * The columns that are shown even if they don't change: the key, and columns with cut cells, in
   * which a change may not show. All columns if a row exists on one side alone or has no readable
   * key.
   */
  readonly telling: readonly string[];
  readonly warnings: readonly string[];
}

/** The last `length` cells of each row; a key too long to be read whole is left out. */
export function keysOf({ columns, rows, cutCells }: CollectedRows, length: number): readonly Key[] {
  const start = columns.length - length;
  const isCut = (row: number) => cutCells.some(cell => cell.row === row && cell.column >= start);
  return rows
    .cells()
    .flatMap((cells, row) =>
      isCut(row) ? [] : [cells.slice(start).map((value, at) => ({ value, type: columns[start + at]?.type ?? '' }))],
    );
}

type Found = CollectedRows & Pick<StatementDone, 'warnings'>;

/** Shows differences: an unchanged row is left out. */
export function sampleOf(key: readonly string[], before: readonly Found[], after: readonly Found[]): Sample {
  const content = (found: CollectedRows | undefined) => JSON.stringify([found?.rows.json, found?.cutCells]);
  const differs = ({ rows }: CollectedRows, at: number) =>
    rows.length > 0 && content(before[at]) !== content(after[at]);
  const [were, are] = [before.filter(differs), after.filter(differs)] as const;
  const isPaired =
    before.every((found, at) => !differs(found, at) || after[at]?.rows.length === 1) && were.length === are.length;
  const all = [...were, ...are].flatMap(({ columns }) => columns.map(({ name }) => name));
  return {
    before: rowsOf(were),
    after: rowsOf(are),
    telling: isPaired && key.length > 0 ? [...key, ...[...were, ...are].flatMap(cutColumns)] : all,
    warnings: [
      ...[...were, ...are].flatMap(({ rows, warnings }) => ofTexts(warningsOn(rows, warnings))),
      ...cutWarnings('before', were),
      ...cutWarnings('after', are),
    ],
  };
}

/** Warnings caused by our own look say nothing about the change. */
function ofTexts(warnings: readonly string[]): readonly string[] {
  return warnings.filter(warning => warning === textReplaced);
}

function rowsOf(found: readonly CollectedRows[]): Rows | null {
  const [first] = found;
  if (first === undefined) return null;
  const texts = found.flatMap(({ rows }) => Array.from({ length: rows.length }, (_, index) => rows.at(index)));
  return { columns: first.columns, rows: new JsonRows(texts) };
}

function cutColumns({ columns, cutCells }: CollectedRows): readonly string[] {
  return cutCells.map(({ column }) => columns[column]?.name ?? '');
}

/** A row of a thousand columns may have a thousand of them. */
export const mostCutsTold = 10;
/** SQLite allows a column name as long as a book. */
const longestName = 64;

function cutWarnings(side: string, found: readonly CollectedRows[]): readonly string[] {
  const cuts = found.flatMap(({ columns, cutCells }, row) =>
    cutCells.map(({ column, full_bytes }) => ({ row, name: columns[column]?.name ?? '', full_bytes })),
  );
  const told = cuts.slice(0, mostCutsTold).map(({ row, name, full_bytes }) => {
    const length = full_bytes === null ? 'longer than is shown' : `${full_bytes} bytes long`;
    return `In ${side}, row ${row}, ${JSON.stringify(beginning(name, longestName))} is cut; the cell is ${length}.`;
  });
  const rest = cuts.length - told.length;
  return rest > 0 ? [...told, `In ${side}, ${rest} more cells are cut.`] : told;
}
