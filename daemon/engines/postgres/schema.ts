/**
 * Lists a database's tables, views and the like, and its schemas and databases. One read-only query
 * each, every name qualified.
 */

import type { Answer, CallContext, Places, Table } from '../engine.ts';
import { childCount, isPartOf, partitionCount, rowsOfTree } from './describe/tables-under.ts';
import { ask } from './look-up.ts';
import type { Pool } from './pool.ts';

/** pg_class.relkind. */
export const kindOfRelation: Readonly<Record<string, Table['kind']>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized_view',
  f: 'foreign_table',
  S: 'sequence',
};

/**
 * The schemas of a call: $1, or all but the system's own and those of extensions (TimescaleDB keeps
 * its chunks in one); `n` is pg_namespace.
 */
export const schemaAsked = `pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  AND CASE WHEN CAST($1 AS pg_catalog.name) IS NULL
    THEN n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
      AND n.nspname !~ '^pg_(toast_)?temp_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS member
        WHERE member.classid = CAST('pg_catalog.pg_namespace' AS pg_catalog.regclass)
          AND member.objid = n.oid AND member.deptype = 'e')
    ELSE n.nspname = CAST($1 AS pg_catalog.name) END`;

const isWithItsTable = isPartOf(`pg_catalog.has_schema_privilege(whole.relnamespace, 'USAGE')
      AND (CAST($1 AS pg_catalog.name) IS NULL OR whole.relnamespace = c.relnamespace)`);

/**
 * The listed relations `c` in schemas `n`. A column's sequence is part of its table; so is a
 * partition, or a child that adds no column, if its table is listed too.
 */
export const listedRelations = `FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND ${schemaAsked}
  AND NOT (c.relkind = 'S' AND EXISTS (
    SELECT FROM pg_catalog.pg_depend AS d
    WHERE d.classid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)
      AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
  AND NOT ${isWithItsTable}`;

/** Relations that aren't listed because their table is. */
export const relationsWithTheirTable = `FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f') AND ${schemaAsked} AND ${isWithItsTable}`;

/** Characters. A comment may be a book: one of 16 MB would keep all tables from being listed. */
export const longestComment = 500;

/** One row for all: transferring a row per table takes longer than reading the catalog. */
const tablesSql = (
  rows: string,
): string => `SELECT CAST(coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(c.relname, n.nspname, c.relkind, pg_catalog.left(pg_catalog.obj_description(c.oid, 'pg_class'), ${longestComment}), ${rows}, ${partitionCount}, ${childCount}) ORDER BY n.nspname, c.relname), '[]') AS pg_catalog.text)
${listedRelations}`;

type TableRow = [string, string, string, string | null, number | null, number | null, number | null];

/**
 * @param rowCounts false leaves them out: for 10,000 tables the server JIT-compiles the counting
 *   plan for a second.
 */
export async function listTables(
  pool: Pool,
  context: CallContext,
  rowCounts: boolean,
): Promise<Answer<readonly Table[]>> {
  const answer = await ask(pool, context, tablesSql(rowCounts ? rowsOfTree : 'NULL'), [context.schema]);
  if (answer.kind !== 'done') return answer;
  const rows: readonly TableRow[] = JSON.parse(answer.value[0] ?? '[]');
  const value = rows.map(([name, schema, relkind, comment, approximateRowCount, partitions, children]) => ({
    name,
    schema,
    comment,
    approximateRowCount,
    ...(partitions !== null && { partitions }),
    ...(children !== null && { children }),
    kind: kindOfRelation[relkind] ?? 'other',
  }));
  return { kind: 'done', value };
}

/**
 * `reset_val` is the search path of a new session of this role; our questions run under another.
 */
const placesSql = `SELECT CAST(pg_catalog.json_build_object(
  'path', (SELECT s.reset_val FROM pg_catalog.pg_settings AS s WHERE s.name = 'search_path'),
  'user', CURRENT_USER,
  'schemas', ARRAY(SELECT CAST(n.nspname AS pg_catalog.text) FROM pg_catalog.pg_namespace AS n WHERE ${schemaAsked} ORDER BY n.nspname),
  'databases', ARRAY(SELECT CAST(d.datname AS pg_catalog.text) FROM pg_catalog.pg_database AS d
    WHERE d.datallowconn AND NOT d.datistemplate AND pg_catalog.has_database_privilege(d.oid, 'CONNECT') ORDER BY d.datname)
) AS pg_catalog.text)`;

export async function places(pool: Pool, context: CallContext, databases: 'own' | 'all'): Promise<Answer<Places>> {
  const answer = await ask(pool, context, placesSql, [null]);
  if (answer.kind !== 'done') return answer;
  const found = JSON.parse(answer.value[0] ?? '{}') as Places & { readonly path: string; readonly user: string };
  const path = (found.path.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []).map(entry => {
    const name = entry.startsWith('"') ? entry.slice(1, -1).replaceAll('""', '"') : entry;
    return name === '$user' ? found.user : name;
  });
  const first = path.filter(name => found.schemas.includes(name));
  const rest = found.schemas.filter(name => !first.includes(name));
  const several = databases === 'all' && found.databases.length > 1;
  return {
    kind: 'done',
    value: { schemas: [...new Set([...first, ...rest])], databases: several ? found.databases : [] },
  };
}
