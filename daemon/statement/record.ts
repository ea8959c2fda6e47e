/**
 * How a statement stands in the activity log and in the history (spec §14): attempted before it may write, settled before its
 * answer, a row where it only read or was refused. Neither log decides what a statement may do, but an unwritable one stops writes.
 */

import { createHash } from 'node:crypto';
import type { UsedAccess } from '../access/access-in-use.ts';
import type { Connection } from '../access/connection.ts';
import {
  type ActivityIntent,
  type ActivityLog,
  type ActivityResult,
  ActivityUnavailable,
  type Attempt,
  outcomeOf,
  reasonOf,
} from '../activity.ts';
import type { StatementClass } from '../guard/types.ts';
import type { Refusal } from '../refusal.ts';
import type { StatementHistory } from './history.ts';

export interface RecordPorts {
  readonly activity: Pick<ActivityLog, 'record' | 'attempt' | 'outcome' | 'problem'>;
  readonly history: Pick<StatementHistory, 'record'>;
}

/** On whose behalf a statement runs, and through which tool. */
export interface Asker {
  readonly tool: string;
  /** Principal.id. */
  readonly principal: string;
  /** Whose the rows are that it changes: the token's id, or one for all that the bridge is given, a new one each hour. */
  readonly account: string;
  readonly tokenName: string;
  readonly requestId: string;
  /** Null where it is the owner. */
  readonly access: UsedAccess | null;
  /** Milliseconds since the call came. */
  readonly took: () => number;
  /** Told what the statement's row says, so that the call needs no row beside it that says the same. */
  readonly recorded: (result: ActivityResult) => void;
}

export interface RecordedStatement {
  readonly asker: Asker;
  readonly client: string;
  readonly connection: Connection;
  readonly sql: string;
  /** Null where it could not be told: the history then keeps nothing. */
  readonly class: StatementClass | null;
}

/** What came of it. */
export type StatementEnd =
  | { readonly kind: 'done'; readonly rows: number | null; readonly durationMilliseconds: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly durationMilliseconds: number | null };

/** For what reads, or was refused, or is always rolled back: written off the request's path. */
export function recordStatement(ports: RecordPorts, statement: RecordedStatement, end: StatementEnd): void {
  const result = resultOf(end, statement.asker);
  ports.activity.record(Object.assign(intentOf(statement), result));
  told(ports, statement, result, end);
}

/** @returns what a client reads while the log can't be written. What is wrong with it may name files, which are the person's matter. */
export function unrecordedWarning({ problem }: Pick<ActivityLog, 'problem'>): string | null {
  return problem() === null
    ? null
    : "The activity log can't be written, so nothing that writes will run now. Tell the user.";
}

type Attempted =
  | { readonly kind: 'attempted'; readonly attempt: Attempt }
  /** It must not run. */
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Before what may write is sent. */
export async function attemptStatement(ports: RecordPorts, statement: RecordedStatement): Promise<Attempted> {
  try {
    return { kind: 'attempted', attempt: await ports.activity.attempt(intentOf(statement)) };
  } catch (error) {
    if (!(error instanceof ActivityUnavailable)) throw error;
    const refusal = { kind: 'unrecordable', problem: error.message } as const;
    recordStatement(ports, statement, { kind: 'refused', refusal, durationMilliseconds: null });
    return { kind: 'refused', refusal };
  }
}

/** Before its answer. */
export async function settleStatement(
  ports: RecordPorts,
  statement: RecordedStatement,
  attempt: Attempt,
  end: StatementEnd,
): Promise<void> {
  const result = resultOf(end, statement.asker);
  told(ports, statement, result, end);
  await ports.activity.outcome(attempt, result);
}

function intentOf({ asker, client, connection, sql }: RecordedStatement): ActivityIntent {
  return {
    category: 'query',
    action: asker.tool,
    principal: asker.principal,
    tokenName: asker.tokenName,
    client,
    connection: { id: connection.id, name: connection.name },
    statementHash: createHash('sha256').update(sql).digest('hex'),
    requestId: asker.requestId,
  };
}

/** Where nothing ran, the duration is the call's. */
function resultOf(end: StatementEnd, asker: Asker): ActivityResult {
  const durationMilliseconds = end.durationMilliseconds ?? asker.took();
  return end.kind === 'done'
    ? { outcome: 'success', rows: end.rows, durationMilliseconds }
    : { outcome: outcomeOf(end.refusal), reason: reasonOf(end.refusal), durationMilliseconds };
}

function told(
  { history }: RecordPorts,
  statement: RecordedStatement,
  result: ActivityResult,
  { durationMilliseconds }: StatementEnd,
): void {
  statement.asker.recorded(result);
  if (statement.class === null) return;
  const { asker, client, connection, sql } = statement;
  history.record({
    connection: { id: connection.id, name: connection.name },
    principal: asker.principal,
    tokenName: asker.tokenName,
    client,
    statement: sql,
    class: statement.class,
    // Among statements that stayed, a preview must not look like one that did.
    outcome: asker.tool === 'preview_write' && result.outcome === 'success' ? 'rolled_back' : result.outcome,
    rows: result.rows ?? null,
    durationMilliseconds,
  });
}
