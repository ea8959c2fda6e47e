/**
 * What stands behind the walls on one engine: a database that can be looked at as a whole and made
 * afresh.
 */

import type { Connection } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import type { Engine } from '../../shared/engine.ts';
import { collect } from '../engines/collecting-sink.ts';

/** Each part a text that changes when that part does: rows, catalog, files, locks, sessions, … */
export type State = Readonly<Record<string, string>>;

export interface World {
  readonly engine: Engine;
  /** Who may be connected as; the first one may do most. */
  readonly accounts: readonly string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  connection(account: string): Connection;
  /** Opened anew after each `reset`. */
  database(account: string): Database;
  /** Everything as the fixture made it. */
  reset(): Promise<void>;
  /**
   * The server as seen from beside, and the pooled session of this account as seen through the
   * adapter.
   */
  state(account: string): Promise<State>;
  /** The statement with its stand-in paths and ports replaced by the real ones. */
  place(sql: string): string;
}

export function changedParts(before: State, after: State): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(part => before[part] !== after[part])
    .sort();
}

/** Everything one question of ours gives, through the adapter's read session. */
export async function seenThrough(database: Database, sql: string): Promise<string> {
  const { outcome, rows } = await collect(database, sql);
  return outcome.kind === 'done' ? JSON.stringify(rows) : JSON.stringify(outcome);
}
