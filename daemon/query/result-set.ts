/** Collects rows into a result set (spec §8) within its limits, while they arrive. Never asks for more than it keeps. */

import type { Cell, Column, CutCell, RowSink } from './database.ts';

export interface CutCellNote {
  /** Indexes into `rows` and `columns`. */
  readonly row: number;
  readonly column: number;
  /** Length of the whole cell; null where it is unknown. */
  readonly full_bytes: number | null;
}

export type PlainCell = Exclude<Cell, CutCell>;

export interface CollectedRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly PlainCell[])[];
  readonly cutCells: readonly CutCellNote[];
  /** Why rows are missing; null when all are here. */
  readonly truncatedBy: 'rows' | 'bytes' | null;
}

interface RowCollector extends RowSink {
  collected(): CollectedRows;
}

export function collectRows(maxRows: number, maxAnswerBytes: number): RowCollector {
  let columns: readonly Column[] = [];
  const rows: PlainCell[][] = [];
  const cutCells: CutCellNote[] = [];
  let truncatedBy: CollectedRows['truncatedBy'] = null;
  let bytes = 0;

  function take(cells: readonly Cell[]): void {
    const row = rows.length;
    rows.push(
      cells.map((cell, column) => {
        if (!isCut(cell)) return cell;
        cutCells.push({ row, column, full_bytes: cell.fullBytes });
        return cell.kept;
      }),
    );
  }

  return {
    columns(given) {
      columns = given;
    },
    row(cells) {
      if (rows.length >= maxRows) {
        truncatedBy = 'rows';
        return false;
      }
      const rowBytes = jsonBytes(cells);
      if (bytes + rowBytes <= maxAnswerBytes) {
        bytes += rowBytes;
        take(cells);
        return true;
      }
      truncatedBy = 'bytes';
      // One row that is wider than the whole answer still says more, cut, than an empty result.
      if (rows.length === 0) take(shrink(cells, maxAnswerBytes));
      return false;
    },
    collected: () => ({ columns, rows, cutCells, truncatedBy }),
  };
}

function isCut(cell: Cell): cell is CutCell {
  return typeof cell === 'object' && cell !== null;
}

function jsonBytes(cells: readonly Cell[]): number {
  return Buffer.byteLength(JSON.stringify(cells.map(cell => (isCut(cell) ? cell.kept : cell)))) + 1;
}

function shrink(cells: readonly Cell[], maxBytes: number): Cell[] {
  // JSON writes a control character in six bytes: a sixth of the share fits whatever the text holds.
  const share = Math.floor(maxBytes / Math.max(1, cells.length) / 6);
  return cells.map(cell => {
    const text = isCut(cell) ? cell.kept : cell;
    if (typeof text !== 'string' || text.length <= share) return cell;
    return { kept: wholeCharacters(text, share), fullBytes: isCut(cell) ? cell.fullBytes : Buffer.byteLength(text) };
  });
}

/** Never half of a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
