/**
 * Runs one statement of a user on a connection; `alone` on a connection of its own. Refuses a text
 * without a statement.
 */

import type { RowSink, StatementOutcome, StatementRequest } from '../engine.ts';
import { cellsOf } from '../row-text.ts';
import type { Destination } from './run/destination.ts';
import { refuseEmpty } from './run/emptiness.ts';
import { onConnection, type Runner } from './run/stage.ts';
import { runStatement } from './run/statement.ts';

export async function run(
  runner: Runner,
  request: StatementRequest,
  to: Destination,
  sink: RowSink,
): Promise<StatementOutcome> {
  const fresh = request.session === 'alone';
  const shown = request.isOurs === true ? sink : withoutOptimizersText(request.sql, sink);
  return (
    refuseEmpty(request.sql) ?? onConnection(runner, request, to, fresh, stage => runStatement(request, shown, stage))
  );
}

/** The server's name of the only column of a plan. */
const planColumn = 'EXPLAIN';
const maySayPlan = /\b(?:explain|describe|desc)\b/i;
/** The member is on a line of its own; a JSON string can't hold a line break. */
const optimizersText = /^ {2}"query": .*\n?/m;

/**
 * Removes from EXPLAIN FORMAT=JSON what note 1003 also holds: the optimizer's statement, with
 * values of rows that it read while planning.
 */
export function withoutOptimizersText(sql: string, sink: RowSink): RowSink {
  if (!maySayPlan.test(sql)) return sink;
  let isPlan = false;
  const { full } = sink;
  return {
    columns(columns) {
      isPlan = columns.length === 1 && columns[0]?.name === planColumn;
      sink.columns(columns);
    },
    row(row) {
      if (!isPlan) return sink.row(row);
      const cells = cellsOf(row).map(cell => (typeof cell === 'string' ? cell.replace(optimizersText, '') : cell));
      return sink.row({ json: JSON.stringify(cells), cuts: row.cuts });
    },
    ...(full !== undefined && { full: () => full.call(sink) }),
  };
}
