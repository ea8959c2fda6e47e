/**
 * The short question that settles most reads: are the tables that they name plain, and can no
 * user's code run when they are read? It says no more than `catalogLookup` would. That is asked if
 * the answer isn't yes. PostgreSQL 12 or later.
 */

import { holdsUsers, isNoExtensions, isOwn, isUsers, statisticsOf, withOperatorsQualified } from './lookup-parts.ts';
import type { CatalogQuestion } from './question.ts';

/**
 * Hides the length of a list from the planner. It would find so short a list worth a plan of its
 * own each time.
 */
const unseen = (parameter: string, type: string): string =>
  `array(select pg_catalog.unnest(${parameter}::pg_catalog.${type}[]))`;

/**
 * A subquery with an OFFSET is asked by index for each row. Without the OFFSET, the planner expects
 * many tables and reads whole catalogs into a hash table. The comparisons of a user's object by
 * number and name have this form so that the index on names is used. The other index would be read
 * for all objects of all extensions.
 */
const plainTables = withOperatorsQualified(`not exists (
  select from rows from (pg_catalog.unnest(${unseen('$1', 'text')}), pg_catalog.unnest(${unseen('$2', 'name')}),
    pg_catalog.unnest(${unseen('$3', 'bool')})) as s(schema, name, anywhere)
  join pg_catalog.pg_class c on c.relname = s.name
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where case when s.schema is not null then n.nspname = s.schema::pg_catalog.name
      else s.anywhere or pg_catalog.pg_table_is_visible(c.oid) end
    and n.nspname <> 'pg_catalog' and (${isOwn('c.oid')}
    or (c.relkind <> 'r' and c.relkind <> 'p' and c.relkind <> 'S') or c.relrowsecurity
    or exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and (a.attgenerated <> '' or (${isUsers('a.atttypid')}
      and not exists (select from pg_catalog.pg_type t where t.oid = a.atttypid and t.typtype = 'e'))) offset 0)
    or c.relchecks <> 0::pg_catalog.int2 and exists (select from pg_catalog.pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and ${holdsUsers('k.conbin')} offset 0)
    or exists (select from pg_catalog.pg_index i
      where i.indrelid = c.oid and (i.indexprs is not null or i.indpred is not null)
        and (${holdsUsers('i.indexprs')} or ${holdsUsers('i.indpred')}) offset 0)
    or c.relkind = 'p' and exists (select from pg_catalog.pg_partitioned_table t
      where t.partrelid = c.oid and ${holdsUsers('t.partexprs')} offset 0)
    or exists (${statisticsOf('c.oid')} offset 0)
    or c.relhassubclass)
) and not exists (
  select from pg_catalog.pg_operator o where ${isUsers('o.oid')} and ${isNoExtensions('pg_operator', 'o.oid')}
) and not exists (
  select from pg_catalog.pg_cast k
  where ${isUsers('k.oid')} and k.castfunc <> 0::pg_catalog.oid and ${isNoExtensions('pg_cast', 'k.oid')}
)`);

const plainCalls = withOperatorsQualified(`not exists (
  select from pg_catalog.pg_proc p
  where p.proname = any (${unseen('$4', 'name')}) and (p.oid::pg_catalog.int8 >= 16384::pg_catalog.int8
    or p.proacl is not null and not pg_catalog.has_function_privilege('public', p.oid, 'EXECUTE'))
) and not exists (
  select from pg_catalog.pg_type t
  where t.typname = any (${unseen('$4', 'name')}) and t.oid::pg_catalog.int8 >= 16384::pg_catalog.int8
    and t.typrelid = 0::pg_catalog.oid
)`);

/** A row of a table is a value of a type, too. */
const plainTypes = withOperatorsQualified(`not exists (
  select from pg_catalog.pg_type t
  where t.typname = any (${unseen('$5', 'name')}) and t.oid::pg_catalog.int8 >= 16384::pg_catalog.int8
)`);

const tablesAlone = `select ${plainTables} as plain`;
const tablesAndCalls = `select ${plainTables} and ${plainCalls} as plain`;
const tablesCallsAndTypes = `select ${plainTables} and ${plainCalls} and ${plainTypes} as plain`;

/** A query of one row with one boolean, and its parameters. */
interface PlainQuestion {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** @returns null if the question is about more: then only the whole catalog can answer. */
export function plainQuestion(question: CatalogQuestion): PlainQuestion | null {
  const { relations, functions, operators, types, attributes, everyRelation, settings } = question;
  if (settings || everyRelation) return null;
  if (relations.some(({ role }) => role !== 'read')) return null;
  if (![...functions, ...operators, ...types].every(({ builtIn }) => builtIn)) return null;
  const tables = [
    arrayOf(relations.map(({ schema }) => schema)),
    arrayOf(relations.map(({ name }) => name)),
    // Stored code may look in any schema of its path, so all tables of that name must be plain.
    arrayOf(relations.map(({ path }) => String(path !== null))),
  ];
  const calls = [...functions.map(({ name }) => name), ...attributes];
  const once = (names: readonly string[]): string => arrayOf([...new Set(names)].sort());
  if (types.length > 0)
    return { sql: tablesCallsAndTypes, parameters: [...tables, once(calls), once(types.map(({ name }) => name))] };
  if (calls.length === 0) return { sql: tablesAlone, parameters: tables };
  return { sql: tablesAndCalls, parameters: [...tables, once(calls)] };
}

/** As PostgreSQL writes an array (manual, 8.15.2). */
export function arrayOf(texts: readonly (string | null)[]): string {
  const items = texts.map(text => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`));
  return `{${items.join(',')}}`;
}
