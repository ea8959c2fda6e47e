/**
 * The part of the catalog's answer on new names: which of them would come before the same name in a
 * later schema of a search path. The paths are this session's, those that roles, databases and
 * functions have of their own, and PostgreSQL's initial one. `$user` in a path is the schema of a
 * role's name. Asked only if a statement gives something a new name.
 */

import { withOperatorsQualified } from './lookup-parts.ts';

/** The schemas that already have the name of `c`, by what it could be taken for. */
const owners: readonly string[] = [
  ['pg_class', 'rel', "c.kind = 'relation'"],
  ['pg_type', 'typ', "(c.kind = 'relation' or c.kind = 'type')"],
  ['pg_collation', 'coll', "c.kind = 'collation'"],
  ['pg_ts_config', 'cfg', "c.kind = 'configuration'"],
  ['pg_ts_dict', 'dict', "c.kind = 'dictionary'"],
].map(
  ([catalog, prefix, isKind]) => `select n.nspname::pg_catalog.text from pg_catalog.${catalog} o
    join pg_catalog.pg_namespace n on n.oid = o.${prefix}namespace where ${isKind} and o.${prefix}name = c.name::pg_catalog.name`,
);

/** The first place of a schema in the path `p`; null if it isn't in the path. */
const placeOf = (schema: string): string => `least(pg_catalog.array_position(p.schemas, ${schema}),
  case when exists (select from pg_catalog.pg_roles a where a.rolname = ${schema}::pg_catalog.name)
    then pg_catalog.array_position(p.schemas, '$user'::pg_catalog.text) end)`;
const comesFirst = (schema: string, other: string): string =>
  `exists (select from path p where ${placeOf(schema)} < ${placeOf(other)})`;

const ownPath = "x.setting ~ '^search_path='";

/** For the WITH of the look-up. */
export const takenNameParts = withOperatorsQualified(`created as (
  select s.kind, s.name, coalesce(s.schema, (select n.nspname::pg_catalog.text from pg_catalog.pg_class b
    join pg_catalog.pg_namespace n on n.oid = b.relnamespace
    where b.relname = (s.beside ->> 'name')::pg_catalog.name
      and case when (s.beside ->> 'schema') is not null then n.nspname = (s.beside ->> 'schema')::pg_catalog.name
        else pg_catalog.pg_table_is_visible(b.oid) end limit 1), pg_catalog.current_schema()::pg_catalog.text) as schema
  from pg_catalog.json_to_recordset($1::pg_catalog.json -> 'created')
    as s(kind pg_catalog.text, schema pg_catalog.text, name pg_catalog.text, beside pg_catalog.json)
), path as (
  select array(select case when x.item ~ '^"' then pg_catalog.replace(pg_catalog.btrim(x.item, '"'), '""', '"') else pg_catalog.lower(x.item) end
    from pg_catalog.regexp_split_to_table(pg_catalog.btrim(t.setting), '\\s*,\\s*') with ordinality x(item, place) order by x.place) as schemas
  from (
    select '"$user", public'::pg_catalog.text union select pg_catalog.current_setting('search_path')
    union select s.reset_val from pg_catalog.pg_settings s where s.name = 'search_path'
    union select pg_catalog.substr(x.setting, 13) from pg_catalog.pg_db_role_setting d
      cross join lateral pg_catalog.unnest(d.setconfig) x(setting)
      where ${ownPath} and (d.setdatabase = 0::pg_catalog.oid or d.setdatabase = (
        select b.oid from pg_catalog.pg_database b where b.datname = pg_catalog.current_database()))
    union select pg_catalog.substr(x.setting, 13) from pg_catalog.pg_proc f
      cross join lateral pg_catalog.unnest(f.proconfig) x(setting) where f.proconfig is not null and ${ownPath}
  ) t(setting)
), taken as (
  select distinct on (c.kind, c.schema, c.name) c.kind, c.schema, c.name, o.owner as "from"
  from (select c.*, array(${owners.join(' union all ')}) as owners from created c where c.kind <> 'schema') c
  cross join lateral pg_catalog.unnest(c.owners) o(owner)
  where not exists (select from pg_catalog.unnest(c.owners) x(owner) where x.owner = c.schema)
    and ${comesFirst('c.schema', 'o.owner')}
  union all select distinct on (c.name) c.kind, c.name, c.name, n.nspname::pg_catalog.text
  from created c cross join pg_catalog.pg_namespace n
  where c.kind = 'schema' and not exists (select from pg_catalog.pg_namespace x where x.nspname = c.name::pg_catalog.name)
    and ${comesFirst('c.name', 'n.nspname::pg_catalog.text')}
)`);

export const takenNames = `(select coalesce(pg_catalog.json_agg(pg_catalog.row_to_json(t)), '[]') from taken t)`;
