/** Describes tables, views and the like with one query to the catalog (PostgreSQL 12 or newer). */

import type { Answer, CallContext, TableColumn, TableDescription } from '../engine.ts';
import { assembleDdl, withoutSemicolon } from './describe/ddl.ts';
import type { ColumnRow, ConstraintRow, RelationRow } from './describe/rows.ts';
import { describeSql } from './describe/sql.ts';
import { ask } from './look-up.ts';
import type { Pool } from './pool.ts';
import { kindOfRelation } from './schema.ts';

/**
 * A name that may be folded to lower case and split at a dot without asking whether quotes were
 * meant.
 */
const plainName = /^[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)?$/;

/**
 * @param names as spelled; if there is no such table, also as SQL reads them unquoted
 *   (`Public.Users`).
 */
export async function describeTables(
  pool: Pool,
  context: CallContext,
  names: readonly string[],
  withDdl: boolean,
): Promise<Answer<readonly (TableDescription | null)[]>> {
  const asked = names.map(name => [name, ...(plainName.test(name) ? folded(name) : [])]);
  const answer = await ask(pool, context, describeSql[withDdl ? 'withDdl' : 'plain'], [
    JSON.stringify(asked),
    context.schema,
  ]);
  if (answer.kind !== 'done') return answer;
  const found = new Map(answer.value.map(text => JSON.parse(text) as [place: number, row: RelationRow]));
  return {
    kind: 'done',
    value: names.map((_, index) => {
      const row = found.get(index + 1);
      return row === undefined ? null : describe(row);
    }),
  };
}

function folded(name: string): readonly (string | null)[] {
  const [last, schema = null] = name.toLowerCase().split('.').toReversed();
  return [last ?? null, schema];
}

function describe(row: RelationRow): TableDescription {
  const primaryKey = row.constraints.find(({ type }) => type === 'p')?.columns ?? [];
  return {
    name: row.name,
    schema: row.schema,
    kind: kindOfRelation[row.relkind] ?? 'other',
    comment: row.comment,
    columns: row.columns.map(column => ({
      ...describeColumn(column, primaryKey),
      isUnreadable: !column.isReadable && row.columns.some(({ isReadable }) => isReadable),
    })),
    primaryKey,
    foreignKeys: row.constraints.flatMap(foreignKey),
    referencedBy: row.referencedBy,
    indexes: row.indexes.map(({ ofConstraint: _, ofParent: __, isValid: ___, ...index }) => index),
    checks: row.constraints.flatMap(({ type, name, expression, state }) =>
      type === 'c' && expression !== null ? [{ name, expression, state }] : [],
    ),
    triggers: row.triggers.map(({ quoted: _, ofParent: __, altered: ___, ...trigger }) => trigger),
    rules: row.rules.map(({ quoted: _, ...rule }) => ({ ...rule, definition: withoutSemicolon(rule.definition) })),
    rowSecurity: row.rowSecurity
      ? { isForThisRole: row.activeRowSecurity, policies: row.policies.map(({ quoted, terms }) => quoted + terms) }
      : null,
    partitioning: partitioningOf(row),
    inheritance: inheritanceOf(row),
    ddl: assembleDdl(row),
    approximateRowCount: row.rows,
    sizeBytes: row.bytes,
  };
}

function partitioningOf({
  partitionKey: by,
  partitionBound,
  parents,
  parts,
  partCount,
}: RelationRow): TableDescription['partitioning'] {
  const of = partitionBound === null ? null : `${parents[0] ?? ''} ${partitionBound}`;
  return by === null && of === null ? null : { by, of, parts, partCount };
}

function inheritanceOf({
  partitionBound,
  parents,
  childCount,
  firstChild,
}: RelationRow): Required<TableDescription>['inheritance'] {
  const from = partitionBound === null ? parents : [];
  const children = childCount === null ? null : { count: childCount, first: firstChild ?? '' };
  return from.length === 0 && children === null ? null : { from, children };
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
    nullable: !column.notNull && column.demands?.notNull !== true,
    notNullState: column.notNullRule?.state ?? null,
    terms: column.collation === null ? [] : [column.collation],
    default: column.default ?? (column.identity === '' ? column.domainDefault : null),
    generated: generatedBy[column.identity || column.generated] ?? null,
    primaryKey: primaryKey.includes(column.name),
    comment: column.comment,
    allowedValues: column.demands?.labels ?? null,
    ...(column.demands?.checks && { checks: column.demands.checks }),
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
      onDelete: withColumns(actions[row.onDelete] ?? null, row.onDeleteColumns),
      isPeriod: row.isPeriod,
      state: row.state,
    },
  ];
}

function withColumns(action: string | null, columns: readonly string[]): string | null {
  return action === null || columns.length === 0 ? action : `${action} (${columns.join(', ')})`;
}
