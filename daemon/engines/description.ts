/** What a database says about itself: tables and other named objects. Only types and a bound. */

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
  /** Null for the object itself. */
  readonly column: string | null;
  readonly isComment: boolean;
  /** Set if `text` is the name of such a part of the table, as errors tell it. */
  readonly part?: 'constraint' | 'index';
  readonly text: string;
}

/** The schemas and databases that a connection may use. */
export interface SchemaList {
  /** First the search path, then the rest by name; without the engine's own. */
  readonly schemas: readonly string[];
  /** Empty if the connection is for one database. */
  readonly databases: readonly string[];
}

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The default as SQL text. */
  readonly default: string | null;
  /** MySQL, MariaDB: the value that each change of the row stores here, as SQL text. */
  readonly onUpdate?: string | null;
  readonly generated: 'always' | 'by_default' | 'stored' | 'virtual' | null;
  readonly primaryKey: boolean;
  readonly comment: string | null;
  /** Labels of an enum or set. */
  readonly allowedValues: readonly string[] | null;
  /** PostgreSQL: the domain's conditions on each VALUE; absent if there are none. */
  readonly checks?: readonly { readonly name: string; readonly expression: string }[];
}

export interface ForeignKey {
  readonly name: string | null;
  readonly columns: readonly string[];
  readonly referencedSchema: string | null;
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
  readonly onUpdate: string | null;
  readonly onDelete: string | null;
}

/** A foreign key of another table that points to this one. */
export interface IncomingForeignKey {
  readonly name: string | null;
  readonly schema: string | null;
  readonly table: string;
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly method: string | null;
  /** The index as SQL, if the engine has it. */
  readonly definition: string | null;
}

/** A routine or type: a statement can name it, and it is no table. */
export interface ObjectDescription {
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'function' | 'procedure' | 'aggregate' | 'enum' | 'domain' | 'composite' | 'range';
  readonly comment: string | null;
  /** As SQL; null if the role may not see it. */
  readonly definition: string | null;
}

export interface Trigger {
  readonly name: string;
  readonly definition: string;
  /**
   * What ALTER TABLE set since: DISABLE, ENABLE REPLICA, ENABLE ALWAYS; null for its original
   * state.
   */
  readonly state?: string | null;
}

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
  readonly checks: readonly { readonly name: string | null; readonly expression: string }[];
  readonly triggers: readonly Trigger[];
  /** PostgreSQL: its rules, as SQL. */
  readonly rules?: readonly string[];
  /** Null if it is neither partitioned nor a partition. */
  readonly partitioning: Partitioning | null;
  /** PostgreSQL; null without parents and without children of this kind. */
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
  /** Sentences, such as: the role is a superuser, or may read files of the server. */
  readonly warnings: readonly string[];
  /** True if the role has a right of its own to change tables, beyond those of every role. */
  readonly mayWrite: boolean;
}

export const mostCatalogTexts = 50_000;
