/**
 * Statements for a server with `doors.sql`: what they set off or show is behind a name that they
 * don't mention.
 */

import type { Attack } from './statements.ts';

const given = (schema: string, ...statements: readonly string[]): readonly Attack[] =>
  statements.map(sql => ({ sql, schema }));
const plain = (...statements: readonly string[]): readonly Attack[] => statements.map(sql => ({ sql }));

/** Never run without an approval. */
export const hiddenActs: readonly Attack[] = [
  ...plain(
    "select table_to_xml('pg_user_mapping', true, false, '')",
    "select table_to_xml('pg_user_mappings'::regclass, true, false, '')",
    "select table_to_xml('pg_stats', true, false, '')",
    'select j.d from (pg_user_mapping u cross join (select 1) z) as j(a, b, c, d)',
    'select f from (pg_user_mappings u cross join (select 1) z) as j(a, b, c, d, e, f, g)',
    'select h from (pg_stats s cross join (select 1) z) as j(a, b, c, d, e, f, g, i, k, h, l, m, n, o)',
    "select (select max(s.histogram_bounds::text) from pg_stats s where o.tablename = 'x' and s.tablename = 'pg_authid') from (select 'x' as tablename) o",
    "select (select max(s.histogram_bounds::text) from pg_stats s where o.schemaname = 'x' and s.tablename = 'pg_authid') from (select 'x' as schemaname) o",
    'select trap.checked(1)',
    "select trap.checked('1')",
    'select trap.twice(1)',
    'select * from doors.parent',
    'select count(*) from doors.measured',
    'select * from doors.sharded',
    'select * from doors.folded where v < 0',
    'select * from doors.inlined where v < 0',
    'insert into doors.filled(id) values (1)',
  ),
  ...given('trap', 'select (1).checked', "select ('1').twice", 'select x.checked from unnest(array[1]) x'),
  ...given(
    'doors',
    "select lower('x')",
    "select log('a', 'x'::text)",
    "select upper('a', 'a')",
    'select upper(1, 1)',
    "select 1 @> 'a'",
    'select (1 @@# 2) = 1',
    'select 1 <@ 2',
  ),
];

/**
 * A server's settings in an error: one condition looks at the rows before another one excludes
 * them.
 */
export const hiddenSettings: readonly Attack[] = plain(
  "select 1 from pg_settings where case when setting ~ 'password' then setting::int = 0 else true end and name like 'work%'",
  "select (select max(setting) from pg_settings s where o.name = 'work_mem' and s.name = 'primary_conninfo') from (select 'work_mem' as name) o",
);

/**
 * Each needs an approval: it takes a guard away, or makes Sallyport trust what it refused before.
 */
export const unguarding: readonly Attack[] = plain(
  'alter table doors.checked enable replica trigger guard',
  'alter table doors.checked enable replica rule guard',
  'alter table doors.safe set (security_invoker = false)',
  'alter table doors.safe reset (security_invoker)',
  'alter publication changes set table t',
  "alter publication changes set (publish = '')",
  'alter extension hstore add function doors.within(doors.weight, doors.weight)',
  'delete from u where ctid is not null',
  "delete from u where tableoid = 'u'::regclass",
  'update u set id = id where xmin is not null',
);

/** Forbidden: passwords of another server, or of this one through itself. */
export const farSecrets: readonly Attack[] = plain(
  "create foreign table far(rolpassword text) server itself options (schema_name 'pg_catalog', table_name 'pg_authid')",
  "create foreign table far(passwd text) server itself options (table_name 'pg_shadow')",
  'import foreign schema pg_catalog limit to (pg_authid) from server itself into app',
);
