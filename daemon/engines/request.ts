/**
 * What a statement is asked with, and how it ends: the words that a database and whoever asks it
 * have in common. Only types and a bound.
 */

import type { Written } from '../guard/types.ts';
import type { Cell, RowText } from './row-text.ts';

export interface Column {
  readonly name: string;
  /**
   * As the engine names it: `numeric(20,5)`, `bigint unsigned`; '' where the engine gives none (an
   * SQLite expression).
   */
  readonly type: string;
}

/** A bound value. Integers beyond 2^53 come as strings; the engine's own typing decides. */
export type Parameter = string | number | boolean | null;

export interface RowSink {
  /**
   * Once, before any row; also for an empty result. Not at all where a statement gives no result
   * set.
   */
  columns(columns: readonly Column[]): void;
  /**
   * @returns false when no further row is wanted: the adapter stops the statement and ends with
   * `done`.
   */
  row(row: RowText): boolean;
  /**
   * Asked after rows. Null where more may come at once; else no further row of a read is taken
   * until it resolves, which it always does.
   */
  full?(): Promise<void> | null;
}

/**
 * The session a statement runs in:
 * - `read`: cannot write, whatever the statement says (the engine's wall);
 * - `write`: its own transaction, committed at success, rolled back otherwise;
 * - `alone`: no transaction, on a connection that is thrown away afterwards (`VACUUM`,
 *   `CREATE DATABASE`, …);
 * - `rollback`: a transaction that may write and is always rolled back, with a 2 s lock timeout.
 */
export type Session = 'read' | 'write' | 'alone' | 'rollback';

/**
 * Bytes a statement may bring over the wire: room for 10,000 rows of ordinary width and for one
 * cell of several megabytes that is cut afterwards, and little enough that eight at once stay far
 * from exhausting memory.
 */
export const maxWireBytes = 16 * 1024 * 1024;

export interface StatementLimits {
  /** UTF-8 bytes kept of one cell; of a longer one the row tells that it was cut. */
  readonly cellBytes: number;
  /**
   * Bytes one statement may bring over the wire, one cell included, before the connection is cut:
   * what bounds the daemon's memory against a 100 MB cell (spec §7).
   */
  readonly wireBytes: number;
}

/** Where and for whom a look-up or statement runs. */
export interface CallContext {
  /**
   * Whose turn it takes where sessions are short: Principal.id; null for the owner, by a shell, and
   * for Sallyport itself.
   */
  readonly principal: string | null;
  /** Shown by the database: `Sallyport: <client>`. Control characters are removed by the caller. */
  readonly client: string;
  /** Null: the connection's own. */
  readonly database: string | null;
  readonly schema: string | null;
  /** Of the work itself, and before it of the wait for a free session. */
  readonly timeoutSeconds: number;
  /** Aborted when the client left or cancelled: the statement is stopped in the database. */
  readonly signal: AbortSignal;
}

/**
 * Asks a question of ours in the session and transaction of a statement.
 * @returns the rows; PostgreSQL's have one column, of text.
 */
export type AskWithin = (
  sql: string,
  parameters?: readonly Parameter[],
) => Promise<Answer<readonly (readonly Cell[])[]>>;

export interface StatementRequest extends CallContext {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly session: Session;
  readonly limits: StatementLimits;
  /**
   * True for a question of ours to the catalog: it comes again, so that an engine may keep it
   * prepared, and is not worth compiling.
   */
  readonly isOurs?: boolean;
  /**
   * True where a read is known to leave nothing in its session that the end of its transaction
   * doesn't take back.
   */
  readonly isStateless?: boolean | undefined;
  /** The result can't depend on the role, so it may run as pg_read_all_data. */
  readonly mayRunAsReader?: boolean | undefined;
  /** Of a read on a server: it runs only where all of these hold; `not_as_provided` otherwise. */
  readonly preconditions?: readonly Precondition[] | undefined;
  /**
   * Of a `write`, on MySQL and MariaDB also of what runs `alone`: asked once before it runs, in its
   * session. With a failure it doesn't run, and ends so.
   */
  readonly mayRun?: ((ask: AskWithin) => Promise<DatabaseFailure | null>) | undefined;
  /** Of a `write`: asked once before its COMMIT. False takes it back: `not_committed`. */
  readonly mayCommit?: ((changes: Changes, ask: AskWithin) => boolean | Promise<boolean>) | undefined;
  /** On SQLite: it doesn't run; its one row says what SQLite says of it. */
  readonly isJudged?: boolean | undefined;
  /**
   * Of what was classified a write by its text alone: where it is more to SQLite, nothing runs,
   * `not_as_provided`.
   */
  readonly isOnlyWrite?: boolean | undefined;
  /** Of such a write on MySQL or MariaDB: where it is counted. */
  readonly written?: Written | undefined;
}

/**
 * What a statement did to rows that were there, seen in its own transaction, with what it set off
 * by cascades and triggers.
 */
export interface Changes {
  /** Tables where rows were updated or deleted; inserted rows don't count. */
  readonly tables: readonly TableChange[];
  /**
   * Why some of it could not be counted, as a clause (`the trigger t_log runs SQL from a string`);
   * null where all was.
   */
  readonly uncounted: string | null;
}

export interface TableChange {
  /**
   * As people write it, `schema.name` where there are schemas. A partition's rows count under the
   * table that it is part of.
   */
  readonly table: string;
  readonly updated: number;
  readonly deleted: number;
  /** It held more than one row and holds none of them any more. */
  readonly isEmptied: boolean;
  /** It held more than one row, and each of them was updated or deleted. */
  readonly isChangedWhole: boolean;
}

/** A condition that the server itself makes sure of, in the statement's own transaction. */
export interface Precondition {
  /** A query of ours that gives one row of one boolean. */
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/**
 * Of a write, each but `outcome_unknown` says that nothing of it stays; where a database's own
 * error leaves something, `message` says so.
 */
export type DatabaseFailure =
  /**
   * The database said no; `message` is its own, without connection strings. `sqlState` or the
   * engine's code where given.
   */
  | { readonly kind: 'query_failed'; readonly message: string; readonly code: string | null }
  /** The engine's wall: refused because the session cannot write. */
  | { readonly kind: 'read_only'; readonly message: string }
  | { readonly kind: 'timeout'; readonly seconds: number }
  /**
   * Nothing ran: no session became free in that time. `own` of the `sessions` busy ones are with
   * the asking principal's calls.
   */
  | { readonly kind: 'no_free_session'; readonly seconds: number; readonly sessions: number; readonly own: number }
  /** Nothing of it stays: it was not sent, or the server takes back what it did. */
  | { readonly kind: 'not_connected'; readonly message: string }
  /**
   * A write that was sent and may have taken effect, whole or in part. `reason` is a clause: why
   * its end was not seen.
   */
  | {
      readonly kind: 'outcome_unknown';
      readonly reason: string;
      /** Its end was seen: `mayCommit` said no, and not all of it could be taken back. */
      readonly isKept?: true;
    }
  | { readonly kind: 'cancelled' }
  /**
   * Nothing of it stays: `mayCommit` said no. `remains`: sentences on what a rollback leaves behind
   * (values used up).
   */
  | { readonly kind: 'not_committed'; readonly remains: readonly string[] }
  /**
   * Nothing ran: of what the statement was provided with, something doesn't hold or couldn't be
   * made sure of.
   */
  | { readonly kind: 'not_as_provided' }
  /**
   * What this engine or connection can't do at all (a schema argument on SQLite, another database
   * under `own`), or what could not be classified.
   */
  | { readonly kind: 'unsupported'; readonly message: string };

export interface StatementDone {
  readonly kind: 'done';
  /** Rows inserted, updated or deleted; null for a statement that only reads. */
  readonly rowsAffected: number | null;
  /** MySQL, MariaDB: what AUTO_INCREMENT gave to the first new row; a string beyond 2^53. */
  readonly insertId?: number | string;
  /** True where `wireBytes` ended the result early; what arrived before was handed out. */
  readonly cutByWire: boolean;
  /**
   * For the reader: sentences (replaced invalid UTF-8), and what the database said beside the
   * result, marked as it marks it.
   */
  readonly warnings: readonly string[];
}

export type StatementOutcome = StatementDone | DatabaseFailure;

export interface RehearsalContext extends CallContext {
  /**
   * True for a trial that nobody asked for: it waits 200 ms for a lock, and ends (`cancelled`) soon
   * after another session waits for it.
   */
  readonly givesWay?: boolean;
}

/** One statement of a rehearsal. */
export interface RehearsalStep {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly limits: StatementLimits;
  /**
   * True for a statement that we wrote (a savepoint, a look at rows): the adapter classifies only
   * what a client wrote.
   */
  readonly ours: boolean;
  /** Of the client's statement on MySQL or MariaDB, to be asked for its `changes`. */
  readonly written?: Written;
}

/**
 * Statements one after the other in one `rollback` session: what one changed the next one sees.
 * Snapshots don't move under it: a row seen before a change is the row that was changed.
 */
export interface Rehearsal {
  /** Returning false doesn't stop the statement; further rows are discarded. */
  run(step: RehearsalStep, sink: RowSink): Promise<StatementOutcome>;
  /**
   * What the client's statement, the step before this, did to rows. `remains`: sentences on what a
   * rollback leaves behind.
   */
  changes(): Promise<Answer<Changes & { readonly remains?: readonly string[] }>>;
}

/** A value, or why there is none. */
export type Answer<T> = { readonly kind: 'done'; readonly value: T } | DatabaseFailure;
