/**
 * Runs a classified statement in the decided session, within its call's limits, and says how it
 * ended. Records nothing.
 */

import { maxWireBytes, type StatementRequest } from '../engines/engine.ts';
import { withNearestNames } from '../engines/nearest-names.ts';
import type { Refusal } from '../refusal.ts';
import type { Call } from './call.ts';
import type { Allowed } from './classify-and-decide.ts';
import { refusalOf, refusalOfWrite } from './failure-refusals.ts';
import { collectRows, type ResultSet, resultSetOf } from './result-set.ts';
import { orWithdrawn } from './withdrawn.ts';
import type { WriteCheck } from './write-check.ts';

/** How it ended: the recorded end, and its rows. */
export type RunEnd =
  | {
      readonly kind: 'done';
      readonly rows: number;
      readonly durationMilliseconds: number;
      readonly resultSet: ResultSet;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly durationMilliseconds: number };

/** @param elapsed monotonic milliseconds. @param check of a statement that may write. */
export async function runInSession(
  elapsed: () => number,
  call: Call,
  { classification, session, run }: Allowed,
  check: WriteCheck | null,
  committing?: StatementRequest['committing'],
): Promise<RunEnd> {
  const { resolved, origin, sql, parameters, database, context, limits } = call;
  const { access } = origin;
  const mayCommit = check?.mayCommit;
  const collector = collectRows(call.maxRows, limits.maxAnswerBytes, call.room);
  const start = elapsed();
  const outcome = await database.run(
    {
      principal: context.principal,
      client: context.client,
      database: context.database,
      schema: context.schema,
      timeoutSeconds: context.timeoutSeconds,
      clock: context.clock,
      signal: context.signal,
      sql,
      parameters,
      session,
      isStateless: run?.isStateless,
      mayRunAsReader: run?.mayRunAsReader,
      preconditions: run?.preconditions,
      isOnlyWrite: run?.isOnlyWrite,
      rowEffects: run?.rowEffects,
      makes: run?.makes,
      definition:
        run?.defines && check?.definition && session === 'write'
          ? { names: run.defines, ...check.definition }
          : undefined,
      mayRun: check?.mayRun,
      mayCommit: mayCommit && (async (changes, ask) => (await mayCommit(changes, ask)) && access?.withdrawn() == null),
      committing,
      limits: { cellBytes: limits.maxCellBytes, wireBytes: maxWireBytes },
    },
    collector,
  );
  const durationMilliseconds = elapsed() - start;
  check?.ended(outcome);
  if (outcome.kind !== 'done' && outcome.kind !== 'outcome_unknown') origin.clock.mayStay = false;
  if (outcome.kind === 'done') {
    const resultSet = resultSetOf(collector.collected(), outcome, durationMilliseconds, call.rowsEndBy);
    return { kind: 'done', rows: resultSet.rowsAffected ?? resultSet.rows.length, durationMilliseconds, resultSet };
  }
  const failure =
    outcome.kind === 'query_failed'
      ? await withNearestNames(database, context, { sql, tables: classification.tables }, outcome)
      : outcome;
  const worded = session === 'read' ? refusalOf : refusalOfWrite;
  const refusal = check?.refusalOf(failure) ?? worded(failure, resolved.connection, call.timeoutRaise);
  const mayStay = session === 'write' || session === 'alone';
  return { kind: 'refused', refusal: orWithdrawn(access, refusal, mayStay), durationMilliseconds };
}
