/**
 * A statement on its way from a tool to a database (spec §7, §8): whose it is, where it runs, and
 * its limits. The tool makes it once; classifying, deciding, running and recording take it whole.
 */

import type { UsedAccess } from '../access/access-in-use.ts';
import type { Reached } from '../access/reach.ts';
import type { ActivityResult } from '../activity.ts';
import type { CallContext, Database, Parameter } from '../engines/engine.ts';
import type { StatementTool } from './decide.ts';
import type { TimeGiven } from './failure-refusals.ts';
import type { OpenDatabases } from './open-databases.ts';
import type { QueryLimits } from './query-limits.ts';
import type { Room, Truncation } from './result-set.ts';

/** On whose behalf a statement runs, and through which tool. */
export interface Asker {
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
  /** Milliseconds since the call came. */
  readonly took: () => number;
  /** Gets the result in the statement's row, so the call needs no second row with the same. */
  readonly recorded: (result: ActivityResult) => void;
}

/** What was asked for. What is left out or null comes from the connection, else from a default. */
export interface Asked {
  readonly reached: Reached;
  readonly asker: Asker;
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

export interface Call extends Pick<Asked, 'reached' | 'asker' | 'sql' | 'room'> {
  readonly parameters: readonly Parameter[];
  readonly database: Database;
  readonly context: CallContext;
  readonly limits: QueryLimits;
  readonly maxRows: number;
  /** The reason given if there are more rows. */
  readonly rowsEndBy: Truncation;
  /** The longest time for a call on the connection. */
  readonly mostSeconds: number;
  readonly time: TimeGiven;
}

export interface CallPorts {
  readonly databases: OpenDatabases;
  readonly limits: () => QueryLimits;
}

export function callOf(ports: CallPorts, asked: Asked): Call {
  const { reached, asker, client, sql, signal, parameters = [], room } = asked;
  const { connection } = reached;
  const limits = ports.limits();
  const mostRows = Math.min(connection.rowLimit ?? limits.maxRows, limits.maxRows);
  const maxRows = Math.min(asked.maxRows ?? connection.rowLimit ?? limits.defaultRows, mostRows);
  const byOwner = mostRows === limits.maxRows ? 'most rows' : 'most rows of the connection';
  const ownSeconds = connection.statementTimeoutSeconds;
  const mostSeconds = Math.min(ownSeconds ?? limits.maxSeconds, limits.maxSeconds);
  const timeoutSeconds = Math.min(asked.timeoutSeconds ?? ownSeconds ?? limits.defaultSeconds, mostSeconds);
  const isRaisable = asker.tool === ('execute_query' satisfies StatementTool);
  return {
    reached,
    asker,
    sql,
    parameters,
    room,
    database: ports.databases.of(connection),
    context: {
      principal: asker.principal,
      client,
      database: asked.database ?? null,
      schema: asked.schema ?? null,
      timeoutSeconds,
      signal,
    },
    limits,
    maxRows,
    rowsEndBy: maxRows === mostRows ? byOwner : 'rows',
    mostSeconds,
    time: !isRaisable ? 'fixed' : timeoutSeconds < mostSeconds ? 'can-raise' : 'at-maximum',
  };
}
