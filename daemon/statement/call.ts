/**
 * A statement on its way from a tool to a database (spec §7, §8): whose it is, where it runs, and
 * its limits. The tool makes it once; classifying, deciding, running and recording take it whole.
 */

import type { UsedAccess } from '../access/access-in-use.ts';
import type { ResolvedConnection } from '../access/resolve-connection.ts';
import type { ActivityResult } from '../activity.ts';
import type { CallClock } from '../engines/call-clock.ts';
import type { CallContext, Database, Parameter } from '../engines/engine.ts';
import type { StatementTool } from './decide.ts';
import type { OpenDatabases } from './open-databases.ts';
import type { QueryLimits } from './query-limits.ts';
import type { Room, Truncation } from './result-set.ts';
import type { TimeoutRaise } from './waiting-words.ts';

/** On whose behalf a statement runs, and through which tool. */
export interface StatementOrigin {
  readonly tool: string;
  /** Principal.id. */
  readonly principal: string;
  /**
   * Whose changed rows they are: the token's id, or one account for all tokens of the bridge, which
   * change every hour.
   */
  readonly account: string;
  readonly tokenName: string;
  readonly requestId: string;
  /** Null for the owner. */
  readonly access: UsedAccess | null;
  readonly clock: CallClock;
  /** Gets the result in the statement's row, so the call needs no second row with the same. */
  readonly recorded: (result: ActivityResult) => void;
}

/** What was asked for. What is left out or null comes from the connection, else from a default. */
export interface StatementInput {
  readonly resolved: ResolvedConnection;
  readonly origin: StatementOrigin;
  readonly client: string;
  readonly sql: string;
  readonly signal: AbortSignal;
  readonly parameters?: readonly Parameter[];
  readonly maxRows?: number | null | undefined;
  readonly timeoutSeconds?: number | null | undefined;
  readonly schema?: string | null | undefined;
  readonly database?: string | null | undefined;
  /** For rows beyond one answer, which are held for later ones; without it they are left unread. */
  readonly room?: Room | undefined;
}

export interface Call extends Pick<StatementInput, 'resolved' | 'origin' | 'sql' | 'room'> {
  readonly parameters: readonly Parameter[];
  readonly database: Database;
  readonly context: CallContext;
  readonly limits: QueryLimits;
  readonly maxRows: number;
  /** The reason given if there are more rows. */
  readonly rowsEndBy: Truncation;
  /** The longest time for a call on the connection. */
  readonly mostSeconds: number;
  readonly timeoutRaise: TimeoutRaise;
}

export interface CallPorts {
  readonly databases: OpenDatabases;
  readonly limits: () => QueryLimits;
}

export function callOf(ports: CallPorts, asked: StatementInput): Call {
  const { resolved, origin, client, sql, signal, parameters = [], room } = asked;
  const { connection } = resolved;
  const limits = ports.limits();
  const mostRows = Math.min(connection.rowLimit ?? limits.maxRows, limits.maxRows);
  const maxRows = Math.min(asked.maxRows ?? connection.rowLimit ?? limits.defaultRows, mostRows);
  const byOwner = mostRows === limits.maxRows ? 'most rows' : 'most rows of the connection';
  const ownSeconds = connection.statementTimeoutSeconds;
  const mostSeconds = Math.min(ownSeconds ?? limits.maxSeconds, limits.maxSeconds);
  const timeoutSeconds = Math.min(asked.timeoutSeconds ?? ownSeconds ?? limits.defaultSeconds, mostSeconds);
  origin.clock.allow(timeoutSeconds);
  const isRaisable = origin.tool === ('execute_query' satisfies StatementTool);
  return {
    resolved,
    origin,
    sql,
    parameters,
    room,
    database: ports.databases.of(connection),
    context: {
      principal: origin.principal,
      client,
      database: asked.database ?? null,
      schema: asked.schema ?? null,
      timeoutSeconds,
      clock: origin.clock,
      signal,
    },
    limits,
    maxRows,
    rowsEndBy: maxRows === mostRows ? byOwner : 'rows',
    mostSeconds,
    timeoutRaise: !isRaisable ? 'fixed' : timeoutSeconds < mostSeconds ? 'can-raise' : 'at-maximum',
  };
}
