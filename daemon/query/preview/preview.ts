/**
 * Previews one data change of a client (spec §9, `preview_write`): judged like any statement, planned, run in a session that
 * is always rolled back. What can't be taken back for sure isn't run at all.
 */

import type { Engine } from '../../access/connection.ts';
import { type Refusal, toolError } from '../../refusal.ts';
import type { Classification } from '../classification/classification.ts';
import type { CallContext, Database, DatabaseFailure } from '../database.ts';
import { recordStatement } from '../record.ts';
import {
  type Allowed,
  judgeStatement,
  type RunPorts,
  type RunRequest,
  recordedStatement,
  refusalOf,
  timeoutOf,
} from '../run.ts';
import { planMysql } from './mysql.ts';
import type { Planned } from './plan.ts';
import { planPostgres } from './postgres.ts';
import { type CommitFails, type Rehearsed, rehearsePlan } from './rehearse.ts';
import type { Rows } from './rows.ts';
import { planSqlite } from './sqlite.ts';

type PreviewRequest = Pick<RunRequest, 'reached' | 'asker' | 'client' | 'sql' | 'signal'>;

export interface Preview {
  readonly class: Classification['class'];
  readonly rows_affected: number | null;
  /** At most 5 of the changed rows, as they were and as they would be; a side that would be empty by nature is left out. */
  readonly before?: Rows;
  readonly after?: Rows;
  /** What the client's own RETURNING gave, at most 5 rows. */
  readonly returned?: Rows;
  readonly warnings?: readonly string[];
  readonly rolled_back: true;
  readonly execution_time_ms: number;
}

type PreviewResult =
  | { readonly kind: 'done'; readonly preview: Preview }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function previewWrite(ports: RunPorts, request: PreviewRequest): Promise<PreviewResult> {
  const whole: RunRequest = {
    ...request,
    parameters: [],
    maxRows: null,
    timeoutSeconds: null,
    schema: null,
    database: null,
  };
  const judged = await judgeStatement(ports, 'preview_write', whole);
  if (judged.kind === 'refused') return judged;
  // It is rolled back whatever happens, so there is nothing to attempt.
  const result = await previewJudged(ports, whole, judged);
  const statement = recordedStatement(whole, judged.classification.class);
  if (result.kind === 'refused') {
    recordStatement(ports, statement, { ...result, durationMilliseconds: null });
    return result;
  }
  const { rows_affected: rows, execution_time_ms: durationMilliseconds, warnings = [] } = result.preview;
  recordStatement(ports, statement, { kind: 'done', rows, durationMilliseconds });
  const problem = ports.activity.problem();
  return problem === null ? result : { kind: 'done', preview: { ...result.preview, warnings: [...warnings, problem] } };
}

async function previewJudged(ports: RunPorts, request: RunRequest, judged: Allowed): Promise<PreviewResult> {
  const { connection } = request.reached;
  const limits = ports.limits();
  const database = ports.databases.of(connection);
  const { client, signal } = request;
  const { principal } = request.asker;
  const context = {
    principal,
    client,
    signal,
    database: null,
    schema: null,
    timeoutSeconds: timeoutOf(request, limits),
  };

  const planned = await planFor(ports, database, context, judged.classification, connection.database, request.sql);
  if (planned.kind === 'refused') return refused(toolError('unsupported', planned.sentence));
  if (planned.kind === 'failed') return refused(refusalOf(planned.failure, connection.name));
  const start = ports.elapsed();
  const { plan } = planned;
  const answer = await database.rehearse(context, rehearsal => rehearsePlan(database.engine, rehearsal, plan, limits));
  const ended = answer.kind === 'done' ? answer.value : answer;
  if (ended.kind !== 'rehearsed') return refused(refusalOfPreview(ended, connection.name));
  return { kind: 'done', preview: previewOf(judged.classification, ended, ports.elapsed() - start) };
}

async function planFor(
  { judging }: RunPorts,
  database: Database,
  context: CallContext,
  classification: Classification,
  ownDatabase: string | null,
  sql: string,
): Promise<Planned> {
  switch (database.engine) {
    case 'postgres':
      return planPostgres(judging, database, context, classification, sql);
    case 'mysql':
      return planMysql(judging, database, context, classification, ownDatabase, sql);
    case 'sqlite':
      return planSqlite(judging, database, context, sql);
  }
}

function previewOf(classification: Classification, ended: Rehearsed, milliseconds: number): Preview {
  const { sample, returned, warnings } = ended;
  return {
    class: classification.class,
    rows_affected: ended.rowsAffected,
    ...(sample.before !== null && { before: sample.before }),
    ...(sample.after !== null && { after: sample.after }),
    ...(returned !== null && { returned }),
    ...(warnings.length > 0 && { warnings }),
    rolled_back: true,
    execution_time_ms: Math.round(milliseconds * 100) / 100,
  };
}

/** Codes of a lock that another session held for longer than a preview waits. */
const lockCodes: Readonly<Record<Engine, readonly string[]>> = {
  postgres: ['55P03'],
  mysql: ['1205'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_LOCKED'],
};
const allLockCodes = new Set(Object.values(lockCodes).flat());

function refusalOfPreview(ended: CommitFails | DatabaseFailure, connection: string): Refusal {
  if (ended.kind === 'commit_fails') {
    return toolError(
      'query_failed',
      `The statement itself ran, but its commit would fail: ${ended.message} All was rolled back.`,
    );
  }
  if (ended.kind === 'query_failed' && ended.code !== null && allLockCodes.has(ended.code)) {
    return toolError(
      'timeout',
      'Another session holds a lock that the statement needs and did not free it within 2 s; nothing was changed. Try again later.',
    );
  }
  if (ended.kind === 'query_failed' && ended.code === '40001') {
    return toolError(
      'query_failed',
      `${ended.message} Another session changed the same rows meanwhile; preview again.`,
    );
  }
  if (ended.kind === 'timeout') {
    const sentence = `The preview was stopped after ${ended.seconds} s and nothing was changed; narrow the statement.`;
    return toolError('timeout', sentence);
  }
  if (ended.kind === 'read_only') {
    return toolError('denied', `The database itself lets this connection only read: ${ended.message}`);
  }
  return refusalOf(ended, connection);
}

function refused(refusal: Refusal): PreviewResult {
  return { kind: 'refused', refusal };
}
