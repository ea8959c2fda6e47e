/**
 * What a database says about itself: tables and other named objects. The file has types and one
 * bound, and no code.
 */

export interface Table {
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'table' | 'view' | 'materialized_view' | 'foreign_table' | 'virtual_table' | 'sequence' | 'other';
  readonly comment: string | null;
  readonly approximateRowCount: number | null;
  /** Number of its partitions, which are not listed beside it. */
  readonly partitions?: number;
  /** PostgreSQL: number of child tables that add no column; they are not listed beside it. */
  readonly children?: number;
}

/** A name or comment in the catalog, with its object. */
export interface CatalogText {
  readonly schema: string | null;
  readonly object: string;
  readonly kind: Table['kind'] | 'function' | 'procedure' | 'type';
  /** The object's own comment, shown beside any other match in it. */
  readonly objectComment: string | null;
  /** The column that it is about; null for the object itself. */
  readonly column: string | null;
  readonly isComment: boolean;
  /** Set if `text` is the name of such a part of the table, which errors name. */
  readonly part?: 'constraint' | 'index';
  readonly text: string;
}

/** The schemas and databases that a connection may use. */
export interface SchemaList {
  /** The search path first, then the rest by name; without the engine's own schemas. */
  readonly schemas: readonly string[];
  /** Empty if the connection is for one database. */
  readonly databases: readonly string[];
}

/**
 * How a rule differs from one that holds for every row, in SQL's words: `NOT VALID`, `NOT
 * ENFORCED`, `DEFERRABLE`, `DISABLED`, `ON CONFLICT IGNORE`; null or absent if it holds as usual.
 */
type RuleState = string | null;

export interface Check {
  readonly name: string | null;
  readonly expression: string;
  readonly state?: RuleState;
}

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The state of its NOT NULL. */
  readonly notNullState?: RuleState;
  /** True if `*` leaves the column out. */
  readonly isInvisible?: boolean;
  /** True if this role may read other columns of the table, and not this one. */
  readonly isUnreadable?: boolean;
  /** True if the connection masks it: nothing of a client reads it. */
  readonly isMasked?: true;
  /** `COLLATE "C"`, `SRID 4326`: terms of SQL that differ from the type's or table's usual. */
  readonly terms?: readonly string[];
  /** The default as SQL text, as DEFAULT takes it. */
  readonly default: string | null;
  /** MySQL, MariaDB: the value that each change of the row stores here, as SQL text. */
  readonly onUpdate?: string | null;
  readonly generated: 'always' | 'by_default' | 'stored' | 'virtual' | null;
  readonly primaryKey: boolean;
  readonly comment: string | null;
  /** Labels of an enum or set. */
  readonly allowedValues: readonly string[] | null;
  /** PostgreSQL: the domain's conditions on each VALUE; absent if there are none. */
  readonly checks?: readonly Check[];
}

export interface ForeignKey {
  readonly name: string | null;
  readonly columns: readonly string[];
  readonly referencedSchema: string | null;
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
  /** As SQL: `SET NULL`, `SET NULL (a)`. */
  readonly onUpdate: string | null;
  readonly onDelete: string | null;
  /** True if the last column is a PERIOD. */
  readonly isPeriod?: boolean;
  readonly state?: RuleState;
}

/** A foreign key of another table that points to this one. */
export interface IncomingForeignKey {
  readonly name: string | null;
  readonly schema: string | null;
  readonly table: string;
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
  readonly state?: RuleState;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly method: string | null;
  /** The index as SQL, if the engine has it. */
  readonly definition: string | null;
  /** True for an exclusion constraint. */
  readonly excludes?: boolean;
  /** The state of its rule, or of the index itself: INVALID, INVISIBLE, IGNORED. */
  readonly state?: RuleState;
}

/** A routine or type: a statement can name it, and it is no table. */
export interface ObjectDescription {
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'function' | 'procedure' | 'aggregate' | 'enum' | 'domain' | 'composite' | 'range';
  readonly comment: string | null;
  /** The definition as SQL; null if the role may not see it. */
  readonly definition: string | null;
}

/** A trigger, or a rule of PostgreSQL. */
export interface Trigger {
  readonly name: string;
  readonly definition: string;
  /**
   * What ALTER TABLE has set since it was made: DISABLE, ENABLE REPLICA, ENABLE ALWAYS; null for
   * nothing.
   */
  readonly state?: string | null;
}

/** Row-level security that is in force. */
interface RowSecurity {
  /** False if this role owns the table, or bypasses all policies. */
  readonly isForThisRole: boolean;
  /** Each as SQL from its name on, without the table. */
  readonly policies: readonly string[];
}

/** What a role's rights may hide of an object. */
export type Unseen = 'columns' | 'keys' | 'incoming foreign keys' | 'checks' | 'triggers' | 'definition';

interface Partitioning {
  /** `RANGE (at)`; null if the table isn't partitioned. */
  readonly by: string | null;
  /** The qualified table that this one is a partition of, and its bounds; null if it is none. */
  readonly of: string | null;
  /** The first, the last and the default one; those in between may be left out. */
  readonly parts: readonly string[];
  /** Number of all partitions. */
  readonly partCount: number;
}

interface Inheritance {
  /** The qualified parent tables. */
  readonly from: readonly string[];
  /** Child tables that add no column: how many, and the first by name; null for none. */
  readonly children: { readonly count: number; readonly first: string } | null;
}

export interface TableDescription {
  readonly name: string;
  readonly schema: string | null;
  readonly kind: Table['kind'];
  readonly comment: string | null;
  readonly columns: readonly TableColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Null if there was no time to look for them. */
  readonly referencedBy: readonly IncomingForeignKey[] | null;
  readonly indexes: readonly Index[];
  readonly checks: readonly Check[];
  readonly triggers: readonly Trigger[];
  /** Rules of PostgreSQL. */
  readonly rules?: readonly Trigger[];
  /** On PostgreSQL; null if it is off. */
  readonly rowSecurity?: RowSecurity | null;
  /** True for a STRICT table of SQLite, which refuses values of other types. */
  readonly isStrict?: boolean;
  /** True for a table of MariaDB that keeps what its rows were before, for `FOR SYSTEM_TIME`. */
  readonly isVersioned?: boolean;
  /** What the table may have besides, unseen by this role. */
  readonly unseen?: readonly Unseen[];
  /** Null if it is neither partitioned nor a partition. */
  readonly partitioning: Partitioning | null;
  /** On PostgreSQL; null without parents and without children of this kind. */
  readonly inheritance?: Inheritance | null;
  readonly ddl: string | null;
  /** Includes the rows of its partitions and children, as the size does. */
  readonly approximateRowCount: number | null;
  /** True if the rows were just counted, so the count is no estimate. */
  readonly isCounted?: boolean;
  readonly sizeBytes: number | null;
}

export interface ServerStatus {
  readonly serverVersion: string;
  readonly currentUser: string | null;
  readonly currentDatabase: string | null;
  readonly currentSchema: string | null;
  readonly latencyMilliseconds: number;
  /** Sentences, such as that the role is a superuser, or may read files of the server. */
  readonly warnings: readonly string[];
  /** True if the role has a right of its own to change tables, beyond those of every role. */
  readonly mayWrite: boolean;
  /** True if a server of the connection took a write in a transaction that only reads. */
  readonly isReadWallMissing: boolean;
  /** What the server said to such a transaction, if it refused to begin it. */
  readonly readWallSaid: string | null;
}

/** How many texts of a catalog are looked through for a search. */
export const mostCatalogTexts = 50_000;
