/**
 * Collects rows within a call's limits (spec §7) as they arrive. Never asks for more than it keeps.
 */

import type { Column, RowSink, StatementDone } from '../engines/engine.ts';
import { JsonRows, type RowText } from '../engines/row-text.ts';
import { shrink } from '../engines/shorten.ts';

export interface CutCellNote {
  /** Indexes into `rows` and `columns`. */
  readonly row: number;
  readonly column: number;
  /** The whole cell's length; null if unknown. */
  readonly full_bytes: number | null;
}

export interface CollectedRows {
  readonly columns: readonly Column[];
  readonly rows: JsonRows;
  readonly cutCells: readonly CutCellNote[];
  /** UTF-8 bytes of the rows, with commas. */
  readonly bytes: number;
  /** Why rows are missing; null if all are here. */
  readonly truncatedBy: 'rows' | 'bytes' | null;
}

/**
 * Why rows are missing. `most rows`: more than the owner allows, by a setting or on the connection,
 * whatever a call asks for.
 */
export type Truncation = 'rows' | 'most rows' | 'most rows of the connection' | 'bytes' | 'wire';

/** What was read. The caller decides how much goes into one answer. */
export interface ResultSet extends Omit<CollectedRows, 'truncatedBy'> {
  readonly rowsAffected: number | null;
  readonly insertId?: number | string | undefined;
  readonly milliseconds: number;
  /** Why rows are missing; null if all are here. */
  readonly truncatedBy: Truncation | null;
  readonly warnings: readonly string[];
}

/** @param rowsEndBy why no more rows were taken. */
export function resultSetOf(
  { columns, rows, cutCells, bytes, truncatedBy }: CollectedRows,
  { rowsAffected, insertId, cutByWire, warnings }: StatementDone,
  milliseconds: number,
  rowsEndBy: Truncation,
): ResultSet {
  const cutBy = truncatedBy === 'rows' ? rowsEndBy : truncatedBy;
  return {
    columns,
    rows,
    cutCells,
    bytes,
    rowsAffected,
    insertId,
    milliseconds,
    truncatedBy: cutByWire ? (cutBy ?? 'wire') : cutBy,
    warnings,
  };
}

/**
 * Called for each row: whether there is memory to hold it for later answers. One answer's worth is
 * kept in any case.
 */
export type Room = (bytes: number) => boolean;

const noRoom: Room = () => false;

export function collectRows(
  maxRows: number,
  maxAnswerBytes: number,
  room: Room = noRoom,
): RowSink & { collected(): CollectedRows } {
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
      if (room(rowBytes) || bytes + rowBytes <= maxAnswerBytes) {
        bytes += rowBytes;
        take(row);
        return true;
      }
      truncatedBy = 'bytes';
      // A single row wider than the whole answer says more, cut, than an empty result.
      if (texts.length === 0) take(shrink(row, maxAnswerBytes));
      return false;
    },
    collected: () => ({ columns, rows: new JsonRows(texts), cutCells, bytes, truncatedBy }),
  };
}
