/**
 * How a statement is asked for and how it ends: the types that a database and its callers share.
 * The file has types and one bound, and no code.
 */

import type { DialProblem } from '../../shared/dial-problems.ts';
import type { MaskedColumn, Masks } from '../guard/masks.ts';
import type { Reason } from '../guard/reason.ts';
import type { Sight } from '../guard/sight.ts';
import type { QualifiedName, RowEffects } from '../guard/types.ts';
import type { CallClock, Stage } from './call-clock.ts';
import type { Cell, RowText } from './row-text.ts';

export interface Column {
  readonly name: string;
  /**
   * In the engine's words: `numeric(20,5)`, `bigint unsigned`; '' if it gives none (an SQLite
   * expression).
   */
  readonly type: string;
}

/** A bound value. Integers beyond 2^53 are strings; the engine's own typing decides. */
export type Parameter = string | number | boolean | null;

export interface RowSink {
  /**
   * Called once before any row, also for an empty result. Not called for a statement without a
   * result set.
   */
  columns(columns: readonly Column[]): void;
  /**
   * @returns false if no further row is wanted: the adapter stops the statement and ends with
   *   `done`.
   */
  row(row: RowText): boolean;
  /**
   * Asked after rows. Null if more may come at once; otherwise no further row of a read is taken
   * until it resolves, which it always does.
   */
  full?(): Promise<void> | null;
}

/**
 * The session that a statement runs in:
 * - `read`: can't write, whatever the statement says (the engine's wall);
 * - `write`: its own transaction, committed on success, rolled back otherwise;
 * - `alone`: no transaction, on a connection that is discarded afterwards (`VACUUM`,
 *   `CREATE DATABASE`, …);
 * - `rollback`: a transaction that may write and is always rolled back, with a 2 s lock timeout.
 */
export type SessionKind = 'read' | 'write' | 'alone' | 'rollback';

/**
 * Bytes that one statement may bring over the wire: enough for 10,000 ordinary rows or one cell of
 * several megabytes that is cut afterwards, and little enough for eight statements at once.
 */
export const maxWireBytes = 16 * 1024 * 1024;

/** A definition that is looked at before its COMMIT: the server's catalogs tell what it did. */
export interface HeldDefinition {
  /** The relations that it names and may alter. */
  readonly names: readonly QualifiedName[];
  /**
   * @param reasons what it did besides adding; empty if it only added.
   * @returns false to roll it back; it then fails with `not_committed`.
   */
  mayStay(reasons: readonly Reason[]): boolean;
  /**
   * True if it may wait for locks as long as the call lasts; otherwise it waits 2 s, because other
   * sessions queue up behind it.
   */
  readonly waits: boolean;
}

export interface StatementLimits {
  /** UTF-8 bytes kept of one cell; the row tells if a longer one was cut. */
  readonly cellBytes: number;
  /**
   * Bytes that one statement may bring over the wire, including each cell, before the connection is
   * cut: bounds the daemon's memory against a 100 MB cell (spec §7).
   */
  readonly wireBytes: number;
}

/** Where, and for whom, a look-up or statement runs. */
export interface CallContext {
  /**
   * Whose turn it takes if sessions are short: Principal.id; null for the owner (by a shell) and
   * for Sallyport itself.
   */
  readonly principal: string | null;
  /** The database shows it as `Sallyport: <client>`. The caller removes control characters. */
  readonly client: string;
  /** Null for the connection's own. */
  readonly database: string | null;
  /** The schema that bare names are looked up in first; null for the role's own search path. */
  readonly schema: string | null;
  /** Which tables may be met; absent for all. Set by the opened database, for each of its calls. */
  readonly sight?: Sight | undefined;
  /** Which columns may not be read; absent for none. Set as `sight` is. */
  readonly masks?: Masks | undefined;
  /**
   * Bounds the work and whatever it waits for. What is left of the call's time (`clock`) bounds
   * them too.
   */
  readonly timeoutSeconds: number;
  /** Absent for work that belongs to no client's call: each of its parts has the whole time. */
  readonly clock?: CallClock | undefined;
  /** Aborted when the client left or cancelled: the statement is then stopped in the database. */
  readonly signal: AbortSignal;
}

/**
 * Asks a question of ours in a statement's session and transaction.
 * @returns the rows; PostgreSQL's have one column, of text.
 */
export type AskWithin = (
  sql: string,
  parameters?: readonly Parameter[],
) => Promise<Answer<readonly (readonly Cell[])[]>>;

export interface StatementRequest extends CallContext {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly session: SessionKind;
  readonly limits: StatementLimits;
  /**
   * True for a question of ours to the catalog. It comes again, so an engine may keep it prepared.
   * It is short, so an engine doesn't have it compiled (PostgreSQL's `jit`).
   */
  readonly isOurs?: boolean;
  /**
   * True if a read is known to leave nothing in its session that the end of its transaction doesn't
   * undo.
   */
  readonly isStateless?: boolean | undefined;
  /** True if the result can't depend on the role, so it may run as pg_read_all_data. */
  readonly mayRunAsReader?: boolean | undefined;
  /** For a read on a server: it runs only if all of these hold; otherwise `not_as_provided`. */
  readonly preconditions?: readonly Precondition[] | undefined;
  /**
   * For a `write`, on MySQL and MariaDB also for an `alone` statement: called once before it runs,
   * in its session. If it returns a failure, the statement doesn't run.
   */
  readonly mayRun?: ((ask: AskWithin) => Promise<DatabaseFailure | null>) | undefined;
  /** For a `write`: called once before its COMMIT. False rolls it back: `not_committed`. */
  readonly mayCommit?: ((changes: RowCounts, ask: AskWithin) => boolean | Promise<boolean>) | undefined;
  /** For a `write`: called at most once, right before its COMMIT, if its end can be asked later. */
  readonly committing?: ((trace: CommitTrace) => void) | undefined;
  /** For a `write` on PostgreSQL whose text seems only to add. */
  readonly definition?: HeldDefinition | undefined;
  /** On SQLite: the statement doesn't run; its one row is SQLite's own classification. */
  readonly isClassified?: boolean | undefined;
  /**
   * On SQLite, for a statement that is a write by its text: if SQLite finds it to be destructive,
   * nothing runs (`not_as_provided`).
   */
  readonly isOnlyWrite?: boolean | undefined;
  /** For a write on MySQL or MariaDB: where its rows are counted. */
  readonly rowEffects?: RowEffects | undefined;
  /** For a definition on MySQL or MariaDB: tables that it may make, each with its schema. */
  readonly makes?: readonly QualifiedName[] | undefined;
}

/** The engine's own facts about a transaction, for {@link CommitFate}. */
export interface CommitTrace {
  readonly [fact: string]: string;
}

/**
 * What a server says later of a transaction: `open` if it has not ended there, `untold` if the
 * server can't say any more.
 */
export type CommitFate = 'done' | 'not_done' | 'open' | 'untold';

/**
 * What a statement did to existing rows, seen in its own transaction, cascades and triggers
 * included.
 */
export interface RowCounts {
  /** Tables whose rows were updated or deleted. */
  readonly tables: readonly TableChange[];
  /**
   * Why some of it could not be counted, as a clause (`the trigger t_log runs SQL from a string`);
   * null if all was.
   */
  readonly uncounted: string | null;
  /** Rows that it added to tables that this daemon didn't make; absent if none are known. */
  readonly added?: readonly AddedRows[];
}

export interface AddedRows {
  /** As in {@link TableChange}. */
  readonly table: string;
  readonly rows: number;
}

export interface TableChange {
  /**
   * The unquoted name, `schema.name` if there are schemas. A partition's rows count for the
   * partitioned table.
   */
  readonly table: string;
  readonly updated: number;
  readonly deleted: number;
  /** Present if the numbers are a limit: the server has one total for several tables. */
  readonly isMost?: boolean;
  /** True if it held more than one row and now holds none of them. */
  readonly isEmptied: boolean;
  /** True if it held more than one row and each of them was updated or deleted. */
  readonly isChangedWhole: boolean;
}

/** A condition that the server itself checks, in the statement's own transaction. */
export interface Precondition {
  /** A query of ours that gives one row with one boolean. */
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/**
 * For a write, every kind but `outcome_unknown` means that nothing of it stays. If a database's own
 * error leaves something, `message` says so.
 */
export type DatabaseFailure =
  /**
   * The database refused; `message` is its own, without connection strings. `code` is the SQLSTATE
   * or the engine's code, if given. `step` is which work of ours before the statement the server
   * can't do: setting the session up, or looking something up. It is absent if the statement itself
   * failed.
   */
  | {
      readonly kind: 'query_failed';
      readonly message: string;
      readonly code: string | null;
      /** The server's own words, if `message` adds some of ours. */
      readonly said?: string;
      readonly step?: 'set_up' | 'look_up';
      /** It ran in no transaction: what it had done before the error stays. */
      readonly stays?: true;
    }
  /** The engine's wall: refused because the session can't write. */
  | { readonly kind: 'read_only'; readonly message: string }
  /**
   * It ran for `seconds` and was then ended; nothing of it stays. `waited` is how many seconds the
   * call had waited before, if that explains why the statement had less time.
   */
  | { readonly kind: 'timeout'; readonly seconds: number; readonly waited?: number }
  /** A limit of the server's own, by its name there, ended the statement; nothing of it stays. */
  | { readonly kind: 'server_limit'; readonly limit: string }
  /** It waited `seconds` for another session's lock and was then ended; nothing of it stays. */
  | {
      readonly kind: 'locked';
      readonly seconds: number;
      /** Who holds it, as a clause in the server's words; null if the server didn't tell. */
      readonly holder: string | null;
      /** The server's own limit that ended it; absent if it is ours. */
      readonly limit?: string;
      /** True if that time was not the call's, so a longer call would not have waited longer. */
      readonly isShort?: true;
    }
  /** The server was silent for `seconds` in that stage; nothing of the statement stays. */
  | { readonly kind: 'no_answer'; readonly stage: Stage; readonly seconds: number }
  /**
   * Nothing ran: no session became free within `seconds`. `sessions` of them were busy, and `own`
   * of those served the asking principal.
   */
  | { readonly kind: 'no_free_session'; readonly seconds: number; readonly sessions: number; readonly own: number }
  /** Nothing ran: there was no room for it. The same call may succeed later. */
  | { readonly kind: 'busy'; readonly why: BusyReason }
  /**
   * Nothing of it stays: it was not sent, or the server undoes it. `isUnanswered` means that a dial
   * ended, or took too long, without an answer. `problem` says why, if a person can do something
   * about it.
   */
  | {
      readonly kind: 'not_connected';
      readonly message: string;
      readonly isUnanswered?: true;
      readonly problem?: DialProblem;
    }
  /**
   * A write that was sent and may have taken effect, wholly or partly. `reason` is a clause on why
   * its end was not seen.
   */
  | {
      readonly kind: 'outcome_unknown';
      readonly reason: string;
      /** Its end was seen: `mayCommit` said no, and not all of it could be undone. */
      readonly isKept?: true;
    }
  | { readonly kind: 'cancelled' }
  /**
   * Nothing of it stays: `mayCommit` said no. `remains` are sentences about what a rollback leaves
   * behind (used-up values). `reasons` are what a tried definition did besides adding.
   */
  | { readonly kind: 'not_committed'; readonly remains: readonly string[]; readonly reasons?: readonly Reason[] }
  /**
   * Nothing ran: the server takes writes in a read-only transaction, or it refuses to begin one.
   * `said` are its words if it refused; null if it takes writes.
   */
  | { readonly kind: 'unproved_wall'; readonly said: string | null }
  /** Nothing ran: the statement reads these columns, which the connection masks. */
  | { readonly kind: 'masked'; readonly columns: readonly MaskedColumn[] }
  /** Nothing ran: a precondition doesn't hold or couldn't be checked. */
  | { readonly kind: 'not_as_provided' }
  /**
   * This engine or connection can't do it at all (a schema argument on SQLite, another database
   * under `own`), or the statement could not be classified.
   */
  | { readonly kind: 'unsupported'; readonly message: string };

export type BusyReason =
  /**
   * The server lets this role have no further session; `said` are its words. `seconds` is how long
   * we waited for one of our own sessions; null if none was open.
   */
  | { readonly who: 'server'; readonly said: string; readonly seconds: number | null }
  /** Sessions of earlier calls have not ended, or other calls of its client took each place. */
  | { readonly who: 'sessions' | 'own_calls'; readonly seconds: number }
  /** The statement was not judged: the machine is busy, or its client used up its share. */
  | { readonly who: 'machine' | 'own_statements' };

export interface StatementDone {
  readonly kind: 'done';
  /** Rows inserted, updated or deleted; null for a statement that only reads. */
  readonly rowsAffected: number | null;
  /** MySQL, MariaDB: the AUTO_INCREMENT value of the first new row; a string beyond 2^53. */
  readonly insertId?: number | string;
  /** True if `wireBytes` ended the result early; the rows before that were delivered. */
  readonly cutByWire: boolean;
  /**
   * For whoever reads the result: sentences of ours (invalid UTF-8 was replaced), and the
   * database's own messages, marked as it marks them.
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
  /**
   * Present for several statements of a client, each of which is counted by itself. They wait for
   * locks as writes do. Called once the work is done.
   * @returns true to commit them all.
   */
  readonly keeps?: () => boolean;
  /** As in {@link StatementRequest}. */
  readonly committing?: ((trace: CommitTrace) => void) | undefined;
}

/** One statement of a rehearsal. */
export interface RehearsalStep {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly limits: StatementLimits;
  /**
   * True for a statement of ours (a savepoint, a look at rows): the adapter classifies only the
   * client's.
   */
  readonly ours: boolean;
  /**
   * For a definition on PostgreSQL, as `HeldDefinition.names`. If it did more than add, it fails
   * with `not_committed` and `reasons`.
   */
  readonly defines?: readonly QualifiedName[];
  /** For the client's statement on MySQL or MariaDB: where `rowCounts` counts its rows. */
  readonly rowEffects?: RowEffects;
}

/**
 * Runs statements one after another in one `rollback` session: each sees what the one before
 * changed. The snapshot stays the same: a row seen before a change is the row that was changed.
 */
export interface Rehearsal {
  /** A sink whose `row` returns false doesn't stop the statement; further rows are discarded. */
  run(step: RehearsalStep, sink: RowSink): Promise<StatementOutcome>;
  /**
   * What the client's statement, which ran last, did to rows. `remains` are sentences about what a
   * rollback leaves behind.
   */
  rowCounts(deferred?: Deferred): Promise<Answer<RowCounts & { readonly remains?: readonly string[] }>>;
}

/** Whether deferred constraints and triggers run before the count, as they do by default. */
export type Deferred = 'run' | 'wait';

/** A value, or why there is none. */
export type Answer<T> = { readonly kind: 'done'; readonly value: T } | DatabaseFailure;
