/** Runs one statement of a client within its limits and makes the result set (SPEC §7, §8). The classes come in part 3. */

import type { Reached } from '../access/reach.ts';
import { type Refusal, toolError } from '../refusal.ts';
import type { Column, DatabaseFailure, Parameter, StatementDone } from './database.ts';
import { maxStatementBytes, maxWireBytes, type QueryLimits } from './limits.ts';
import type { OpenDatabases } from './open-databases.ts';
import { type CollectedRows, type CutCellNote, collectRows, type PlainCell } from './result-set.ts';

export interface RunPorts {
  readonly databases: OpenDatabases;
  readonly limits: () => QueryLimits;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

export interface RunRequest {
  readonly reached: Reached;
  readonly client: string;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  /** Null: the connection's own, else the default. */
  readonly maxRows: number | null;
  readonly timeoutSeconds: number | null;
  readonly schema: string | null;
  readonly database: string | null;
  readonly signal: AbortSignal;
}

export interface ResultSet {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly PlainCell[])[];
  readonly row_count: number;
  readonly rows_affected: number | null;
  readonly execution_time_ms: number;
  readonly truncated: boolean;
  /** Why rows are missing, and what to do; absent when all are here. */
  readonly truncated_because?: string;
  readonly cut_cells?: readonly CutCellNote[];
  readonly warnings?: readonly string[];
}

export type RunResult =
  | { readonly kind: 'done'; readonly resultSet: ResultSet }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function runStatement(ports: RunPorts, request: RunRequest): Promise<RunResult> {
  const malformed = refuseMalformed(request.sql);
  if (malformed !== null) return { kind: 'refused', refusal: malformed };

  const limits = ports.limits();
  const { connection } = request.reached;
  const collector = collectRows(
    Math.min(request.maxRows ?? connection.rowLimit ?? limits.defaultRows, limits.maxRows),
    limits.maxAnswerBytes,
  );
  const start = ports.elapsed();
  const outcome = await ports.databases.of(connection).run(
    {
      sql: request.sql,
      parameters: request.parameters,
      session: 'read',
      limits: { cellBytes: limits.maxCellBytes, wireBytes: maxWireBytes },
      client: request.client,
      database: request.database,
      schema: request.schema,
      timeoutSeconds: timeoutOf(request, limits),
      signal: request.signal,
    },
    collector,
  );
  if (outcome.kind !== 'done') return { kind: 'refused', refusal: refusalOf(outcome, connection.name) };
  return { kind: 'done', resultSet: resultSetOf(collector.collected(), outcome, ports.elapsed() - start) };
}

export function timeoutOf(request: Pick<RunRequest, 'reached' | 'timeoutSeconds'>, limits: QueryLimits): number {
  const wanted = request.timeoutSeconds ?? request.reached.connection.statementTimeoutSeconds ?? limits.defaultSeconds;
  return Math.min(wanted, limits.maxSeconds);
}

function refuseMalformed(sql: string): Refusal | null {
  // Parsers and servers disagree about what follows a NUL (FINDINGS: libpg-query stops there, so a DROP hides behind it).
  if (sql.includes('\0')) return toolError('unsupported', 'The statement has a NUL character; send it without.');
  if (Buffer.byteLength(sql) > maxStatementBytes) {
    return toolError('unsupported', `The statement is longer than ${maxStatementBytes} bytes; send a shorter one.`);
  }
  return null;
}

export function refusalOf(failure: DatabaseFailure, connection: string): Refusal {
  switch (failure.kind) {
    case 'read_only':
      return toolError(
        'denied',
        `The statement would write, and this Sallyport runs reads only: writing comes with statement classification. The database said: ${failure.message}`,
      );
    case 'query_failed': {
      const code = failure.code === null ? '' : ` (${failure.code})`;
      return toolError('query_failed', `${failure.message}${code}`);
    }
    case 'timeout':
      return toolError(
        'timeout',
        `The statement was stopped after ${failure.seconds} s; ask for less, or for more time with timeout_seconds.`,
      );
    case 'not_connected':
      return toolError('not_connected', `"${connection}" can't be reached: ${failure.message}`);
    case 'unsupported':
      return toolError('unsupported', failure.message);
    case 'cancelled':
      return { kind: 'cancelled' };
  }
}

function resultSetOf(collected: CollectedRows, outcome: StatementDone, milliseconds: number): ResultSet {
  const because = outcome.cutByWire && collected.truncatedBy === null ? 'wire' : collected.truncatedBy;
  return {
    columns: collected.columns,
    rows: collected.rows,
    row_count: collected.rows.length,
    rows_affected: outcome.rowsAffected,
    execution_time_ms: Math.round(milliseconds * 100) / 100,
    truncated: because !== null,
    ...(because !== null && { truncated_because: truncationSentences[because] }),
    ...(collected.cutCells.length > 0 && { cut_cells: collected.cutCells }),
    ...(outcome.warnings.length > 0 && { warnings: outcome.warnings }),
  };
}

const truncationSentences = {
  rows: 'More rows exist than max_rows; raise it, or narrow the query.',
  bytes: 'The answer reached its size limit; select fewer columns or rows.',
  wire: 'The result is too large to read whole; select fewer columns, shorter values or fewer rows.',
} as const;
