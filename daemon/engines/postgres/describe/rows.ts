/** Rows of the answer to `describe-sql`, as JSON. Only types. */

import type { IncomingForeignKey, Index, TableColumn, Trigger } from '../../engine.ts';

export interface ColumnRow extends Pick<TableColumn, 'name' | 'type' | 'default' | 'comment'> {
  /** The name, quoted if necessary. */
  readonly quoted: string;
  readonly notNull: boolean;
  /** pg_attribute.attidentity: '' none, a always, d by default. */
  readonly identity: string;
  /** The options of an identity column's sequence; null if they are the parent's. */
  readonly identityOptions: string | null;
  /** pg_attribute.attgenerated: '' none, s stored, v virtual. */
  readonly generated: string;
  /** For a partition's column, what making the partition gives it; null elsewhere. */
  readonly ofParent: Pick<ColumnRow, 'notNull' | 'default'> | null;
  /** COLLATE and its name; null if it is the type's own. */
  readonly collation: string | null;
  /** The column's options for the wrapper of a foreign table. */
  readonly foreignOptions: readonly string[];
  readonly labels: TableColumn['allowedValues'];
  readonly checks: Required<TableColumn>['checks'] | null;
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
  /** Each as its SQL. */
  readonly policies: readonly string[];
  readonly columns: readonly ColumnRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly referencedBy: readonly IncomingForeignKey[];
  /** `ofParent`: it comes with the partitioned table's index. */
  readonly indexes: readonly (Index & { readonly ofConstraint: boolean; readonly ofParent: boolean })[];
  readonly triggers: readonly TriggerRow[];
  /** Each as its SQL, with its semicolon. */
  readonly rules: readonly string[];
  readonly statistics: readonly string[];
}
