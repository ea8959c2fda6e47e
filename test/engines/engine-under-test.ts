/**
 * What one engine gives the suite that loops over all three (`engines.test.ts`); a missing case is
 * a type error.
 */

import type { Column, Database } from '../../daemon/engines/engine.ts';
import type { Engine } from '../../shared/engine.ts';

export interface StatementCase {
  readonly sql: string;
  readonly parameters?: readonly (string | number | boolean | null)[];
  readonly columns?: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface EngineUnderTest {
  readonly engine: Engine;
  /** Starts a private server or makes a file; a fresh, empty database. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A new `Database` on it; the suite closes what it opened. */
  open(): Database;
  /**
   * Runs set-up statements beside the adapter under test, with the engine's own client or driver.
   */
  execute(sql: string): Promise<void>;
  readonly cases: {
    /** One entry per kind of value that the engine has. */
    readonly values: Readonly<Record<string, StatementCase>>;
    readonly duplicateColumnNames: StatementCase;
    readonly emptyColumnName: StatementCase;
    readonly emptyResult: StatementCase;
    readonly boundParameters: StatementCase;
    /** A read that runs for at least 30 s unless stopped. */
    readonly slowRead: string;
    /** A read of at least a million rows that starts to answer at once. */
    readonly manyRows: string;
    /** A read whose single cell is at least 100 MB. */
    readonly hugeCell: string;
    readonly syntaxError: string;
    /**
     * Statements the engine must refuse in a `read` session; each would change something otherwise.
     */
    readonly writes: readonly string[];
    /** Needs an `alone` session. */
    readonly alone: string;
    readonly explain: string;
  };
  /** Statements of ours still running in the server right now, by text fragment. */
  runningStatements(): Promise<readonly string[]>;
}
