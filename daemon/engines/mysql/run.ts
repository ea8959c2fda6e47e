/**
 * Runs one statement of a user: refused where it is none, else on a connection, `alone` on one of
 * its own.
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

/** The server's name of the only column of a plan in one text. */
const planColumn = 'EXPLAIN';
const maySayPlan = /\b(?:explain|describe|desc)\b/i;
/**
 * A line of its own, as the server prints a member of the whole; within a text JSON has no line's
 * end.
 */
const optimizersText = /^ {2}"query": .*\n?/m;

/**
 * Takes out of MySQL's EXPLAIN FORMAT=JSON what is told nowhere else either (note 1003): the
 * statement as the optimizer has it, with values of rows that it read while it planned.
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
