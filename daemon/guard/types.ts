/**
 * What a statement is (spec §7), as every engine's classifier says it. An unknown statement is
 * never a read.
 */

import type { WordedReason } from './reason.ts';

export type StatementClass = 'read' | 'write' | 'destructive' | 'forbidden';

/**
 * A name as the statement gives it, unquoted and folded as the engine folds it; `schema` is null if
 * none is written.
 */
export interface QualifiedName {
  readonly schema: string | null;
  readonly name: string;
}

export interface Classification extends WordedReason {
  readonly class: StatementClass;
  /** Present if the reason quotes a grammar, which quotes the statement. */
  readonly reasonForLog?: string;
  readonly tables: readonly QualifiedName[];
  /**
   * Functions and procedures that the statement calls and that no built-in list settles. If there
   * is a catalog, it decides them.
   */
  readonly calls: readonly QualifiedName[];
  /**
   * True if the engine refuses the statement inside a transaction (`VACUUM`, `CREATE DATABASE`). It
   * runs in an `alone` session.
   */
  readonly needsOwnSession: boolean;
  /** True for INSERT, UPDATE, DELETE, MERGE, REPLACE at the top: what `preview_write` takes. */
  readonly isDml: boolean;
  /**
   * Present if it isn't DML itself, but runs some: within WITH, or under ANALYZE. It is counted as
   * DML is, and not previewed.
   */
  readonly runsDml?: true;
  /**
   * Present for a plan of DML. MySQL refuses to explain a write in a session that can't write, so
   * it is planned and rolled back.
   */
  readonly plansDml?: true;
  /** True for a plain EXPLAIN. It runs in a session that can't write, whatever its class. */
  readonly isPlan?: boolean;
  /**
   * True for an UPDATE or DELETE without a WHERE that restricts. It is destructive, but
   * `preview_write` may run it.
   */
  readonly isUnboundedDml: boolean;
}

/**
 * What a data change may do to existing rows, besides the cascades of foreign keys. MySQL and
 * MariaDB count by table.
 */
export interface RowEffects {
  /**
   * Tables, not views, in which it updates or deletes rows, itself or by a trigger, view or routine
   * behind it.
   */
  readonly tables: readonly { readonly schema: string; readonly name: string }[];
  /** Tables, not views, that only get rows, from it or from what is behind it. */
  readonly insertedInto: readonly { readonly schema: string; readonly name: string }[];
  /** The table that the server's count of affected rows is of. */
  readonly countedTable: {
    readonly schema: string;
    readonly name: string;
    readonly rows: 'updated' | 'deleted';
  } | null;
  /**
   * The statement's own effect without triggers and cascades: `adds` for INSERT, `changes` for
   * UPDATE/DELETE; null if unknown.
   */
  readonly ownEffect: 'adds' | 'changes' | null;
  /** A clause on why some of it can't be told; null if all can. */
  readonly uncounted: string | null;
}
