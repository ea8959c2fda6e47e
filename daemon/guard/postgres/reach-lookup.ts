/**
 * The query that says what a `ReachQuestion` names in this session, and what is reached with it:
 * parts and children, what a change cascades to, rules, defaults, triggers, functions behind
 * operators, casts and aggregates. PostgreSQL 12 or later.
 */

import { isNoExtensions, isOwn, isUsers, withOperatorsQualified } from './lookup-parts.ts';

interface Sought {
  readonly schema: string | null;
  readonly name: string;
  /** Where stored code looks for a bare name: `*` for any schema; null for the session's path. */
  readonly path: '*' | null;
}

/** The parameter of `reachLookup`, as JSON. */
export interface ReachQuestion {
  readonly relations: readonly Sought[];
  /** `silent`: a built-in of that name tells of no table. */
  readonly functions: readonly (Sought & { readonly silent: boolean })[];
  readonly types: readonly Sought[];
  readonly operators: readonly string[];
  readonly attributes: readonly string[];
  readonly changes: boolean;
  readonly truncates: boolean;
  readonly asTable: boolean;
  /** True where columns are masked. */
  readonly columns: boolean;
  /** True for a plan, which shows what policies read. */
  readonly policies: boolean;
}

const sought = (
  kind: string,
  columns = '',
): string => `pg_catalog.json_array_elements($1::pg_catalog.json -> '${kind}') with ordinality y(item, place)
  cross join lateral pg_catalog.json_to_record(y.item)
    as s(schema pg_catalog.text, name pg_catalog.text, path pg_catalog.text${columns})`;
const isMeant = (visible: string): string => `case when s.schema is not null then n.nspname = s.schema::pg_catalog.name
  else s.path is not null or ${visible} end`;
const asked = (field: string): string => `($1::pg_catalog.json ->> '${field}')::pg_catalog.bool`;
const textsOf = (field: string): string =>
  `array(select x.name from pg_catalog.json_array_elements_text($1::pg_catalog.json -> '${field}') x(name))::pg_catalog.name[]`;

/** In: a `ReachQuestion` as JSON. Out: one row with one column, a `ReachAnswer` as JSON. */
export const reachLookup = withOperatorsQualified(`
with recursive meant(oid, place) as (
  select c.oid, y.place from ${sought('relations')}
    join pg_catalog.pg_class c on c.relname = s.name::pg_catalog.name
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where ${isMeant('pg_catalog.pg_table_is_visible(c.oid)')}
  union select coalesce(nullif(e.typrelid, 0::pg_catalog.oid), b.typrelid, t.typrelid), 0 from ${sought('types')}
    join pg_catalog.pg_type t on t.typname = s.name::pg_catalog.name
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    left join pg_catalog.pg_type e on e.oid = t.typelem
    left join pg_catalog.pg_type b on b.oid = t.typbasetype
    where ${isUsers('t.oid')} and ${isMeant('pg_catalog.pg_type_is_visible(t.oid)')}
), reached(oid, place) as (
  select m.oid, m.place from meant m where m.oid <> 0::pg_catalog.oid
  union select x.oid, r.place from reached r cross join lateral (
    select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = r.oid
    union all select k.conrelid from pg_catalog.pg_constraint k where ${asked('changes')} and k.confrelid = r.oid and k.contype = 'f'
      and (${asked('truncates')} or k.confdeltype::pg_catalog.text ~ '[cnd]' or k.confupdtype::pg_catalog.text ~ '[cnd]')
  ) x(oid)
), relation(oid, places) as (
  select r.oid, pg_catalog.array_agg(distinct r.place) from reached r group by r.oid
), above(base, oid) as (
  select r.oid, r.oid from relation r
  union select a.base, x.oid from above a cross join lateral (
    select i.inhparent from pg_catalog.pg_inherits i where i.inhrelid = a.oid
    union all select x.indrelid from pg_catalog.pg_index x where x.indexrelid = a.oid
    union all select d.refobjid from pg_catalog.pg_depend d where d.objid = a.oid and d.deptype::pg_catalog.text ~ '[ai]'
      and d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid
  ) x(oid)
), run(oid, place) as (
  select p.oid, y.place from ${sought('functions', ', silent pg_catalog.bool')}
    join pg_catalog.pg_proc p on p.proname = s.name::pg_catalog.name
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where ${isMeant('n.nspname = any (pg_catalog.current_schemas(true))')} and (${isUsers('p.oid')} or not s.silent)
  union select p.oid, 0 from pg_catalog.pg_proc p
    left join pg_catalog.pg_type t on t.oid = p.proargtypes[0] left join pg_catalog.pg_type b on b.oid = t.typbasetype
    where p.proname = any (${textsOf('attributes')}) and ${isUsers('p.oid')}
    and p.pronargs::pg_catalog.int4 >= 1 and (p.pronargs - p.pronargdefaults) <= 1
    and (${asked('asTable')} or t.typtype = 'p' or t.typtype = 'c' or b.typtype = 'c')
  union select x.code::pg_catalog.oid, 0 from pg_catalog.pg_operator o
    cross join lateral pg_catalog.unnest(array[o.oprcode, o.oprrest, o.oprjoin]) x(code)
    where o.oprname = any (${textsOf('operators')}) and ${isUsers('o.oid')} and ${isNoExtensions('pg_operator', 'o.oid')}
  union select k.castfunc, 0 from pg_catalog.pg_cast k
    where ${isUsers('k.oid')} and k.castfunc <> 0::pg_catalog.oid and ${isNoExtensions('pg_cast', 'k.oid')}
  union select g.tgfoid, r.place from pg_catalog.pg_trigger g join reached r on r.oid = g.tgrelid
    where ${asked('changes')} and not g.tgisinternal
), part(oid, place) as (
  select f.oid, f.place from run f
  union select x.code::pg_catalog.oid, f.place from run f join pg_catalog.pg_aggregate a on a.aggfnoid::pg_catalog.oid = f.oid
    cross join lateral pg_catalog.unnest(array[a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
      a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]) x(code)
    where ${isUsers('f.oid')} and ${isUsers('x.code::pg_catalog.oid')}
), called(oid, places) as (
  select f.oid, pg_catalog.array_agg(distinct f.place) from part f group by f.oid
)
select pg_catalog.json_build_object(
  'printsNames', exists (select from ${sought('types')} join pg_catalog.pg_type t on t.typname = s.name::pg_catalog.name
    join pg_catalog.pg_type b on b.oid = t.typbasetype where b.typname::pg_catalog.text ~ '^_?reg'),
  'currentSchema', pg_catalog.current_schema(),
  'relations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'name', c.relname, 'isOwn', ${isOwn('c.oid')} or n.nspname = 'pg_toast', 'from', r.places,
    'above', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('schema', m.nspname, 'name', u.relname)
        order by u.oid), '[]')
      from above a join pg_catalog.pg_class u on u.oid = a.oid join pg_catalog.pg_namespace m on m.oid = u.relnamespace
      where a.base = r.oid and a.oid <> r.oid),
    'view', case when ${isUsers('c.oid')} and (c.relkind = 'v' or c.relkind = 'm') then pg_catalog.pg_get_viewdef(c.oid) end,
    'rules', array(select pg_catalog.pg_get_ruledef(w.oid) from pg_catalog.pg_rewrite w
      where ${asked('changes')} and w.ev_class = c.oid and w.ev_type <> '1' and ${isUsers('w.oid')} order by w.oid),
    'expressions', array(select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d
      where d.adrelid = c.oid and (${asked('changes')} or exists (select from pg_catalog.pg_attribute a
        where a.attrelid = d.adrelid and a.attnum = d.adnum and a.attgenerated <> '')) order by d.adnum),
    'policies', array(select x.text from pg_catalog.pg_policy p
      cross join lateral (values (1, pg_catalog.pg_get_expr(p.polqual, p.polrelid)), (2, pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))) x(place, text)
      where ${asked('policies')} and c.relrowsecurity and p.polrelid = c.oid and x.text is not null order by p.oid, x.place),
    'columns', case when ${asked('columns')} and ${isUsers('c.oid')} then (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', a.attname, 'generated', case when a.attgenerated <> '' then pg_catalog.pg_get_expr(e.adbin, e.adrelid) end)
        order by a.attnum), '[]')
      from pg_catalog.pg_attribute a left join pg_catalog.pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) end) order by c.oid), '[]')
    from relation r join pg_catalog.pg_class c on c.oid = r.oid join pg_catalog.pg_namespace n on n.oid = c.relnamespace),
  'functions', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'name', p.proname, 'isOwn', ${isOwn('p.oid')}, 'from', f.places, 'language', l.lanname,
    'immutable', p.provolatile = 'i',
    'ofExtension', not ${isNoExtensions('pg_proc', 'p.oid')},
    'bendsPath', p.prosecdef or exists (select from pg_catalog.unnest(p.proconfig) x(setting) where x.setting ~ '^search_path='),
    'definition', case when ${isUsers('p.oid')} and p.prokind <> 'a' and (l.lanname = 'sql' or l.lanname = 'plpgsql')
      then pg_catalog.pg_get_functiondef(p.oid) end) order by p.oid), '[]')
    from called f join pg_catalog.pg_proc p on p.oid = f.oid
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace join pg_catalog.pg_language l on l.oid = p.prolang)
)::pg_catalog.text as reach`);

/**
 * The same, with the SHA-256 of an answer in hexadecimal digits as a second parameter. Out: one row
 * with one boolean, true if the catalog still gives that answer.
 */
export const sameReachLookup = `select pg_catalog.texteq($2, pg_catalog.encode(
  pg_catalog.sha256(pg_catalog.convert_to(x.reach, 'UTF8')), 'hex')) from (${reachLookup}) x`;
