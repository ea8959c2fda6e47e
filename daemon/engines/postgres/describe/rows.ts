/** The rows that `describe-sql` answers with, as JSON. Only types. */

import type { IncomingForeignKey, Index, TableColumn, Trigger } from '../../engine.ts';

export interface ColumnRow extends Pick<TableColumn, 'name' | 'type' | 'default' | 'comment'> {
  /** Its name, quoted where it has to be. */
  readonly quoted: string;
  readonly notNull: boolean;
  /** pg_attribute.attidentity: '' none, a always, d by default. */
  readonly identity: string;
  /** Of an identity column, what its sequence counts by; null where that is its parent's. */
  readonly identityOptions: string | null;
  /** pg_attribute.attgenerated: '' none, s stored, v virtual. */
  readonly generated: string;
  /** Of a partition's column, what making the partition gives it; null elsewhere. */
  readonly ofParent: Pick<ColumnRow, 'notNull' | 'default'> | null;
  /** COLLATE and its name; null where it is the type's own. */
  readonly collation: string | null;
  /** What the wrapper of a foreign table is told of it. */
  readonly foreignOptions: readonly string[];
  readonly labels: TableColumn['allowedValues'];
  readonly checks: Required<TableColumn>['checks'] | null;
}

export interface ConstraintRow {
  readonly name: string;
  /** pg_constraint.contype: p, u, c, f, x. */
  readonly type: string;
  /** Made with that of a table which this one is a part of, or inherits from. */
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
  /** Its name, quoted where it has to be. */
  readonly quoted: string;
  /** Made with that of the table that this one is a part of. */
  readonly ofParent: boolean;
  /**
   * Whether its state is another than it was made with: its parent's has one of its own, which a
   * partition takes over.
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
  /** With those of what stands under it, as the bytes are. */
  readonly rows: number | null;
  readonly bytes: number | null;
  /** Of children that add no column. */
  readonly childCount: number | null;
  /** Quoted and qualified. */
  readonly firstChild: string | null;
  readonly options: readonly string[] | null;
  readonly partitionKey: string | null;
  readonly partitionBound: string | null;
  /** Each with its bounds; no more than are told. */
  readonly parts: readonly string[];
  readonly partCount: number;
  /** Quoted and qualified. */
  readonly parents: readonly string[];
  readonly viewDefinition: string | null;
  readonly foreignServer: string | null;
  readonly foreignOptions: readonly string[] | null;
  readonly sequence: string | null;
  /** Those that a `serial` column owns: made before the table, given to it after. */
  readonly ownedSequences: readonly { readonly qualified: string; readonly options: string; readonly column: string }[];
  readonly rowSecurity: boolean;
  readonly forcedRowSecurity: boolean;
  /** Each as it is made. */
  readonly policies: readonly string[];
  readonly columns: readonly ColumnRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly referencedBy: readonly IncomingForeignKey[];
  /** `ofParent`: made with the index of the table that this one is a part of. */
  readonly indexes: readonly (Index & { readonly ofConstraint: boolean; readonly ofParent: boolean })[];
  readonly triggers: readonly TriggerRow[];
  /** Each as it is made, with its semicolon. */
  readonly rules: readonly string[];
  readonly statistics: readonly string[];
}
