/** Collects rows into a result set (spec §8) within its limits, while they arrive. Never asks for more than it keeps. */

import type { Column, RowSink } from './database.ts';
import { type CutCell, cellsOf, JsonRows, type RowText } from './row-text.ts';

export interface CutCellNote {
  /** Indexes into `rows` and `columns`. */
  readonly row: number;
  readonly column: number;
  /** Length of the whole cell; null where it is unknown. */
  readonly full_bytes: number | null;
}

export interface CollectedRows {
  readonly columns: readonly Column[];
  readonly rows: JsonRows;
  readonly cutCells: readonly CutCellNote[];
  /** Why rows are missing; null when all are here. */
  readonly truncatedBy: 'rows' | 'bytes' | null;
}

interface RowCollector extends RowSink {
  collected(): CollectedRows;
}

export function collectRows(maxRows: number, maxAnswerBytes: number): RowCollector {
  let columns: readonly Column[] = [];
  const texts: string[] = [];
  const cutCells: CutCellNote[] = [];
  let truncatedBy: CollectedRows['truncatedBy'] = null;
  let bytes = 0;

  function take({ json, cuts }: RowText): void {
    for (const { column, fullBytes } of cuts) cutCells.push({ row: texts.length, column, full_bytes: fullBytes });
    texts.push(json);
  }

  return {
    columns(given) {
      columns = given;
    },
    row(row) {
      if (texts.length >= maxRows) {
        truncatedBy = 'rows';
        return false;
      }
      const rowBytes = Buffer.byteLength(row.json) + 1;
      if (bytes + rowBytes <= maxAnswerBytes) {
        bytes += rowBytes;
        take(row);
        return true;
      }
      truncatedBy = 'bytes';
      // One row that is wider than the whole answer still says more, cut, than an empty result.
      if (texts.length === 0) take(shrink(row, maxAnswerBytes));
      return false;
    },
    collected: () => ({ columns, rows: new JsonRows(texts), cutCells, truncatedBy }),
  };
}

function shrink(row: RowText, maxBytes: number): RowText {
  const cells = cellsOf(row);
  // JSON writes a control character in six bytes: a sixth of the share fits whatever the text holds.
  const share = Math.floor(maxBytes / Math.max(1, cells.length) / 6);
  const cuts: CutCell[] = [];
  const kept = cells.map((cell, column) => {
    const cut = row.cuts.find(known => known.column === column);
    const isLong = typeof cell === 'string' && cell.length > share;
    if (isLong) cuts.push(cut ?? { column, fullBytes: Buffer.byteLength(cell) });
    else if (cut !== undefined) cuts.push(cut);
    return isLong ? wholeCharacters(cell, share) : cell;
  });
  return { json: JSON.stringify(kept), cuts };
}

/** Never half of a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
