/**
 * Records a statement in the activity log and the history (spec §14): as attempted before it may
 * write, as settled before its answer; one row if it only read or was refused. Neither log decides
 * what may run, but an unwritable one stops writes.
 */

import { hash } from 'node:crypto';
import {
  type ActivityIntent,
  type ActivityLog,
  type ActivityResult,
  ActivityUnavailable,
  outcomeOf,
  reasonOf,
} from '../activity.ts';
import type { CommitTrace } from '../engines/engine.ts';
import type { Classification, StatementClass } from '../guard/types.ts';
import { type Refusal, toolError } from '../refusal.ts';
import type { Call } from './call.ts';
import { outdated } from './failure-refusals.ts';
import type { HistoryRecord, StatementHistory } from './history.ts';
import type { UnknownOutcomes } from './unknown-outcomes.ts';

export interface RecordPorts {
  readonly activity: Pick<ActivityLog, 'record' | 'attempt' | 'outcome' | 'problem'>;
  readonly history: Pick<StatementHistory, 'record'>;
  readonly unknownOutcomes: UnknownOutcomes;
}

/** A refused statement, with its classification if there is one. */
export interface RefusedRun {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  readonly classification?: Classification;
}

/** How it ended. */
export type StatementEnd =
  | { readonly kind: 'done'; readonly rows: number | null; readonly durationMilliseconds: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly durationMilliseconds: number | null };

/**
 * Runs it and records it: a write is sent only after its attempt is recorded, and settled before
 * its answer. A statement that has to be classified again is not recorded: it did not run.
 */
export async function recordRun<End extends StatementEnd>(
  ports: RecordPorts,
  call: Call,
  statementClass: StatementClass,
  mayWrite: boolean,
  run: (committing?: (trace: CommitTrace) => void) => Promise<End>,
): Promise<End | Extract<StatementEnd, { kind: 'refused' }>> {
  if (!mayWrite) {
    const end = await run();
    if (end.kind === 'done' || end.refusal !== outdated) recordStatement(ports, call, statementClass, end);
    return end;
  }
  const attempt = await ports.activity.attempt(intentOf(call)).catch(orUnavailable);
  if (attempt instanceof ActivityUnavailable) {
    const refusal = { kind: 'unrecordable', problem: attempt.message } as const;
    const refused = { kind: 'refused', refusal, durationMilliseconds: null } as const;
    recordStatement(ports, call, statementClass, refused);
    return refused;
  }
  let ended: ((isUnknown: boolean) => void) | null = null;
  const committing = (trace: CommitTrace): void => {
    ended = ports.unknownOutcomes.sent({ attempt, account: call.origin.account, trace });
    const unseen = { outcome: 'unknown', durationMilliseconds: null } as const;
    ports.history.record({ ...historyRecord(call, statementClass, unseen), attempt: attempt.number });
  };
  const settle = async (end: StatementEnd): Promise<void> => {
    const number = ended === null ? undefined : attempt.number;
    const result = intoHistory(ports, call, statementClass, end, number);
    await ports.activity.outcome(attempt, result);
    ended?.(result.outcome === 'unknown');
  };
  const end = await run(committing).catch(async error => {
    await settle({ kind: 'refused', refusal: broken, durationMilliseconds: null });
    throw error;
  });
  await settle(end);
  return end;
}

function orUnavailable(error: unknown): ActivityUnavailable {
  if (error instanceof ActivityUnavailable) return error;
  throw error;
}

const broken = toolError('outcome_unknown', 'Something went wrong inside Sallyport while the statement ran.');

/** For reads, refusals and what is always rolled back: written off the request's path. */
export function recordStatement(
  ports: Pick<RecordPorts, 'activity' | 'history'>,
  call: Call,
  statementClass: StatementClass | null,
  end: StatementEnd,
): void {
  ports.activity.record(Object.assign(intentOf(call), intoHistory(ports, call, statementClass, end)));
}

/**
 * Records a statement that is not run.
 * @param classification null if there is none: the history then keeps nothing.
 */
export function recordRefusal(
  ports: Pick<RecordPorts, 'activity' | 'history'>,
  call: Call,
  classification: Classification | null,
  refusal: Refusal,
): RefusedRun {
  recordStatement(ports, call, classification?.class ?? null, { kind: 'refused', refusal, durationMilliseconds: null });
  return { kind: 'refused', refusal, ...(classification && { classification }) };
}

/**
 * @returns what a client reads while the log can't be written. The log's own error may name files,
 *   which only the person should see.
 */
export function unrecordedWarning({ problem }: Pick<ActivityLog, 'problem'>): string | null {
  return problem() === null
    ? null
    : "The activity log can't be written, so nothing that writes will run now. Tell the user.";
}

function intentOf({ origin, context, resolved, sql }: Call): ActivityIntent {
  const { id, name } = resolved.connection;
  return {
    category: 'query',
    action: origin.tool,
    principal: origin.principal,
    tokenName: origin.tokenName,
    client: context.client,
    connection: { id, name },
    statementHash: hash('sha256', sql),
    requestId: origin.requestId,
  };
}

/** If nothing ran, the duration is the call's. */
function resultOf(
  end: StatementEnd,
  { origin, database }: Pick<Call, 'origin' | 'database'>,
  statementClass: StatementClass | null,
): ActivityResult {
  const durationMilliseconds = end.durationMilliseconds ?? origin.clock.took();
  if (end.kind === 'refused')
    return { outcome: outcomeOf(end.refusal), reason: reasonOf(end.refusal), durationMilliseconds };
  const isByOneWall = statementClass === 'read' && database.lacksReadWall?.() === true;
  const reason = isByOneWall ? { reason: 'held by one wall' } : {};
  return { outcome: 'success', rows: end.rows, ...reason, durationMilliseconds };
}

/**
 * Tells the history and the caller.
 * @param attempt of a write that the history has from before its COMMIT.
 * @returns what the activity log keeps.
 */
function intoHistory(
  { history }: Pick<RecordPorts, 'history'>,
  call: Call,
  statementClass: StatementClass | null,
  end: StatementEnd,
  attempt?: number,
): ActivityResult {
  const { origin } = call;
  const result = resultOf(end, call, statementClass);
  origin.recorded(result);
  if (statementClass === null) return result;
  const { durationMilliseconds } = end;
  const record = historyRecord(call, statementClass, { ...result, durationMilliseconds });
  history.record(attempt === undefined ? record : { ...record, attempt });
  return result;
}

function historyRecord(
  { origin, context, resolved, sql }: Call,
  statementClass: StatementClass,
  { outcome, rows, durationMilliseconds }: ActivityResult & Pick<StatementEnd, 'durationMilliseconds'>,
): HistoryRecord {
  const { id, name } = resolved.connection;
  return {
    connection: { id, name },
    principal: origin.account,
    tokenName: origin.tokenName,
    client: context.client,
    statement: sql,
    class: statementClass,
    // A preview must not look like a statement that stayed.
    outcome: origin.tool === 'preview_write' && outcome === 'success' ? 'rolled_back' : outcome,
    rows: rows ?? null,
    durationMilliseconds,
  };
}
