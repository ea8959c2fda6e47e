/**
 * What is behind the walls on one engine: a database that can be looked at as a whole and made
 * anew.
 */

import type { Connection } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import type { Engine } from '../../shared/engine.ts';
import { collect } from '../engines/collecting-sink.ts';

/**
 * Each part is a text that changes when that part does: rows, catalog, files, locks, sessions, …
 */
export type State = Readonly<Record<string, string>>;

export interface World {
  readonly engine: Engine;
  /** The accounts to connect as; the first has the most rights. */
  readonly accounts: readonly string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  connection(account: string): Connection;
  /** Opened anew after each `reset`. */
  database(account: string): Database;
  /** Everything as the fixture made it. */
  reset(): Promise<void>;
  /**
   * The server as seen from outside, and the account's pooled session as seen through the adapter.
   */
  state(account: string): Promise<State>;
  /** The statement with real paths and ports instead of its placeholders. */
  place(sql: string): string;
}

export function changedParts(before: State, after: State): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(part => before[part] !== after[part])
    .sort();
}

/** The full result of one question of ours, through the adapter's read session. */
export async function seenThrough(database: Database, sql: string): Promise<string> {
  const { outcome, rows } = await collect(database, sql);
  return outcome.kind === 'done' ? JSON.stringify(rows) : JSON.stringify(outcome);
}
