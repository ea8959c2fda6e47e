/**
 * The query that answers a `CatalogQuestion`: what the names mean in this session, and which code
 * runs when they are used, without being called (views, policies, domains, casts, operators,
 * aggregates, expressions of a table). PostgreSQL 12 or later.
 */

import {
  holdsUsers,
  isComputedInPlans,
  isOwn,
  isUsers,
  rollsBack,
  statisticsOf,
  withOperatorsQualified,
} from './lookup-parts.ts';

/** The names sought of one kind. */
const sought = (kind: string, columns = ''): string =>
  `pg_catalog.json_to_recordset($1::pg_catalog.json -> '${kind}')
     as s(schema pg_catalog.text, name pg_catalog.text, path pg_catalog.text[]${columns})`;

/**
 * True if the sought name `s` means an object in the namespace `n`.
 * @param visible the condition for a bare name in this session.
 */
const isMeant = (visible: string): string => `case
  when s.schema is not null then n.nspname = s.schema::pg_catalog.name
  when s.path is not null then n.nspname::pg_catalog.text = any (s.path) or '*' = any (s.path)
  else ${visible} end`;
const inSearchPath = isMeant('n.nspname = any (pg_catalog.current_schemas(true))');

const isReached = (type: string): string => `${type} = any (array(select oid from reached))`;

/**
 * True if an implicit cast may bring a built-in type to this operand, and no built-in operator
 * takes that type as it is.
 */
const isCastTo = (type: string, mine: string, other: string): string => `exists (
  select from pg_catalog.pg_cast k where k.casttarget = ${type} and ${isOwn('k.castsource')} and k.castcontext = 'i'
  and not exists (select from pg_catalog.pg_operator b where b.oprname = o.oprname and ${isOwn('b.oid')}
    and b.${mine} = k.castsource and b.${other} = o.${other}))`;
const takesOperand = (mine: string, other: string): string =>
  `(${isOwn(`o.${mine}`)} or ${isReached(`o.${mine}`)} or ${isCastTo(`o.${mine}`, mine, other)})`;

/** True for a table or view that isn't plain: code behind it may run when its rows are counted. */
const mayRunCode = (
  table: string,
): string => `(${table}.relkind = 'v' or ${table}.relkind = 'f' or ${table}.relkind = 'p'
  or ${table}.relrowsecurity or ${table}.relchecks <> 0::pg_catalog.int2
  or exists (select from pg_catalog.pg_index i where i.indrelid = ${table}.oid and (i.indexprs is not null or i.indpred is not null))
  or exists (select from pg_catalog.pg_statistic_ext s where s.stxrelid = ${table}.oid))`;

/**
 * In: a `CatalogQuestion` as JSON, the parameter. Out: one row with one column, a `PostgresCatalog`
 * as JSON.
 */
export const catalogLookup = withOperatorsQualified(`
with recursive meant as (
  select c.oid, s.role, s.stored
  from ${sought('relations', ', role pg_catalog.text, stored pg_catalog.bool')}
  join pg_catalog.pg_class c on c.relname = s.name::pg_catalog.name
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where ${isMeant('pg_catalog.pg_table_is_visible(c.oid)')}
  union all select c.oid, 'read', true from pg_catalog.pg_class c
  where ($1::pg_catalog.json ->> 'everyRelation')::pg_catalog.bool and ${isUsers('c.oid')} and ${mayRunCode('c')}
), relation as (
  select c.oid, c.relname, c.relkind, c.relrowsecurity, c.reltype, n.nspname, m.role, m.stored, c.oid as tree
  from meant m join pg_catalog.pg_class c on c.oid = m.oid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  -- Partitions and children are read and changed with their table.
  union all select c.oid, c.relname, c.relkind, c.relrowsecurity, c.reltype, n.nspname,
    case when exists (select from meant m where m.role = 'changed') then 'changed'
      else 'read' end, true, case when c.relkind = 'f' then c.oid else 0::pg_catalog.oid end
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = any (array(
    with recursive child(oid) as (
      select i.inhrelid from meant m join pg_catalog.pg_inherits i on i.inhparent = m.oid
      union select i.inhrelid from child p join pg_catalog.pg_inherits i on i.inhparent = p.oid
    ) select oid from child))
), named as (
  select p.oid, p.proname, p.pronargs, p.proargtypes, p.proallargtypes, p.prorettype, s."builtIn", s.constants
  from ${sought('functions', ', "argumentCount" pg_catalog.int4, "builtIn" pg_catalog.bool, constants pg_catalog.int4[]')}
  join pg_catalog.pg_proc p on p.proname = s.name::pg_catalog.name
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where ${inSearchPath} and (${isUsers('p.oid')} or not s."builtIn")
    and (s."argumentCount" is null or p.prokind = 'p' or (
      s."argumentCount" >= ((p.pronargs - p.pronargdefaults) - (p.provariadic <> 0::pg_catalog.oid)::pg_catalog.int4)
      and (p.provariadic <> 0::pg_catalog.oid or s."argumentCount" <= p.pronargs)))
  union all select p.oid, p.proname, p.pronargs, p.proargtypes, p.proallargtypes, p.prorettype, false, '{}'::pg_catalog.int4[]
  from pg_catalog.json_array_elements_text($1::pg_catalog.json -> 'attributes') x(name)
  join pg_catalog.pg_proc p on p.proname = x.name::pg_catalog.name
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  left join pg_catalog.pg_type t on t.oid = p.proargtypes[0]
  left join pg_catalog.pg_type b on b.oid = t.typbasetype
  where ${isUsers('p.oid')} and n.nspname = any (pg_catalog.current_schemas(true))
    and p.pronargs::pg_catalog.int4 >= 1 and (p.pronargs - p.pronargdefaults) <= 1
    and (($1::pg_catalog.json ->> 'hasFunctionAsTable')::pg_catalog.bool or t.typtype = 'p' or t.typtype = 'c' or b.typtype = 'c')
), reached(oid) as (
  -- Through an array the planner expects few, and doesn't compile the query for so large a cost.
  select x.oid from pg_catalog.unnest(array(
    select t.oid from ${sought('types')}
      join pg_catalog.pg_type t on t.typname = s.name::pg_catalog.name
      join pg_catalog.pg_namespace n on n.oid = t.typnamespace
      where ${isUsers('t.oid')} and ${inSearchPath}
    union select a.atttypid from relation r cross join lateral (select x.atttypid from pg_catalog.pg_attribute x
      where x.attrelid = r.oid and ${isUsers('x.atttypid')} and x.attnum::pg_catalog.int4 >= 1 offset 0) a
    union select r.reltype from told r where ${isUsers('r.reltype')}
    union select x.type from named f
      cross join lateral pg_catalog.unnest(pg_catalog.array_append(coalesce(f.proallargtypes, f.proargtypes::pg_catalog.oid[]), f.prorettype)) x(type)
      where not f."builtIn" and ${isUsers('x.type')}
    -- A constant may be taken for any type, and then be cast to it, unless a built-in takes text there.
    union select x.type from named f
      cross join lateral pg_catalog.unnest(f.proargtypes::pg_catalog.oid[]) with ordinality x(type, place)
      where x.place = any (f.constants::pg_catalog.int8[]) and ${isUsers('x.type')}
        and not exists (select from pg_catalog.pg_proc b join pg_catalog.pg_type y on y.oid = b.proargtypes[(x.place - 1)::pg_catalog.int4]
          where b.proname = f.proname and b.pronargs = f.pronargs and ${isOwn('b.oid')} and y.typcategory = 'S')
    -- A call of one argument is a cast where a type has that name.
    union select t.oid from ${sought('functions')}
      join pg_catalog.pg_type t on t.typname = s.name::pg_catalog.name
      join pg_catalog.pg_namespace n on n.oid = t.typnamespace
      where ${isUsers('t.oid')} and t.typrelid = 0::pg_catalog.oid and ${inSearchPath}
    union select t.oid from pg_catalog.json_array_elements_text($1::pg_catalog.json -> 'attributes') x(name)
      join pg_catalog.pg_type t on t.typname = x.name::pg_catalog.name
      join pg_catalog.pg_namespace n on n.oid = t.typnamespace
      where ${isUsers('t.oid')} and t.typrelid = 0::pg_catalog.oid and n.nspname = any (pg_catalog.current_schemas(true))
    union select o.oprresult from ${sought('operators')}
      join pg_catalog.pg_operator o on o.oprname = s.name::pg_catalog.name
      where ${isUsers('o.oid')} and ${isUsers('o.oprresult')}
  )) x(oid)
  union select x.type from reached r join pg_catalog.pg_type t on t.oid = r.oid
    cross join lateral (
      select t.typbasetype union all select t.typelem
      union all select a.atttypid from pg_catalog.pg_attribute a
        where a.attrelid = t.typrelid and t.typrelid <> 0::pg_catalog.oid and a.attnum::pg_catalog.int4 >= 1
      union all select g.rngsubtype from pg_catalog.pg_range g where g.rngtypid = t.oid
      union all select d.refobjid from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass::pg_catalog.oid and d.objid = t.oid
          and d.refclassid = d.classid
    ) x(type) where ${isUsers('x.type')}
), operator as (
  select o.oprcode, o.oprrest, o.oprjoin, o.oprleft, o.oprright from ${sought('operators', ', "builtIn" pg_catalog.bool')}
  join pg_catalog.pg_operator o on o.oprname = s.name::pg_catalog.name
  join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
  where ${isUsers('o.oid')} and ${inSearchPath} and (not s."builtIn"
    or (${takesOperand('oprleft', 'oprright')} and ${takesOperand('oprright', 'oprleft')}))
  union all
  select o.oprcode, o.oprrest, o.oprjoin, o.oprleft, o.oprright from pg_catalog.pg_opclass l
  join pg_catalog.pg_amop m on m.amopfamily = l.opcfamily
  join pg_catalog.pg_operator o on o.oid = m.amopopr
  where ${isUsers('l.oid')} and ${isReached('l.opcintype')}
), run(oid) as (
  select f.oid from named f where not f."builtIn" or not exists (
    select from pg_catalog.unnest(f.proargtypes::pg_catalog.oid[]) x(type) where ${isUsers('x.type')} and not ${isReached('x.type')})
  union select k.castfunc from pg_catalog.pg_cast k where ${isUsers('k.oid')} and k.castfunc <> 0::pg_catalog.oid
    and (${isReached('k.castsource')} or ${isReached('k.casttarget')} or (${isOwn('k.castsource')} and ${isOwn('k.casttarget')}))
  union select k.castfunc from pg_catalog.pg_cast k
    where k.casttarget = any (array(select oprleft from operator union all select oprright from operator)) and ${isUsers('k.oid')} and k.castfunc <> 0::pg_catalog.oid and k.castcontext = 'i'
  union select x.code::pg_catalog.oid from operator o
    cross join lateral pg_catalog.unnest(array[o.oprcode, o.oprrest, o.oprjoin]) x(code)
  union select m.amproc::pg_catalog.oid from pg_catalog.pg_opclass l
    join pg_catalog.pg_amproc m on m.amprocfamily = l.opcfamily
    where ${isUsers('l.oid')} and ${isReached('l.opcintype')}
  union select x.code::pg_catalog.oid from pg_catalog.pg_range g
    cross join lateral pg_catalog.unnest(array[g.rngcanonical, g.rngsubdiff]) x(code) where ${isReached('g.rngtypid')}
  union select x.code::pg_catalog.oid from pg_catalog.pg_type t
    cross join lateral pg_catalog.unnest(array[t.typinput, t.typoutput, t.typmodin]) x(code)
    where ${isReached('t.oid')} and ${isUsers('x.code::pg_catalog.oid')}
), part(oid) as (
  select oid from run
  union select x.code::pg_catalog.oid from run f join pg_catalog.pg_aggregate a on a.aggfnoid::pg_catalog.oid = f.oid
    cross join lateral pg_catalog.unnest(array[a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
      a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]) x(code)
), fact as (
  select r.*,
  case when ${isUsers('r.oid')} and (r.relkind = 'v' or r.relkind = 'm') then pg_catalog.pg_get_viewdef(r.oid) end as definition,
  r.relkind = 'f' and exists (select from pg_catalog.pg_foreign_table f
      cross join lateral pg_catalog.unnest(f.ftoptions) x(option) where f.ftrelid = r.oid and x.option ~ '^program=') as "runsProgram",
  r.relkind = 'f' and ${rollsBack('r.oid')} as "rollsBack",
  array(
      select pg_catalog.pg_get_expr(i.indexprs, i.indrelid) from pg_catalog.pg_index i where i.indrelid = r.oid and ${holdsUsers('i.indexprs')}
      union all select pg_catalog.pg_get_expr(i.indpred, i.indrelid) from pg_catalog.pg_index i where i.indrelid = r.oid and ${holdsUsers('i.indpred')}
      union all select pg_catalog.pg_get_expr(c.conbin, c.conrelid) from pg_catalog.pg_constraint c where c.conrelid = r.oid and c.contype = 'c'
        and (r.role = 'changed' or (${holdsUsers('c.conbin')} and ${isComputedInPlans('c.conbin')}))
      union all select pg_catalog.pg_get_expr(t.partexprs, t.partrelid) from pg_catalog.pg_partitioned_table t
        where t.partrelid = r.oid and ${holdsUsers('t.partexprs')}
      union all ${statisticsOf('r.oid')}
      union all select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d
        join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where d.adrelid = r.oid and (a.attgenerated <> '' or r.role = 'changed')
      union all select pg_catalog.pg_get_expr(p.polqual, p.polrelid) from pg_catalog.pg_policy p
        where p.polrelid = r.oid and p.polqual is not null and (r.stored or pg_catalog.row_security_active(r.oid))
      union all select pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) from pg_catalog.pg_policy p
        where p.polrelid = r.oid and p.polwithcheck is not null and r.role = 'changed' and (r.stored or pg_catalog.row_security_active(r.oid))
      order by 1) as expressions
  from relation r
), told as (
  -- A tree is one table: of partitions and children that differ in nothing but their name, one.
  select distinct on (f.tree, f.role, f.stored, f.relkind, f.relrowsecurity, f.expressions) f.*
  from fact f order by f.tree, f.role, f.stored, f.relkind, f.relrowsecurity, f.expressions, f.oid
)
select pg_catalog.json_build_object(
  'relations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', r.nspname, 'name', r.relname, 'kind', r.relkind, 'role', r.role, 'definition', r.definition, 'runsProgram', r."runsProgram",
    'rollsBack', r."rollsBack", 'rowSecurity', r.relrowsecurity, 'expressions', r.expressions) order by r.oid, r.role, r.stored), '[]') from told r),
  'checks', (select coalesce(pg_catalog.json_agg(pg_catalog.pg_get_expr(c.conbin, 0::pg_catalog.oid) order by c.oid), '[]')
    from pg_catalog.pg_constraint c where c.contypid <> 0::pg_catalog.oid and c.conbin is not null and ${isReached('c.contypid')}),
  'defaults', (select coalesce(pg_catalog.json_agg(pg_catalog.pg_get_expr(t.typdefaultbin, 0::pg_catalog.oid) order by t.oid), '[]')
    from pg_catalog.pg_type t where t.typdefaultbin is not null and ${isReached('t.oid')}
    and exists (select from relation r where r.role = 'changed')),
  'functions', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'name', p.proname, 'argumentCount', p.pronargs, 'kind', p.prokind, 'language', l.lanname,
    'volatile', p.provolatile = 'v', 'immutable', p.provolatile = 'i',
    'forAll', pg_catalog.has_function_privilege('public', p.oid, 'EXECUTE') and not exists (
      select from pg_catalog.unnest(p.proconfig) x(setting) where not (x.setting ~ '^search_path=')),
    'ofExtension', exists (select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass::pg_catalog.oid and d.objid = p.oid and d.deptype = 'e'),
    'path', (select x.setting from pg_catalog.unnest(p.proconfig) x(setting) where x.setting ~ '^search_path='),
    'source', case when l.lanname = 'internal' then p.prosrc end,
    'definition', case when ${isUsers('p.oid')} and p.prokind <> 'a' and (l.lanname = 'sql' or l.lanname = 'plpgsql')
      then pg_catalog.pg_get_functiondef(p.oid) end) order by p.oid), '[]')
    from part join pg_catalog.pg_proc p on p.oid = part.oid
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_language l on l.oid = p.prolang),
  'withheld', exists (select from ${sought('functions', ', "builtIn" pg_catalog.bool')}
    join pg_catalog.pg_proc p on p.proname = s.name::pg_catalog.name
    where s."builtIn" and ${isOwn('p.oid')} and p.proacl is not null and not pg_catalog.has_function_privilege('public', p.oid, 'EXECUTE')),
  'hasSecretSettings', case when ($1::pg_catalog.json ->> 'settings')::pg_catalog.bool then exists (
    select from pg_catalog.pg_settings s where (s.name = 'primary_conninfo' or s.name = 'ssl_passphrase_command') and s.setting <> '')
    else false end
)::pg_catalog.text as catalog`);

/**
 * The same, with the SHA-256 of an answer in hexadecimal digits as a second parameter. Out: one row
 * with one boolean, true if the catalog still gives that answer.
 */
export const sameCatalogLookup = `select pg_catalog.texteq($2, pg_catalog.encode(
  pg_catalog.sha256(pg_catalog.convert_to(x.catalog, 'UTF8')), 'hex')) from (${catalogLookup}) x`;
