/**
 * What a database tells of itself: its tables and what else has a name there. Only types and a
 * bound.
 */

export interface Table {
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'table' | 'view' | 'materialized_view' | 'foreign_table' | 'virtual_table' | 'sequence' | 'other';
  readonly comment: string | null;
  readonly approximateRowCount: number | null;
  /** How many tables it is divided into, which are not listed beside it. */
  readonly partitions?: number;
  /**
   * PostgreSQL: how many tables inherit from it and add no column, which are not listed beside it
   * either.
   */
  readonly children?: number;
}

/** A name or comment in the catalog, and what it belongs to. */
export interface CatalogText {
  readonly schema: string | null;
  readonly object: string;
  readonly kind: Table['kind'] | 'function' | 'procedure';
  /** The object's own, shown beside whatever else was found of it. */
  readonly objectComment: string | null;
  /** Null: of the object itself. */
  readonly column: string | null;
  readonly isComment: boolean;
  readonly text: string;
}

/** Where a connection may look. */
export interface Places {
  /** Those that a bare name is looked for in first, then by name; without the engine's own. */
  readonly schemas: readonly string[];
  /** Empty where the connection is for one database. */
  readonly databases: readonly string[];
}

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The default as SQL text. */
  readonly default: string | null;
  /** MySQL, MariaDB: what each change of the row stores in it, as SQL text. */
  readonly onUpdate?: string | null;
  readonly generated: 'always' | 'by_default' | 'stored' | 'virtual' | null;
  readonly primaryKey: boolean;
  readonly comment: string | null;
  /** Labels of an enum or set. */
  readonly allowedValues: readonly string[] | null;
  /**
   * PostgreSQL: what the domain that is its type demands of each VALUE; absent where it demands
   * nothing.
   */
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

/** A foreign key of another table that points here. */
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
  /** The index as SQL text where the engine gives it. */
  readonly definition: string | null;
}

/** A routine or type, which a statement names and no table is. */
export interface ObjectDescription {
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'function' | 'procedure' | 'aggregate' | 'enum' | 'domain' | 'composite' | 'range';
  readonly comment: string | null;
  /** As SQL; null where the role may not see it. */
  readonly definition: string | null;
}

export interface Trigger {
  readonly name: string;
  readonly definition: string;
  /**
   * What ALTER TABLE made of it since: DISABLE, ENABLE REPLICA, ENABLE ALWAYS; null where it acts
   * as it was made.
   */
  readonly state?: string | null;
}

interface Partitioning {
  /** `RANGE (at)`; null where the table is not divided. */
  readonly by: string | null;
  /** The table whose part this is, qualified, and its bounds; null where it is none. */
  readonly of: string | null;
  /** The first, the last and what takes all others; those between may be left out. */
  readonly parts: readonly string[];
  /** Of all. */
  readonly partCount: number;
}

interface Inheritance {
  /** The tables above it, qualified. */
  readonly from: readonly string[];
  /** Those that add no column: how many, and the first, qualified; null for none. */
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
  /** Null where they could not be looked for in time. */
  readonly referencedBy: readonly IncomingForeignKey[] | null;
  readonly indexes: readonly Index[];
  readonly checks: readonly { readonly name: string | null; readonly expression: string }[];
  readonly triggers: readonly Trigger[];
  /** PostgreSQL: what is done instead of a change or beside it, each as it is made. */
  readonly rules?: readonly string[];
  /** Null where it is neither divided nor a part. */
  readonly partitioning: Partitioning | null;
  /** PostgreSQL; null where it neither inherits nor has children like itself. */
  readonly inheritance?: Inheritance | null;
  readonly ddl: string | null;
  /** With the rows of its partitions and children, as its size is. */
  readonly approximateRowCount: number | null;
  /** Where the rows were counted just now: then the count is no estimate. */
  readonly isCounted?: boolean;
  readonly sizeBytes: number | null;
}

export interface ServerStatus {
  readonly serverVersion: string;
  readonly currentUser: string | null;
  readonly currentDatabase: string | null;
  readonly currentSchema: string | null;
  readonly latencyMilliseconds: number;
  /** Sentences: a role that is superuser or may read server files. */
  readonly warnings: readonly string[];
  /** Whether the role may change tables, by a right of its own and not one that every role has. */
  readonly mayWrite: boolean;
}

export const mostCatalogTexts = 50_000;
