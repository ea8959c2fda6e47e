/** The rows that `describe-sql` answers with, as JSON. Only types. */

export interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default: string | null;
  /** pg_attribute.attidentity: '' none, a always, d by default. */
  readonly identity: string;
  /** pg_attribute.attgenerated: '' none, s stored, v virtual. */
  readonly generated: string;
  readonly collation: string | null;
  readonly comment: string | null;
  readonly labels: readonly string[] | null;
}

export interface ConstraintRow {
  readonly name: string;
  /** pg_constraint.contype: p, u, c, f, x. */
  readonly type: string;
  readonly definition: string;
  readonly expression: string | null;
  readonly columns: readonly string[];
  readonly referencedSchema: string | null;
  readonly referencedTable: string | null;
  readonly referencedColumns: readonly string[];
  readonly onUpdate: string;
  readonly onDelete: string;
}

export interface RelationRow {
  readonly name: string;
  readonly schema: string;
  /** Quoted and qualified. */
  readonly qualified: string;
  readonly relkind: string;
  readonly unlogged: boolean;
  readonly comment: string | null;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly options: readonly string[] | null;
  readonly partitionKey: string | null;
  readonly partitionBound: string | null;
  /** Quoted and qualified. */
  readonly parents: readonly string[];
  readonly viewDefinition: string | null;
  readonly foreignServer: string | null;
  readonly foreignOptions: readonly string[] | null;
  readonly sequence: string | null;
  readonly columns: readonly ColumnRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly referencedBy: readonly {
    readonly name: string;
    readonly schema: string;
    readonly table: string;
    readonly columns: readonly string[];
    readonly referencedColumns: readonly string[];
  }[];
  readonly indexes: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly unique: boolean;
    readonly method: string;
    readonly definition: string;
    readonly ofConstraint: boolean;
  }[];
  readonly triggers: readonly { readonly name: string; readonly definition: string }[];
}
