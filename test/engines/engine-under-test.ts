/**
 * What each engine provides for the suite that loops over all three (`engines.test.ts`). A missing
 * case is a type error.
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
  /** Starts a private server or makes a file, with a new, empty database. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A new `Database` on it; the suite closes what it opened. */
  open(): Database;
  /** Runs set-up statements with the engine's own client or driver, not the adapter under test. */
  execute(sql: string): Promise<void>;
  readonly cases: {
    /** One entry for each kind of value that the engine has. */
    readonly values: Readonly<Record<string, StatementCase>>;
    readonly duplicateColumnNames: StatementCase;
    readonly emptyColumnName: StatementCase;
    readonly emptyResult: StatementCase;
    readonly boundParameters: StatementCase;
    /** A read that runs at least 30 s unless stopped. */
    readonly slowRead: string;
    /** A read of at least a million rows that answers at once. */
    readonly manyRows: string;
    /** A read whose single cell is at least 100 MB. */
    readonly hugeCell: string;
    readonly syntaxError: string;
    /**
     * Statements that the engine must refuse in a `read` session; each would otherwise change
     * something.
     */
    readonly writes: readonly string[];
    /** Needs an `alone` session. */
    readonly alone: string;
    readonly explain: string;
  };
  /** Our statements that still run in the server now, as pieces of their text. */
  runningStatements(): Promise<readonly string[]>;
}
