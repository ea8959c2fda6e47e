/**
 * Runs a read whose rows go to a file (spec §9, `export_data`): classified like every read, written
 * row by row, within the longest time of a call.
 */

import type { RowSink, StatementOutcome } from '../engines/engine.ts';
import { withNearestNames } from '../engines/nearest-names.ts';
import type { Refusal } from '../refusal.ts';
import type { Call } from './call.ts';
import { classifyAndDecide } from './classify-and-decide.ts';
import { refusalOf } from './failure-refusals.ts';
import { recordStatement } from './record.ts';
import type { RunPorts } from './run-statement.ts';
import { orWithdrawn } from './withdrawn.ts';

/** Passes rows on to their destination. */
export interface ExportSink extends RowSink {
  /** Ends it and deletes what isn't whole. @returns why it isn't, or null. */
  end(outcome: StatementOutcome): Promise<Refusal | null>;
  rows(): number;
}

/** A byte in the file may take four on the wire: an absent value does. */
const wirePerByte = 4;

type Exported = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function exportRows(ports: RunPorts, call: Call, away: ExportSink, maxBytes: number): Promise<Exported> {
  const { resolved, origin, sql, parameters, database, limits } = call;
  const context = { ...call.context, timeoutSeconds: call.mostSeconds };
  origin.clock.allow(call.mostSeconds);
  // With fresh facts: a file must not be begun twice because the catalog changed.
  const classified = await classifyAndDecide(ports, 'export_data', call);
  if (classified.kind === 'refused') {
    await away.end({ kind: 'cancelled' });
    return classified;
  }
  const { session, run, classification } = classified;
  const misread = (await database.misreading?.(context, sql, 'export')) ?? null;
  const start = ports.elapsed();
  const wireBytes = maxBytes * wirePerByte;
  const outcome = await database.run(
    { ...context, sql, parameters, session, ...run, limits: { cellBytes: limits.maxCellBytes, wireBytes } },
    away,
  );
  const isMisled = outcome.kind === 'done' && misread !== null;
  const problem = await away.end(isMisled ? { ...outcome, warnings: [...outcome.warnings, misread] } : outcome);
  const durationMilliseconds = ports.elapsed() - start;
  const failure =
    outcome.kind === 'query_failed'
      ? await withNearestNames(database, context, { sql, tables: classification.tables }, outcome)
      : outcome;
  const failed = failure.kind === 'done' ? problem : refusalOf(failure, resolved.connection, 'at-maximum');
  if (failed !== null) {
    const refusal = orWithdrawn(origin.access, failed, false);
    recordStatement(ports, call, classification.class, { kind: 'refused', refusal, durationMilliseconds });
    return { kind: 'refused', refusal };
  }
  recordStatement(ports, call, classification.class, { kind: 'done', rows: away.rows(), durationMilliseconds });
  return { kind: 'done' };
}
