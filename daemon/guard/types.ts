/** What a statement is (spec §7), as every engine's classifier says it. Unknown is never a read. */

import type { Worded } from './reason.ts';

export type StatementClass = 'read' | 'write' | 'destructive' | 'forbidden';

/**
 * A name as the statement gives it, unquoted and folded as the engine folds it; `schema` is null
 * where none is written.
 */
export interface QualifiedName {
  readonly schema: string | null;
  readonly name: string;
}

export interface Classification extends Worded {
  readonly class: StatementClass;
  readonly tables: readonly QualifiedName[];
  /**
   * Functions and procedures the statement calls that no built-in list settles; the catalog decides
   * them where there is one.
   */
  readonly calls: readonly QualifiedName[];
  /**
   * True for what the engine refuses inside a transaction (`VACUUM`, `CREATE DATABASE`): runs in an
   * `alone` session.
   */
  readonly needsOwnSession: boolean;
  /** True for INSERT, UPDATE, DELETE, MERGE, REPLACE at the top: what `preview_write` takes. */
  readonly isDml: boolean;
  /**
   * Present for a plan of DML: MySQL refuses to explain a write in a session that can't write, so
   * it is planned and rolled back.
   */
  readonly plansDml?: true;
  /** True for a plain EXPLAIN, which is made in a session that can't write, whatever its class. */
  readonly isPlan?: boolean;
  /**
   * True for UPDATE or DELETE without a WHERE that restricts: destructive, but `preview_write` may
   * run it.
   */
  readonly isUnboundedDml: boolean;
}

/**
 * What a data change may do to rows that are there, beside the cascades of foreign keys: MySQL and
 * MariaDB count by table.
 */
export interface Written {
  /** Tables, no views, where it or a trigger, view or routine behind it updates or deletes rows. */
  readonly tables: readonly { readonly schema: string; readonly name: string }[];
  /** Tables, no views, that only get rows by it or what is behind it. */
  readonly insertedInto: readonly { readonly schema: string; readonly name: string }[];
  /** Which of them the server's count of affected rows is of. */
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
  /** A clause: why some of it can't be told. */
  readonly uncounted: string | null;
}
