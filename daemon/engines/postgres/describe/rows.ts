/** Rows of the answer to `describe-sql`, as JSON. Only types. */

import type { Check, IncomingForeignKey, Index, TableColumn, Trigger } from '../../engine.ts';

export interface ColumnRow extends Pick<TableColumn, 'name' | 'type' | 'default' | 'comment'> {
  /** The name, quoted if necessary. */
  readonly quoted: string;
  readonly isReadable: boolean;
  readonly notNull: boolean;
  /** The constraint behind NOT NULL (PostgreSQL 18); `quoted`: null for its usual name. */
  readonly notNullRule:
    | (Pick<ConstraintRow, 'definition' | 'state' | 'isValid'> & { readonly quoted: string | null })
    | null;
  /** pg_attribute.attidentity: '' none, a always, d by default. */
  readonly identity: string;
  /** The options of an identity column's sequence; null if they are the parent's. */
  readonly identityOptions: string | null;
  /** pg_attribute.attgenerated: '' none, s stored, v virtual. */
  readonly generated: string;
  /** False if it only comes with a parent. */
  readonly isLocal: boolean;
  /** For a partition's column, what making the partition gives it; null elsewhere. */
  readonly ofParent: Pick<ColumnRow, 'notNull' | 'default'> | null;
  /** COLLATE and its name; null if it is the type's own. */
  readonly collation: string | null;
  /** The column's options for the wrapper of a foreign table. */
  readonly foreignOptions: readonly string[];
  /** The default of its domain, which holds if the column has none. */
  readonly domainDefault: string | null;
  /** What the types demand that its type is made of; null for a type of no others. */
  readonly demands: {
    readonly labels: TableColumn['allowedValues'];
    readonly checks: readonly Check[] | null;
    readonly notNull: boolean;
  } | null;
}

export interface ConstraintRow {
  readonly name: string;
  /** pg_constraint.contype: p, u, c, f, x. */
  readonly type: string;
  /** True if it comes with a parent or the partitioned table. */
  readonly ofParent: boolean;
  /** With its name. */
  readonly definition: string;
  readonly expression: string | null;
  readonly columns: readonly string[];
  readonly referencedSchema: string | null;
  readonly referencedTable: string | null;
  readonly referencedColumns: readonly string[];
  readonly onUpdate: string;
  readonly onDelete: string;
  /** The columns that ON DELETE SET NULL or SET DEFAULT names, quoted. */
  readonly onDeleteColumns: readonly string[];
  readonly isPeriod: boolean;
  readonly state: string | null;
  /** False if rows of before may break it: it can't be a part of CREATE TABLE. */
  readonly isValid: boolean;
}

export interface TriggerRow extends Trigger {
  /** The name, quoted if necessary. */
  readonly quoted: string;
  /** True if it comes with the partitioned table. */
  readonly ofParent: boolean;
  /**
   * True if its state differs from what creating it gives: a partition takes over its parent's
   * state.
   */
  readonly altered: boolean;
}

export interface RelationRow {
  readonly name: string;
  readonly schema: string;
  /** Quoted and qualified. */
  readonly qualified: string;
  readonly relkind: string;
  readonly unlogged: boolean;
  readonly comment: string | null;
  /** Includes what is under it, as the bytes do. */
  readonly rows: number | null;
  readonly bytes: number | null;
  /** Children that add no column. */
  readonly childCount: number | null;
  /** Quoted and qualified. */
  readonly firstChild: string | null;
  readonly options: readonly string[] | null;
  /** The type that a typed table is of. */
  readonly ofType: string | null;
  readonly isPopulated: boolean;
  /** What it was given after its making, as SQL; empty unless the DDL is wanted. */
  readonly alterations: readonly string[];
  readonly partitionKey: string | null;
  readonly partitionBound: string | null;
  /** Each with its bounds; at most as many as are told. */
  readonly parts: readonly string[];
  readonly partCount: number;
  /** Quoted and qualified. */
  readonly parents: readonly string[];
  readonly viewDefinition: string | null;
  readonly foreignServer: string | null;
  readonly foreignOptions: readonly string[] | null;
  readonly sequence: string | null;
  /** Sequences that a `serial` column owns: made before the table, given to it after. */
  readonly ownedSequences: readonly { readonly qualified: string; readonly options: string; readonly column: string }[];
  readonly rowSecurity: boolean;
  readonly forcedRowSecurity: boolean;
  /** For this role. */
  readonly activeRowSecurity: boolean;
  readonly policies: readonly { readonly quoted: string; readonly terms: string }[];
  readonly columns: readonly ColumnRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly referencedBy: readonly IncomingForeignKey[];
  /** `ofParent`: it comes with the partitioned table's index. */
  readonly indexes: readonly (Index & {
    readonly ofConstraint: boolean;
    readonly ofParent: boolean;
    readonly isValid: boolean;
  })[];
  readonly triggers: readonly TriggerRow[];
  /** Each with its semicolon. */
  readonly rules: readonly (Trigger & Pick<TriggerRow, 'quoted'>)[];
  readonly statistics: readonly string[];
}
