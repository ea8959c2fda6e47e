/** The query that answers a `CatalogQuestion`. Every name in it is qualified, so that no search path can bend it. */

/** Parameter: what `namesToLookUp` gives. One row with one column: a `PostgresCatalog` as JSON. PostgreSQL 12 or later. */
export const catalogLookup = `
select pg_catalog.json_build_object(
  'functions', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'schema', n.nspname,
      'name', p.proname,
      'volatility', case
        when p.provolatile operator(pg_catalog.=) 'v' or exists (
          select from pg_catalog.pg_aggregate a
          join pg_catalog.pg_proc f on f.oid operator(pg_catalog.=) any (array[
            a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]::pg_catalog.oid[])
          where a.aggfnoid::pg_catalog.oid operator(pg_catalog.=) p.oid and f.provolatile operator(pg_catalog.=) 'v'
        ) then 'volatile'
        when p.provolatile operator(pg_catalog.=) 's' then 'stable'
        else 'immutable' end,
      'kind', case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window' else 'function' end,
      'language', l.lanname,
      'extension', (
        select e.extname from pg_catalog.pg_depend d
        join pg_catalog.pg_extension e on e.oid operator(pg_catalog.=) d.refobjid
        where d.classid operator(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
          and d.objid operator(pg_catalog.=) p.oid and d.deptype operator(pg_catalog.=) 'e' limit 1),
      'leastArguments', p.pronargs operator(pg_catalog.-) p.pronargdefaults
        operator(pg_catalog.-) (p.provariadic operator(pg_catalog.<>) 0)::pg_catalog.int4,
      'mostArguments', case when p.provariadic operator(pg_catalog.=) 0 then p.pronargs end,
      'takesRow', exists (
        select from pg_catalog.pg_type t
        left join pg_catalog.pg_type b on b.oid operator(pg_catalog.=) t.typbasetype
        where t.oid operator(pg_catalog.=) p.proargtypes[0]
          and (t.typtype operator(pg_catalog.=) 'c' or b.typtype operator(pg_catalog.=) 'c'
            or t.typtype operator(pg_catalog.=) 'p'))
    )), '[]')
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) p.pronamespace
    join pg_catalog.pg_language l on l.oid operator(pg_catalog.=) p.prolang
    where p.proname operator(pg_catalog.=) any (array(
      select pg_catalog.json_array_elements_text($1::pg_catalog.json operator(pg_catalog.->) 'functions')::pg_catalog.name))
  ),
  'operators', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'schema', n.nspname,
      'name', o.oprname,
      'volatility', case p.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end
    )), '[]')
    from pg_catalog.pg_operator o
    join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) o.oprnamespace
    join pg_catalog.pg_proc p on p.oid operator(pg_catalog.=) o.oprcode::pg_catalog.oid
    where o.oprname operator(pg_catalog.=) any (array(
      select pg_catalog.json_array_elements_text($1::pg_catalog.json operator(pg_catalog.->) 'operators')::pg_catalog.name))
  )
)::pg_catalog.text as catalog`;
