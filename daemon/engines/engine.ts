/**
 * The port behind which the engines stand, and all that differs by engine. An adapter runs one
 * statement in the session it is told to use, hands out rows as they arrive and stops when asked;
 * it knows nothing of tokens, classes or policy.
 */

import type { Classified, Facts } from './classified.ts';
import type { Classifier } from './classifier.ts';
import type { Counting, Excess, RunGuard } from './count/counting.ts';
import type { Taken } from './count/taken.ts';
import type { CatalogText, ObjectDescription, Places, ServerStatus, Table, TableDescription } from './description.ts';
import type { Dialect } from './dialect.ts';
import type { Plan, Planning } from './preview-plan.ts';
import type {
  Answer,
  CallContext,
  DatabaseFailure,
  Rehearsal,
  RehearsalContext,
  RowSink,
  StatementOutcome,
  StatementRequest,
} from './request.ts';
import type { SessionNote, SessionNotes } from './session-notes.ts';

export * from './description.ts';
export * from './request.ts';

/** One saved connection, opened. Nothing is dialled before the first call. */
export interface Database {
  readonly dialect: Dialect;
  run(request: StatementRequest, sink: RowSink): Promise<StatementOutcome>;
  /**
   * Runs `work` in one `rollback` session. `done` comes after the rollback was confirmed;
   * `timeoutSeconds` bounds the whole. Rejects with what `work` threw, after the session has ended.
   */
  rehearse<T>(context: RehearsalContext, work: (rehearsal: Rehearsal) => Promise<T>): Promise<Answer<T>>;
  /**
   * What a statement is here (spec §7): its text first, then, where it names what only the catalog
   * can explain, that catalog. One that can't be asked is no yes. It is asked at each call: what a
   * text means may be remembered, what a catalog holds may not.
   */
  follow(classifier: Classifier, context: CallContext, sql: string, facts?: Facts): Promise<Classified>;
  /** How a data change is previewed. Runs nothing of it; within `answering`. */
  planPreview(classifier: Classifier, planning: Planning): Promise<Plan>;
  /** What a statement takes, before somebody is asked about it (spec §12). Within `answering`. */
  count(counting: Counting): Promise<Taken>;
  /** Holds the run of a statement to what was shown of it. Within `answering`. */
  holdRun(counting: Counting, shown: Taken, excess: Excess): Promise<RunGuard>;
  /**
   * A sentence where such a text is answered, without a word, with something else than it seems to
   * ask for. Absent where none is.
   */
  misreading?(context: CallContext, sql: string, use: 'run' | 'preview' | 'export'): Promise<string | null>;
  /** A role that fits, made with the rights of the present one. Makes nothing yet. */
  planRole(context: CallContext, wanted: WantedRole): Promise<Answer<PlannedRole>>;
  status(context: CallContext): Promise<Answer<ServerStatus>>;
  /**
   * @param rowCounts false: without them, which on MySQL means without opening every table.
   * @param where `everywhere`: on MySQL those of each database that the connection reaches.
   */
  listTables(context: CallContext, rowCounts?: boolean, where?: 'everywhere'): Promise<Answer<readonly Table[]>>;
  places(context: CallContext): Promise<Answer<Places>>;
  /**
   * Names and comments of tables, views, columns and routines, names of objects first, at most
   * `mostCatalogTexts`.
   *
   * @param words lower case; texts without any of them may be left out. Null: all.
   */
  catalogTexts(context: CallContext, words: readonly string[] | null): Promise<Answer<readonly CatalogText[]>>;
  /**
   * By a number of questions that doesn't grow with the tables.
   *
   * @param withDdl false: without the DDL of tables (of all else it is there), which costs MySQL a
   * question each.
   * @returns one for each name, in their order; null where no such table exists.
   */
  describeTables(
    context: CallContext,
    names: readonly string[],
    withDdl: boolean,
  ): Promise<Answer<readonly (TableDescription | null)[]>>;
  /** Routines and types of that name; several where a name is overloaded. */
  describeObjects(context: CallContext, name: string): Promise<Answer<readonly ObjectDescription[]>>;
  /**
   * Ends what sessions of an earlier run still do, and nobody else's. Absent where no session
   * outlives its run.
   */
  endLeft?(notes: readonly SessionNote[]): Promise<void>;
  /** Ends every session; running statements are stopped. Idempotent. */
  close(): Promise<void>;
}

/** What the outside hands an adapter when it opens a connection. */
export interface DatabasePorts {
  /**
   * The password, asked for at each dial so that a changed one counts at once; null where there is
   * none.
   */
  readonly password: () => Promise<string | null>;
  /**
   * After the server refused that password: a newer one, null where there is none. Absent where
   * none is kept for more than one dial.
   */
  readonly anotherPassword?: (refused: string) => Promise<string | null>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /**
   * Where sessions are noted while they are open; absent where nobody ends those that a crash
   * leaves.
   */
  readonly sessions?: SessionNotes;
}

/** What is asked of an engine, with whom it asks itself. */
export type On<Asked> = Asked & { readonly database: Database };

export type RoleAccess = 'readOnly' | 'readWrite';

export interface WantedRole {
  readonly name: string;
  readonly access: RoleAccess;
  /** Null: all that the present role may see. On MySQL a schema is a database. */
  readonly schemas: readonly string[] | null;
  readonly statementSeconds: number;
}

/** What one or more statements are for, in a sentence. */
export interface RoleStep {
  readonly why: string;
  /** Without the semicolon. */
  readonly statements: readonly string[];
}

export interface PlannedRole {
  /**
   * For a person to run: a placeholder, or a question of the engine's own client, stands for the
   * password.
   */
  readonly steps: readonly RoleStep[];
  /** What the role lacks, or has all the same, in sentences. */
  readonly notes: readonly string[];
  /** All of it or nothing. */
  make(password: string): Promise<RoleMade>;
  remove(): Promise<RoleRemoved>;
  /**
   * @param database dialled as the new role.
   * @returns a clause that says what it may do and should not; null where there is nothing.
   */
  excess(
    database: Database,
    context: CallContext,
  ): Promise<{ readonly kind: 'done'; readonly value: string | null } | DatabaseFailure>;
}

type RoleMade =
  | { readonly kind: 'made' }
  /** `stays`: what a person finds on the server, and how it goes. */
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure; readonly stays: string | null };

/** `stays`: a clause with the SQL that removes it; null where it is gone. */
interface RoleRemoved {
  readonly stays: string | null;
}
