/** Runs one statement of a user: refused where it is none, else on a connection, `alone` on one of its own. */

import type { RowSink, StatementOutcome, StatementRequest } from '../engine.ts';
import type { Destination } from './run/destination.ts';
import { refuseEmpty } from './run/emptiness.ts';
import { withoutOptimizersText } from './run/plan-text.ts';
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
