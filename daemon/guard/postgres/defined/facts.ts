/**
 * What a definition did, as `definition-sql` reads it from the catalogs inside its transaction.
 * Plain data. "Ours" is a row that the statement's own transaction wrote.
 */

/** A row of the named relations, to be compared before and after. */
export interface CatalogRow {
  readonly catalog: string;
  readonly key: string;
  /** The oid of its relation. */
  readonly relation: number;
  readonly content: Readonly<Record<string, unknown>>;
  readonly isOurs: boolean;
}

export interface RowBefore extends CatalogRow {
  /** The part of a tree that its relation belongs to; 0 for what the statement names. */
  readonly unit: number;
}

export interface DefinedBefore {
  /** The first transaction number of a step of several; null if it is no step, or the first. */
  readonly since?: number | null;
  /** Relations that the statement names, with their children, indexes and TOAST tables. */
  readonly held: readonly number[];
  /** The rows as they were; of a group of parts, only those of its first part. */
  readonly rows: readonly RowBefore[];
  /** Parts of trees, by oid, that say the same but for which part they are. */
  readonly groups: readonly (readonly number[])[];
  /** By catalog: tuples inserted, updated and deleted, as the session's counters have them. */
  readonly counts: Readonly<Record<string, readonly [number, number, number]>>;
}

/** What an expression is made of, by the catalog's own tree of it. */
export interface ExpressionFact {
  readonly nodes: readonly string[];
  /** Without comparisons of PostgreSQL's own. */
  readonly functions: readonly {
    readonly schema: string;
    readonly name: string;
    readonly volatility: 'i' | 's' | 'v';
    readonly ofExtension: boolean;
  }[];
  /** Oids of types that a value is relabelled as, or turned into by way of its text. */
  readonly becomes: readonly string[];
  /** As SQL. */
  readonly text: string;
}

export interface RelationFact {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** `pg_class.relkind`. */
  readonly kind: string;
  readonly isTemporary: boolean;
  readonly isUnlogged: boolean;
  /** Publications that list it; for an older relation alone. */
  readonly publications: readonly string[];
}

export interface ColumnFact {
  /** As in `CatalogRow`. */
  readonly key: string;
  readonly relation: number;
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly isSmall: boolean;
  readonly takesNoNull: boolean;
  /** `pg_attribute.attgenerated`. */
  readonly generated: string;
  readonly isIdentity: boolean;
  /** True for a domain with a CHECK or NOT NULL. */
  readonly isChecked: boolean;
  /** Functions of a row of its table that have the column's name: `t.f` meant them. */
  readonly hides: readonly string[];
}

interface OnRelation {
  readonly key: string;
  readonly relation: number;
  /** What it says, as SQL: the same as `more` in the content of its row. */
  readonly written: string;
}

export interface SequenceFact {
  readonly oid: number;
  readonly name: string;
  /** True if it counts from 1 on by 1, and to the end of its type. */
  readonly isPlain: boolean;
  /** The column that it belongs to; null if to none. */
  readonly owner: { readonly relation: number; readonly column: number } | null;
  /** True if a role that may write to that table may take no number. An identity needs no right. */
  readonly isClosed: boolean;
}

/** A new name that comes before an existing one, or turns calls of a function into casts. */
export interface TakenName {
  readonly kind: 'relation' | 'type' | 'collation' | 'configuration' | 'dictionary' | 'schema' | 'function';
  readonly schema: string;
  readonly name: string;
  /**
   * The schema of what the bare name meant until now. For a new schema: the one that was searched.
   */
  readonly from: string;
}

/** Whether each group still says the same, and the relations that its first part speaks for. */
export interface StillAlike {
  readonly areAlike: boolean;
  readonly covered: readonly number[];
}

export interface DefinedAfter {
  readonly isCounting: boolean;
  /** By changed catalog: tuples inserted, updated, deleted; rows that are ours. */
  readonly counts: Readonly<Record<string, readonly [number, number, number, number | null]>>;
  readonly rows: readonly CatalogRow[];
  /** Ours, and those that anything below belongs to. */
  readonly relations: readonly (RelationFact & { readonly isOurs: boolean })[];
  /** Ours from here on. */
  readonly columns: readonly ColumnFact[];
  readonly defaults: readonly (OnRelation & { readonly number: number; readonly expression: ExpressionFact })[];
  readonly constraints: readonly (OnRelation & {
    readonly name: string;
    /** `pg_constraint.contype`. */
    readonly type: string;
    readonly columns: readonly number[];
    readonly cascades: boolean;
    readonly expression: ExpressionFact | null;
  })[];
  readonly indexes: readonly (OnRelation & {
    readonly isUnique: boolean;
    readonly nullsAreEqual: boolean;
    readonly columns: readonly number[];
    readonly expressions: readonly ExpressionFact[];
  })[];
  readonly children: readonly {
    readonly child: number;
    readonly parent: number;
    readonly isPartition: boolean;
    /** True if it has a rule for rows that its parent doesn't have. */
    readonly restricts: boolean;
  }[];
  readonly sequences: readonly SequenceFact[];
  /** Triggers that no foreign key made, rules that are no view's, statistics of expressions. */
  readonly code: readonly { readonly relation: number; readonly what: 'trigger' | 'rule' | 'statistics' }[];
  /** Casts between types of which none is new. */
  readonly casts: number;
  readonly taken: readonly TakenName[];
}
