/** Our own catalog queries: run like a user's read, in the same session, and collected. */

import { valueOrThrow } from '../answering.ts';
import type { CallContext, Parameter, RowSink, StatementOutcome, StatementRequest } from '../engine.ts';
import { type Cell, cellsOf } from '../row-text.ts';

export type Row = readonly Cell[];

/** Call it within `answering`. */
export type LookUp = (sql: string, ...parameters: readonly Parameter[]) => Promise<readonly Row[]>;

/**
 * A catalog holds names and definitions: more than any real one, little enough for a hostile file.
 */
const limits = { cellBytes: 1024 * 1024, wireBytes: 64 * 1024 * 1024 };

export function lookUpWith(
  run: (request: StatementRequest, sink: RowSink) => Promise<StatementOutcome>,
  context: CallContext,
): LookUp {
  return async (sql, ...parameters) => {
    const rows: Row[] = [];
    const sink: RowSink = {
      columns() {},
      row: row => rows.push(cellsOf(row)) > 0,
    };
    const outcome = await run({ ...context, sql, parameters, session: 'read', limits, isOurs: true }, sink);
    if (outcome.kind !== 'done') return valueOrThrow(outcome);
    if (!outcome.cutByWire) return rows;
    return valueOrThrow({ kind: 'query_failed', message: 'The catalog is too large to be read at once.', code: null });
  };
}

export function text(cell: Cell | undefined): string {
  return String(cell ?? '');
}

export function textOrNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : text(cell);
}

export function numberOrNull(cell: Cell | undefined): number | null {
  return typeof cell === 'number' ? cell : null;
}
