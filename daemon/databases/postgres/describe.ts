/** Describes one table, view or their like, from one question to the catalog (PostgreSQL 12 or newer). */

import type { Answer, CallContext, TableColumn, TableDescription } from '../../query/database.ts';
import { assembleDdl } from './ddl.ts';
import { describeSql } from './describe-sql.ts';
import { ask } from './look-up.ts';
import type { Pool } from './pool.ts';
import { kindOfRelation } from './schema.ts';

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

/** What may be folded to lower case and split at a dot without asking whether quotes were meant. */
const plainName = /^[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)?$/;

/** @param table as it is spelled; where no such table exists, also as SQL would read it unquoted (`Public.Users`). */
export async function describeTable(
  pool: Pool,
  context: CallContext,
  table: string,
): Promise<Answer<TableDescription | null>> {
  const unquoted = context.schema === null && plainName.test(table) ? table : null;
  const answer = await ask(pool, context, describeSql, [table, context.schema, unquoted]);
  if (answer.kind !== 'done') return answer;
  const [text] = answer.value;
  return { kind: 'done', value: text === undefined ? null : describe(JSON.parse(text)) };
}

function describe(row: RelationRow): TableDescription {
  const primaryKey = row.constraints.find(({ type }) => type === 'p')?.columns ?? [];
  return {
    name: row.name,
    schema: row.schema,
    kind: kindOfRelation[row.relkind] ?? 'other',
    comment: row.comment,
    columns: row.columns.map(column => describeColumn(column, primaryKey)),
    primaryKey,
    foreignKeys: row.constraints.flatMap(foreignKey),
    referencedBy: row.referencedBy,
    indexes: row.indexes.map(({ ofConstraint: _, ...index }) => index),
    checks: row.constraints.flatMap(({ type, name, expression }) =>
      type === 'c' && expression !== null ? [{ name, expression }] : [],
    ),
    triggers: row.triggers,
    ddl: assembleDdl(row),
    approximateRowCount: row.rows,
    sizeBytes: row.bytes,
  };
}

const generatedBy: Readonly<Record<string, TableColumn['generated']>> = {
  a: 'always',
  d: 'by_default',
  s: 'stored',
  v: 'virtual',
};

function describeColumn(column: ColumnRow, primaryKey: readonly string[]): TableColumn {
  return {
    name: column.name,
    type: column.type,
    nullable: !column.notNull,
    default: column.default,
    generated: generatedBy[column.identity || column.generated] ?? null,
    primaryKey: primaryKey.includes(column.name),
    comment: column.comment,
    allowedValues: column.labels,
  };
}

/** pg_constraint.confupdtype and confdeltype. */
const actions: Readonly<Record<string, string>> = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
};

function foreignKey(row: ConstraintRow): TableDescription['foreignKeys'] {
  if (row.type !== 'f' || row.referencedTable === null) return [];
  return [
    {
      name: row.name,
      columns: row.columns,
      referencedSchema: row.referencedSchema,
      referencedTable: row.referencedTable,
      referencedColumns: row.referencedColumns,
      onUpdate: actions[row.onUpdate] ?? null,
      onDelete: actions[row.onDelete] ?? null,
    },
  ];
}
