/**
 * Runs one statement of a client (spec §7, §8): what is it, may this tool run it here, run it within its limits, make the
 * result set. The one way from a tool to a database for SQL that a client wrote.
 */

import type { Reached } from '../access/reach.ts';
import type { ClassifiedRun, Facts } from '../engines/classified.ts';
import type { Classifier } from '../engines/classifier.ts';
import type { RunGuard } from '../engines/count/counting.ts';
import type { CallContext, Parameter, Session, StatementDone } from '../engines/engine.ts';
import { maxWireBytes } from '../engines/engine.ts';
import { classifyOn } from '../engines/follow.ts';
import { withNearestNames } from '../engines/nearest-names.ts';
import type { Classification, StatementClass } from '../guard/types.ts';
import { type Refusal, toolError } from '../refusal.ts';
import type { ChangedRows } from './changed-rows.ts';
import { type Decision, decide, type Granted, type StatementTool } from './decide.ts';
import { outdated, refusalOf, refusalOfWrite, type TimeGiven } from './failure-refusals.ts';
import type { QueryLimits } from './limits.ts';
import type { OpenDatabases } from './open-databases.ts';
import {
  type Asker,
  attemptStatement,
  type RecordedStatement,
  type RecordPorts,
  recordStatement,
  type StatementEnd,
  settleStatement,
  unrecordedWarning,
} from './record.ts';
import { type CollectedRows, collectRows, type Room, type Truncation } from './result-set.ts';
import { sessionWarnings } from './session-state.ts';
import { temporaryWarning } from './temporary-objects.ts';
import { timeZoneWarning } from './time-zone-names.ts';
import { valueInFromWarning } from './values-in-from.ts';
import { orWithdrawn } from './withdrawn.ts';
import { confirmed, type WriteCheck, writeCheck } from './write-check.ts';

export interface RunPorts extends RecordPorts {
  readonly databases: OpenDatabases;
  readonly classifier: Classifier;
  readonly limits: () => QueryLimits;
  readonly changedRows: ChangedRows;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

export interface RunRequest {
  readonly reached: Reached;
  readonly asker: Asker;
  readonly client: string;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  /** Null: the connection's own, else the default. */
  readonly maxRows: number | null;
  readonly timeoutSeconds: number | null;
  readonly schema: string | null;
  readonly database: string | null;
  readonly signal: AbortSignal;
  /** For rows beyond what one answer may hold, which are held for later ones; without it they are left unread. */
  readonly room?: Room;
}

/** Of a request that says nothing but its statement. */
export const asTheConnectionHasIt = {
  parameters: [],
  maxRows: null,
  timeoutSeconds: null,
  schema: null,
  database: null,
} as const satisfies Partial<RunRequest>;

/** What was read. How much of it goes into one answer is for whoever asked. */
export interface ResultSet extends Omit<CollectedRows, 'truncatedBy'> {
  readonly rowsAffected: number | null;
  readonly insertId?: number | string | undefined;
  readonly milliseconds: number;
  /** Why rows are missing; null when all are here. */
  readonly truncatedBy: Truncation | null;
  readonly warnings: readonly string[];
}

export type RunResult = { readonly kind: 'done'; readonly resultSet: ResultSet } | RefusedRun;

/** With what the statement was classified to be, as far as that came. */
export interface RefusedRun {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  readonly classification?: Classification;
}

/** @param tool which tool asks: what is allowed to one is not to another. */
export async function runStatement(ports: RunPorts, tool: StatementTool, request: RunRequest): Promise<RunResult> {
  const classified = await classifyAndDecide(ports, tool, request, 'remembered');
  if (classified.kind === 'refused') return classified;
  const result = await runClassified(ports, request, classified, 'counted');
  if (result.kind === 'done') return result;
  if (result.refusal !== outdated) return { ...result, classification: classified.classification };
  const again = await classifyAndDecide(ports, tool, request);
  if (again.kind === 'refused') return again;
  const last = await runClassified(ports, request, again, 'counted');
  return last.kind === 'done' ? last : { ...last, classification: again.classification };
}

export type Allowed = ClassifiedRun & {
  readonly kind: 'allowed';
  readonly session: Session;
};
type Judged = RefusedRun | Allowed;

/** Classifies and decides; runs nothing of the client's. A refusal is recorded. */
export async function classifyAndDecide(
  ports: RunPorts,
  tool: StatementTool | Granted,
  request: RunRequest,
  facts: Facts = 'fresh',
): Promise<Judged> {
  const { connection, access } = request.reached;
  const database = ports.databases.of(connection);
  const context = contextOf(request, ports.limits());
  const classified = await classifyOn(ports.classifier, database, context, connection.database, request.sql, facts);
  if (classified.kind === 'failed') {
    const refusal = refusalOf(classified.failure, connection.name, timeOf(request, ports.limits()));
    return refusedUnrun(ports, request, null, refusal);
  }
  const { classification, run = {} } = classified;
  const decision: Decision = decide(tool, classification, access);
  if (decision.kind === 'refused')
    return { ...refusedUnrun(ports, request, classification.class, decision.refusal), classification };
  if (tool !== 'granted' && classification.class !== 'read') request.asker.access?.writes();
  // Nothing that a user wrote runs in such a plan: then it would be a write.
  const isPlan = database.engine === 'mysql' && classification.plansDml && classification.class === 'read';
  const session = isPlan ? 'rollback' : decision.session;
  return { kind: 'allowed', classification, session, run };
}

/** Records a statement that is not run. */
export function refusedUnrun(
  ports: RecordPorts,
  request: RunRequest,
  statementClass: StatementClass | null,
  refusal: Refusal,
): RefusedRun {
  const end = { kind: 'refused', refusal, durationMilliseconds: null } as const;
  recordStatement(ports, recordedStatement(request, statementClass), end);
  return { kind: 'refused', refusal };
}

/**
 * Runs what was classified before, in the session that was decided. What may write doesn't run unless its attempt is recorded.
 * @param rows `counted`: a write is committed only where the rows that it changed allow it; a guard after the user's yes.
 */
export async function runClassified(
  ports: RunPorts,
  request: RunRequest,
  { classification, session, run }: Pick<Allowed, 'classification' | 'session' | 'run'>,
  rows: 'counted' | RunGuard,
): Promise<RunResult> {
  const statement = recordedStatement(request, classification.class);
  if (session !== 'write' && session !== 'alone') {
    const { result, end } = await runInSession(ports, request, session, classification.tables, run);
    if (result.kind === 'refused' && result.refusal === outdated) return result;
    recordStatement(ports, statement, end);
    if (result.kind === 'refused') return result;
    return withWarnings(result, await warningsBeside(ports, request));
  }
  const attempted = await attemptStatement(ports, statement);
  if (attempted.kind === 'refused') return attempted;
  const { attempt } = attempted;
  try {
    const check =
      rows === 'counted' ? (session === 'write' ? writeCheck(ports, request, classification) : null) : confirmed(rows);
    const { result, end } = await runInSession(ports, request, session, classification.tables, run, check);
    await settleStatement(ports, statement, attempt, end);
    return withWarnings(result, [temporaryWarning(request.sql), ...(await warningsBeside(ports, request))]);
  } catch (error) {
    await settleStatement(ports, statement, attempt, { kind: 'refused', refusal: broken, durationMilliseconds: null });
    throw error;
  }
}

/** What the text of a statement that ran asks for and may not have got. */
async function warningsBeside(ports: RunPorts, request: RunRequest): Promise<readonly (string | null)[]> {
  const database = ports.databases.of(request.reached.connection);
  const context = contextOf(request, ports.limits());
  const misread = await valueInFromWarning(database, context, request.sql);
  const zones = await timeZoneWarning(database, context, request.sql);
  return [...sessionWarnings(database.engine, request.sql), misread, zones, unrecordedWarning(ports.activity)];
}

const broken = toolError('outcome_unknown', 'Something went wrong inside Sallyport while the statement ran.');

async function runInSession(
  ports: RunPorts,
  request: RunRequest,
  session: Session,
  tables: Classification['tables'],
  run: ClassifiedRun['run'] = {},
  check: WriteCheck | null = null,
): Promise<{ readonly result: RunResult; readonly end: StatementEnd }> {
  const limits = ports.limits();
  const { connection } = request.reached;
  const mostRows = Math.min(connection.rowLimit ?? limits.maxRows, limits.maxRows);
  const maxRows = Math.min(request.maxRows ?? connection.rowLimit ?? limits.defaultRows, mostRows);
  const collector = collectRows(maxRows, limits.maxAnswerBytes, request.room);
  const start = ports.elapsed();
  const database = ports.databases.of(connection);
  const context = contextOf(request, limits);
  const { access } = request.asker;
  const mayCommit = check?.mayCommit;
  const outcome = await database.run(
    {
      principal: context.principal,
      client: context.client,
      database: context.database,
      schema: context.schema,
      timeoutSeconds: context.timeoutSeconds,
      signal: context.signal,
      sql: request.sql,
      parameters: request.parameters,
      session,
      leavesNothing: run.leavesNothing,
      asReader: run.asReader,
      provided: run.provided,
      written: run.written,
      mayRun: check?.mayRun,
      mayCommit: mayCommit && (async (changes, ask) => (await mayCommit(changes, ask)) && access?.withdrawn() == null),
      limits: { cellBytes: limits.maxCellBytes, wireBytes: maxWireBytes },
    },
    collector,
  );
  const durationMilliseconds = ports.elapsed() - start;
  check?.ended(outcome);
  if (outcome.kind !== 'done') {
    const failure =
      outcome.kind === 'query_failed'
        ? await withNearestNames(database, context, { sql: request.sql, tables }, outcome)
        : outcome;
    const worded = session === 'read' ? refusalOf : refusalOfWrite;
    const told = check?.refusalOf(failure) ?? worded(failure, connection.name, timeOf(request, limits));
    const refusal = orWithdrawn(access, told, session === 'write' || session === 'alone');
    const refused = { kind: 'refused', refusal } as const;
    return { result: refused, end: { ...refused, durationMilliseconds } };
  }
  const owners = mostRows === limits.maxRows ? 'most rows' : 'most rows of the connection';
  const cutBy = maxRows === mostRows ? owners : 'rows';
  const resultSet = resultSetOf(collector.collected(), outcome, durationMilliseconds, cutBy);
  const rows = resultSet.rowsAffected ?? resultSet.rows.length;
  return { result: { kind: 'done', resultSet }, end: { kind: 'done', rows, durationMilliseconds } };
}

function withWarnings(result: RunResult, more: readonly (string | null)[]): RunResult {
  const said = more.filter(sentence => sentence !== null);
  if (said.length === 0 || result.kind === 'refused') return result;
  const { resultSet } = result;
  return { kind: 'done', resultSet: { ...resultSet, warnings: [...resultSet.warnings, ...said] } };
}

export function recordedStatement(
  { asker, client, reached, sql }: Pick<RunRequest, 'asker' | 'client' | 'reached' | 'sql'>,
  statementClass: StatementClass | null,
): RecordedStatement {
  return { asker, client, connection: reached.connection, sql, class: statementClass };
}

export function contextOf(request: RunRequest, limits: QueryLimits): CallContext {
  const { client, database, schema, signal } = request;
  const { principal } = request.asker;
  return { principal, client, database, schema, timeoutSeconds: timeoutOf(request, limits), signal };
}

function timeoutOf({ reached, timeoutSeconds }: TimeAsked, limits: QueryLimits): number {
  const wanted = timeoutSeconds ?? reached.connection.statementTimeoutSeconds ?? limits.defaultSeconds;
  return Math.min(wanted, mostSeconds({ reached }, limits));
}

type TimeAsked = Pick<RunRequest, 'reached' | 'timeoutSeconds'>;

/** Of any call on a connection. */
export function mostSeconds({ reached }: Pick<RunRequest, 'reached'>, limits: QueryLimits): number {
  return Math.min(reached.connection.statementTimeoutSeconds ?? limits.maxSeconds, limits.maxSeconds);
}

function timeOf(request: RunRequest, limits: QueryLimits): TimeGiven {
  if (request.asker.tool !== ('execute_query' satisfies StatementTool)) return 'has no say';
  return timeoutOf(request, limits) < mostSeconds(request, limits) ? 'asks' : 'has the most';
}

function resultSetOf(
  collected: CollectedRows,
  outcome: StatementDone,
  milliseconds: number,
  cutBy: 'rows' | 'most rows' | 'most rows of the connection',
): ResultSet {
  const { columns, rows, cutCells, bytes } = collected;
  const truncatedBy = collected.truncatedBy === 'rows' ? cutBy : collected.truncatedBy;
  return {
    columns,
    rows,
    cutCells,
    bytes,
    rowsAffected: outcome.rowsAffected,
    insertId: outcome.insertId,
    milliseconds,
    truncatedBy: outcome.cutByWire && truncatedBy === null ? 'wire' : truncatedBy,
    warnings: outcome.warnings,
  };
}
