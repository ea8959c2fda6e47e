/**
 * Parts that look-ups in a PostgreSQL catalog are made of. Objects of users have numbers from 16384
 * on.
 */

/**
 * Qualifies operators. All other names are qualified already, so no search path can bend a look-up.
 */
export const withOperatorsQualified = (sql: string): string =>
  sql.replace(/ (=|<>|<|>=|<=|-|->|->>|~) /g, ' operator(pg_catalog.$1) ');

export const isOwn = (oid: string): string => `${oid} < 16384::pg_catalog.oid`;
export const isUsers = (oid: string): string => `${oid} >= 16384::pg_catalog.oid`;

/** Finds a user's function, operator or type in the catalog's form of an expression. */
const namesUsers =
  "':[a-z]+ (1638[4-9]|1639[0-9]|16[4-9][0-9][0-9]|1[7-9][0-9][0-9][0-9]|[2-9][0-9][0-9][0-9][0-9]|[0-9]{6,})[ }]'";
export const holdsUsers = (tree: string): string => `(${tree})::pg_catalog.text ~ ${namesUsers}`;

/**
 * True if planning a read of the table may run a user's code in one of its CHECKs. The planner
 * computes what is immutable, and inlines functions in SQL and defaults of arguments. It runs
 * nothing of a PL/pgSQL function without these.
 */
export const isComputedInPlans = (check: string): string => `exists (
  select from pg_catalog.regexp_matches((${check})::pg_catalog.text, ':([a-z]+) ([0-9]{5,})(?=[ }])', 'g') m(part)
  where ${isUsers('m.part[2]::pg_catalog.oid')} and not exists (
    select from pg_catalog.pg_proc p join pg_catalog.pg_language l on l.oid = p.prolang
    where m.part[1] = 'funcid' and p.oid = m.part[2]::pg_catalog.oid
      and p.provolatile <> 'i' and l.lanname = 'plpgsql' and p.pronargdefaults = 0::pg_catalog.int2))`;

export const isNoExtensions = (catalog: string, oid: string): string => `not exists (
  select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass::pg_catalog.oid
    and d.objid = ${oid} and d.deptype = 'e')`;

/**
 * Expressions of extended statistics, which PostgreSQL 14 brought. Before that, the name means the
 * column of the empty row.
 */
export const statisticsOf = (table: string): string => `select pg_catalog.pg_get_expr(x.tree, ${table})
  from (select null::pg_catalog.pg_node_tree as stxexprs) e
  cross join lateral (select stxexprs as tree from pg_catalog.pg_statistic_ext s where s.stxrelid = ${table}) x
  where ${holdsUsers('x.tree')}`;

/**
 * True for a foreign table of postgres_fdw. No other wrapper is known to end its transaction as
 * ours ends.
 */
export const rollsBack = (table: string): string => `exists (select from pg_catalog.pg_foreign_table f
  join pg_catalog.pg_foreign_server s on s.oid = f.ftserver
  join pg_catalog.pg_foreign_data_wrapper w on w.oid = s.srvfdw join pg_catalog.pg_proc p on p.oid = w.fdwhandler
  where f.ftrelid = ${table} and p.prosrc = 'postgres_fdw_handler')`;

/** True for a row that the running transaction wrote; false in one that only reads. */
const isOfTransaction = (xmin: string): string => `pg_catalog.age(${xmin}) <= pg_catalog.age(
  CAST(CAST(pg_catalog.mod(pg_catalog.txid_current_if_assigned(), 4294967296) AS pg_catalog.text) AS pg_catalog.xid))`;

/**
 * Relations that the running transaction has made. The row of this column is written once: an ALTER
 * leaves it as it is.
 */
export const madeHere = `SELECT made.attrelid FROM pg_catalog.pg_attribute AS made
  WHERE made.attname = 'tableoid' AND ${isOfTransaction('made.xmin')}`;
