/**
 * The port of the engines: everything that differs by engine is behind it. An adapter runs one
 * statement in the session that it is told to use, hands out rows as they arrive and stops when
 * asked. It knows nothing of tokens or policy.
 */

import type { Duplex } from 'node:stream';
import type { Classification, QualifiedName } from '../guard/types.ts';
import type { Classified, Facts } from './classified.ts';
import type { Classifier } from './classifier.ts';
import type { CountRequest, Excess, RunGuard, StepCounting } from './count/count-request.ts';
import type { Taken } from './count/taken.ts';
import type {
  CatalogText,
  ObjectDescription,
  SchemaList,
  ServerStatus,
  Table,
  TableDescription,
} from './description.ts';
import type { Dialect } from './dialect.ts';
import type { Hidden } from './in-sight/description.ts';
import type { Plan, Planning } from './preview-plan.ts';
import type {
  Answer,
  CallContext,
  CommitFate,
  CommitTrace,
  DatabaseFailure,
  Rehearsal,
  RehearsalContext,
  RowSink,
  StatementOutcome,
  StatementRequest,
} from './request.ts';
import type { Right } from './rights.ts';
import type { IdentityOf } from './server-identity.ts';

export * from './description.ts';
export * from './request.ts';

/** One saved connection, opened. The first call dials. */
export interface Database {
  readonly dialect: Dialect;
  /** Runs a statement. @param sink gets its rows. @returns how it ended, after the last row. */
  run(request: StatementRequest, sink: RowSink): Promise<StatementOutcome>;
  /**
   * Runs `work` in one `rollback` session. It resolves with `done` once the rollback was confirmed.
   * `timeoutSeconds` bounds the whole. It rejects with the error of `work`, once the session has
   * ended.
   */
  rehearse<T>(context: RehearsalContext, work: (rehearsal: Rehearsal) => Promise<T>): Promise<Answer<T>>;
  /**
   * Classifies a statement (spec §7): by its text and, if it names what only the catalog can
   * explain, by the catalog. If the catalog can't be asked, the statement isn't run. The meaning of
   * a text may be remembered; the catalog is asked at each call.
   * @example
   * const { classification } = await database.follow(classifier, context, 'SELECT * FROM totals');
   */
  follow(classifier: Classifier, context: CallContext, sql: string, facts?: Facts): Promise<Classified>;
  /** Plans the preview of a data change. It runs nothing; call it within `answering`. */
  planPreview(classifier: Classifier, planning: Planning): Promise<Plan>;
  /**
   * Counts what a statement takes, before a person is asked (spec §12). Call it within `answering`.
   */
  count(counting: CountRequest): Promise<Taken>;
  /** Tells what is hidden from clients at this moment. Absent if nothing is. */
  outOfSight?(context: CallContext): Promise<Answer<Hidden>>;
  /** Holds a statement's run to what was shown of it. Call it within `answering`. */
  holdRun(counting: CountRequest, shown: Taken, excess: Excess): Promise<RunGuard>;
  /**
   * Counts the steps of one transaction. Absent if an engine's definitions commit by themselves:
   * only data changes run together there.
   * @param holds true for the run: what goes as a whole is locked before it is counted.
   */
  countSteps?(holds: boolean): StepCounting;
  /**
   * Resolves with a sentence if the engine silently answers this text with something else than it
   * seems to ask for. Absent if the engine misreads no text.
   */
  misreading?(context: CallContext, sql: string, use: 'run' | 'preview' | 'export'): Promise<string | null>;
  /**
   * Plans a role with fitting rights, which the present role would make. It makes nothing yet.
   */
  planRole(context: CallContext, wanted: WantedRole): Promise<Answer<PlannedRole>>;
  /** What the account may do beyond reading; null if the engine has no accounts. */
  rights(context: CallContext): Promise<Answer<readonly Right[] | null>>;
  /** Asks how a COMMIT ended that nobody saw end. Absent if no server can tell. */
  fateOf?(context: CallContext, trace: CommitTrace): Promise<Answer<CommitFate>>;
  /** Tells the server's version, the user, database and schema, and warnings about the role. */
  status(context: CallContext): Promise<Answer<ServerStatus>>;
  /**
   * True once a server has taken a write in a transaction that only reads; asks nothing. Absent if
   * the engine's own wall needs no proof.
   */
  lacksReadWall?(): boolean;
  /**
   * @param rowCounts false leaves them out; MySQL then needn't open every table.
   * @param where `everywhere`: on MySQL, the tables of each database that the connection reaches.
   */
  listTables(context: CallContext, rowCounts?: boolean, where?: 'everywhere'): Promise<Answer<readonly Table[]>>;
  /** Lists the schemas and databases that the connection reaches. */
  listSchemas(context: CallContext): Promise<Answer<SchemaList>>;
  /**
   * Names and comments of tables, views, columns and routines, object names first, at most
   * `mostCatalogTexts`.
   *
   * @param words lower case; texts without any of them may be left out. Null: all texts.
   */
  catalogTexts(context: CallContext, words: readonly string[] | null): Promise<Answer<readonly CatalogText[]>>;
  /**
   * Takes the same number of queries for any number of tables.
   *
   * @param withDdl false leaves out the DDL of tables, which costs MySQL a query each.
   * @returns one per name, in their order; null if there is no such table.
   */
  describeTables(
    context: CallContext,
    names: readonly string[],
    withDdl: boolean,
  ): Promise<Answer<readonly (TableDescription | null)[]>>;
  /** Routines and types with that name; several if the name is overloaded. */
  describeObjects(context: CallContext, name: string): Promise<Answer<readonly ObjectDescription[]>>;
  /**
   * Dials a session for a program that speaks the engine's own protocol. Absent if we speak none of
   * the engine's.
   */
  openWire?(context: CallContext): Promise<Answer<WireSession>>;
  /**
   * Finds what `context.sight` hides: each table, view and the like that its patterns name, and
   * what is hidden with those: views and functions over one, partitions, children, a column's
   * sequence. Absent if the patterns alone tell.
   */
  hiddenTables?(context: CallContext): Promise<Answer<HiddenTables>>;
  /** Ends every session and stops running statements. Idempotent. */
  close(): Promise<void>;
}

/** A session after its sign-in, whose bytes somebody else reads and writes. */
export interface WireSession {
  /** The line to the server, through TLS and tunnel. The session ends with it. */
  readonly line: Duplex;
  /** The settings that the server has reported, by name. */
  readonly parameters: ReadonlyMap<string, string>;
  /**
   * A statement of ours, to be run in a read-only transaction before anything of the program. It
   * keeps that transaction from writing, and a superuser's from what only they may do.
   */
  readonly wall: string;
  /**
   * Classifies by the text's classification and the catalog as this session sees it. An answer is
   * remembered for half a minute.
   * @param names what decides how names are resolved in the session, as one text.
   * @param ask runs a question of ours in the session.
   */
  follow(
    classifier: Classifier,
    context: CallContext,
    byText: Classification,
    names: string,
    ask: (sql: string, parameters: readonly string[]) => Promise<Answer<readonly (readonly unknown[])[]>>,
  ): Promise<Classified>;
  /** Stops what the server runs for this session. */
  cancel(): Promise<void>;
}

/** What an adapter gets when it opens a connection. */
export interface DatabasePorts {
  /** Called at each dial, so a changed password counts at once; null if there is none. */
  readonly password: () => Promise<string | null>;
  /**
   * Called after the server refused that password. Resolves with a newer one, or null. Absent if
   * passwords aren't kept between dials.
   */
  readonly anotherPassword?: (refused: string) => Promise<string | null>;
  /** Judges each server before the password is shown to it; absent if none is known or kept. */
  readonly identity?: IdentityOf;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export interface HiddenTables {
  readonly tables: readonly QualifiedName[];
  /** Their names that nothing in sight has, too: such a bare word can only mean a hidden table. */
  readonly bareNames: readonly string[];
}

/** A question to an engine, with the database that it is about. */
export type WithDatabase<Asked> = Asked & { readonly database: Database };

/** What a planned role may do: only read rows, or also change them. */
export type RoleAccess = 'readOnly' | 'readWrite';

/** What a person asks of a new role; `planRole` makes a `PlannedRole` of it. */
export interface WantedRole {
  readonly name: string;
  readonly access: RoleAccess;
  /** Null for every schema that the present role sees. On MySQL a schema is a database. */
  readonly schemas: readonly string[] | null;
  readonly statementSeconds: number;
}

/** Statements with a sentence on what they are for. */
export interface RoleStep {
  readonly why: string;
  /** Without the semicolon. */
  readonly statements: readonly string[];
}

/** A role that is planned but not made: shown to a person as SQL, made by `make`. */
export interface PlannedRole {
  /**
   * The statements for a person to run. A placeholder, or a prompt of the engine's own client, is
   * in the place of the password.
   */
  readonly steps: readonly RoleStep[];
  /** Sentences about what the role lacks, or can do beyond its purpose. */
  readonly notes: readonly string[];
  /** False if the present role may make no roles; a person with more rights runs the SQL then. */
  readonly mayMake: boolean;
  /** Makes the role wholly or not at all. */
  make(password: string): Promise<RoleMade>;
  /** Takes back what `make` made. */
  remove(): Promise<RoleRemoved>;
  /**
   * Looks at what the role can do.
   * @param database dialled as the new role.
   * @returns a clause about what the role can do and shouldn't; null if there is nothing.
   */
  excess(
    database: Database,
    context: CallContext,
  ): Promise<{ readonly kind: 'done'; readonly value: string | null } | DatabaseFailure>;
}

type RoleMade =
  | { readonly kind: 'made' }
  /** `stays` says what is left on the server, and how a person removes it; null for nothing. */
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure; readonly stays: string | null };

/** `stays` is a clause with the SQL that removes the role; null if it is gone. */
interface RoleRemoved {
  readonly stays: string | null;
}
