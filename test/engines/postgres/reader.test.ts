/**
 * A superuser's reads as `pg_read_all_data`: each honest read gives the same bytes as under the
 * superuser's own role. Reads that would get another answer keep that role; for some of these the
 * test shows the other answer.
 */

import { beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';
import type { Collected } from '../collecting-sink.ts';
import { call } from '../collecting-sink.ts';
import { describeWithPostgres, runOn } from './suite.ts';

const classifier = judgingInThread();

const world = (port: number) => `
create role other; create schema other authorization other; create schema side;
create table t (id int primary key, name text, data jsonb); insert into t select n, 'n' || n, json_build_object('a', n)::jsonb from generate_series(1, 5) n;
create table side.secret (id int); insert into side.secret values (7); revoke all on side.secret from public;
set role other;
create table other.mine (id int); insert into other.mine values (1), (2);
create view other.over_mine as select id from other.mine;
create sequence other.s start 5;
reset role;
create table private (id int, owner text); insert into private values (1, 'a'), (2, 'b');
alter table private enable row level security;
create policy first_only on private using (id = 1);
create view over_private as select id from private;
create view over_t as select id, name from t;
create view over_view as select name from over_t where id < 4;
create view who as select current_user as role, id from t;
create view tables_there as select table_name from information_schema.tables where table_schema = 'side';
create view own_catalog as select relname from pg_class where relname = 't';
create materialized view kept as select count(*) as n from t;
create table parts (id int, at date) partition by range (at);
create table parts_1 partition of parts for values from ('2026-01-01') to ('2026-02-01');
create table parts_2 partition of parts for values from ('2026-02-01') to ('2026-03-01');
insert into parts values (1, '2026-01-05'), (2, '2026-02-05');
create table parent (id int); create table child (more text) inherits (parent); insert into child values (3, 'x');
create table guarded (id int) partition by list (id); create table guarded_1 partition of guarded for values in (1);
insert into guarded values (1); alter table guarded_1 enable row level security;
create sequence s start 40; select nextval('s');
create type mood as enum ('glad', 'sad'); create type pair as (a int, b text);
create function is_even(int) returns boolean language sql immutable as 'select ($1 & 1) = 0';
create domain even as int check (is_even(value));
create table typed (m mood, p pair, e even, total int generated always as (4) stored); insert into typed values ('glad', (1, 'x'), 4);
create function plus(a int, b int) returns int language sql immutable as 'select a + b';
create function plain() returns bigint language sql stable as 'select count(*) from t';
create function looped(n int) returns int language plpgsql stable as $$ begin return (select max(id) from t where id < n); end $$;
create function held(int) returns int language sql stable as 'select $1 + 1'; revoke execute on function held from public;
create function through_held(int) returns int language sql stable as 'select held($1)';
create function my_role() returns name language sql stable as 'select current_user';
create function my_role_inside() returns text language plpgsql stable as $$ begin return 'I am ' || current_role; end $$;
create function with_setting() returns int language sql stable set log_statement = 'none' as 'select 1';
create function definer() returns bigint language sql stable security definer as 'select count(*) from other.mine';
create aggregate total(int) (sfunc = int4pl, stype = int, initcond = '0');
create operator @+ (leftarg = int, rightarg = int, function = plus);
create extension hstore; create extension citext; create extension pgcrypto; create extension pg_trgm; create extension tablefunc;
create extension postgres_fdw; create extension pgstattuple; create extension "uuid-ossp";
create table documents (id int, tags hstore, title citext); insert into documents values (1, 'a=>1', 'One'), (2, 'b=>2', 'TWO');
create server here foreign data wrapper postgres_fdw options (host '127.0.0.1', port '${port}', dbname 'postgres');
create user mapping for current_user server here options (user 'reads', password 'not-a-secret');
create role reads login password 'not-a-secret'; grant select on t to reads;
create foreign table far (id int, name text) server here options (schema_name 'public', table_name 't');
create view over_far as select id from far;
create table mixed (id int) partition by range (id); create table near partition of mixed for values from (0) to (1);
create foreign table beyond partition of mixed for values from (1) to (9) server here options (schema_name 'public', table_name 't');
select lo_from_bytea(4242, 'large');
revoke execute on function ln(float8) from public;
revoke execute on function ln(numeric) from public;
analyze;`;

/** Both roles get the same answer. */
const mayRunAsReader = [
  'select 1 as one, now() is not null as there',
  'select * from t order by id',
  'select count(*), sum(id), max(name) from t',
  'table side.secret',
  'select * from other.mine order by 1',
  'select * from other.over_mine order by 1',
  'select last_value, is_called from other.s',
  'select last_value from s',
  'select * from over_t order by id',
  'select * from over_view order by 1',
  'select * from kept',
  'select * from parts order by id',
  'select * from parts_2',
  'select p.tableoid::regclass, * from parent p',
  "select *, m = 'glad' from typed",
  'select (p).b, e + 1 from typed',
  'select 4::even',
  'select plus(id, 1), id @+ 1 from t order by id',
  'select plain(), looped(4)',
  'select definer()',
  'select total(id) from t',
  "select id, tags -> 'a', title = 'two' from documents order by id",
  "select similarity('word', 'words'), encode(digest('x', 'sha256'), 'hex')",
  'with recursive up(n) as (select 1 union all select n + 1 from up where n < 5) select * from up',
  'select t.*, row_number() over (order by id desc) from t order by id',
  "select data ->> 'a', jsonb_agg(name) from t group by 1 order by 1",
  'explain (costs off) select * from t where id = 1',
  'explain (analyze, buffers off, costs off, timing off, summary off) select * from over_t where id = 1',
  "select 't'::regclass, 'public'::regnamespace, current_schema, current_date is not null",
  "select lower('X'), extract(year from date '2026-01-01'), substring('abc' from 2 for 1), 'a' like 'b' escape '#'",
  "select to_tsvector('english', 'cats') @@ to_tsquery('cat')",
  'values (1, 2), (3, 4)',
  'select * from generate_series(1, 3) g where g in (select id from t)',
  "select xmlelement(name a, 'b'), array(select id from t order by id)",
];

/**
 * The answer depends on the role's rights. The second list says which of them would differ for
 * another role.
 */
const asOneself = [
  'select * from private order by id',
  'select * from over_private order by id',
  'select * from only private order by id',
  'select * from guarded',
  'select * from far order by id',
  'select * from over_far order by id',
  'select * from mixed order by id',
  'select current_user',
  'select session_user, user, current_role',
  'select * from who order by id',
  'select my_role()',
  'select my_role_inside()',
  'select held(1)',
  'select through_held(1)',
  'select ln(2::float8)',
  'select with_setting()',
  "select table_name from information_schema.tables where table_schema = 'other' order by 1",
  "select column_name from information_schema.columns where table_name = 't' order by 1",
  'select * from tables_there',
  "select has_table_privilege('t', 'INSERT')",
  "select has_schema_privilege(current_user, 'side', 'CREATE')",
  "select pg_has_role('other', 'MEMBER')",
  'show data_directory',
  "select current_setting('data_directory')",
  "select name, setting from pg_settings where name in ('data_directory', 'log_statement') order by 1",
  'select * from own_catalog',
  "select count(*) from pg_stat_activity where query like '%pg_stat_activity%' and pid = pg_backend_pid()",
  'select convert_from(lo_get(4242), $$UTF8$$)',
  'select loid, pageno from pg_largeobject',
  "select last_value from pg_sequences where sequencename = 's'",
  "select count(*) from pg_stats where schemaname = 'public'",
  'select pg_database_size(current_database()) > 0',
  "select tuple_count from pgstattuple('t')",
  'select row_security_active($$private$$)',
  'explain (costs off) delete from t where id = 1',
  'select uuid_generate_v4() is not null',
  "select relname from pg_class where relname = 't'",
  'select oid::regclass from pg_catalog.pg_class where relname = $$t$$',
];

/** Runs `anything` as pg_read_all_data, without the rule: it is refused or gets another answer. */
const otherwise = [
  ...['select * from private order by id', 'select * from only private order by id', 'select * from far order by id'],
  ...['select * from mixed order by id', 'select current_user', 'select * from who order by id', 'select my_role()'],
  ...['select my_role_inside()', 'select held(1)', 'select through_held(1)', 'select ln(2::float8)'],
  ...['select with_setting()', 'show data_directory', "select current_setting('data_directory')"],
  ...["select has_table_privilege('t', 'INSERT')", "select has_schema_privilege(current_user, 'side', 'CREATE')"],
  ...["select pg_has_role('other', 'MEMBER')", 'select convert_from(lo_get(4242), $$UTF8$$)'],
  ...["select tuple_count from pgstattuple('t')", 'select row_security_active($$private$$)'],
  ...['explain (costs off) delete from t where id = 1'],
  "select name, setting from pg_settings where name in ('data_directory', 'log_statement') order by 1",
];

describeWithPostgres("a superuser's reads", suite => {
  beforeAll(async () => {
    await suite.server.psql(world(suite.server.port));
  }, 60_000);

  async function classified(database: Database, sql: string, schema: string | null = null) {
    const found = await database.follow(classifier, { ...call, schema }, sql);
    if (found.kind === 'failed') throw new Error(`${sql}: ${found.failure.kind}`);
    expect([sql, found.classification.class]).toEqual([sql, 'read']);
    return found.run?.mayRunAsReader === true;
  }
  const shown = ({ outcome, columns, rows }: Collected) => JSON.stringify({ outcome, columns, rows });

  test.each(mayRunAsReader)('runs as pg_read_all_data, with the same answer: %s', async sql => {
    const database = suite.open();
    const own = await runOn(database, sql);
    expect([sql, own.outcome.kind]).toEqual([sql, 'done']);
    expect([sql, await classified(database, sql)]).toEqual([sql, true]);
    expect(shown(await runOn(database, sql, { mayRunAsReader: true }))).toBe(shown(own));
  });

  test.each(asOneself)('keeps its role: %s', async sql => {
    const database = suite.open();
    const own = await runOn(database, sql);
    expect([sql, own.outcome.kind]).toEqual([sql, 'done']);
    expect([sql, await classified(database, sql)]).toEqual([sql, false]);
    if (otherwise.includes(sql))
      expect(shown(await runOn(database, sql, { mayRunAsReader: true }))).not.toBe(shown(own));
  });

  test('the answer of a schema named beside the statement counts too', async () => {
    const database = suite.open();
    expect(await classified(database, 'select count(*) from tables', 'information_schema')).toBe(false);
    expect(await classified(database, 'select * from secret', 'side')).toBe(true);
  });

  const role = async (database: Database) =>
    (await runOn(database, 'select current_user, session_user', { mayRunAsReader: true })).rows[0];

  test('the notes of the connection say that some reads keep the role', async () => {
    const warnings = async (database: Database) => {
      const answer = await database.status(call);
      return answer.kind === 'done' ? answer.value.warnings : [];
    };
    expect(await warnings(suite.open())).toEqual([
      expect.stringContaining('is a superuser'),
      expect.stringMatching(/^4 tables have row-level security or are foreign tables: .* keeps the superuser's rights/),
    ]);
    await suite.server.psql('create database without');
    expect(await warnings(suite.open({ database: 'without' }))).toEqual([expect.stringContaining('is a superuser')]);
    expect(await warnings(suite.open({ user: 'reads' }, 'not-a-secret'))).toEqual([]);
  });

  test('a read that needs more fails, says why, and leaves the session unchanged', async () => {
    const database = suite.open();
    expect(await role(database)).toEqual(['pg_read_all_data', 'postgres']);
    const { outcome } = await runOn(database, "select pg_read_file('PG_VERSION')", { mayRunAsReader: true });
    expect(outcome).toMatchObject({ kind: 'query_failed', code: '42501' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('run as pg_read_all_data'));
    for (const more of [{}, { isStateless: true }, { session: 'write' }, { session: 'rollback' }] as const) {
      expect((await runOn(database, 'select current_user', more)).rows).toEqual([['postgres']]);
    }
    expect((await runOn(database, "select pg_read_file('PG_VERSION') <> ''")).rows).toEqual([[true]]);
  });

  test('it isn’t used if names, the role’s own rights or temporary files would differ', async () => {
    const { server } = suite;
    const database = () => suite.open();
    await server.psql('create schema postgres; create table postgres.t (id int)');
    expect(await role(database())).toEqual(['postgres', 'postgres']);
    expect((await runOn(database(), 'select count(*) from t', { mayRunAsReader: true })).rows).toEqual([['0']]);
    await server.psql('drop schema postgres cascade; alter role postgres set role = other');
    expect(await role(database())).toEqual(['other', 'postgres']);
    await server.psql(
      'set role none; alter role postgres reset role; alter role postgres set temp_tablespaces = pg_default',
    );
    expect(await role(database())).toEqual(['postgres', 'postgres']);
    await server.psql('alter role postgres reset all');
    expect(await role(database())).toEqual(['pg_read_all_data', 'postgres']);
  });

  test('a role that is no superuser keeps its own, even if it was one at the dial', async () => {
    const { server } = suite;
    await server.psql("create role demoted superuser login password 'not-a-secret'");
    const database = suite.open({ user: 'demoted' }, 'not-a-secret');
    expect(await role(database)).toEqual(['pg_read_all_data', 'demoted']);
    await server.psql('alter role demoted nosuperuser');
    expect((await runOn(database, 'select 1', { mayRunAsReader: true })).outcome.kind).toBe('done');
    const anew = suite.open({ user: 'demoted' }, 'not-a-secret');
    expect(await role(anew)).toEqual(['demoted', 'demoted']);
    const { outcome } = await runOn(anew, 'table side.secret', { mayRunAsReader: true });
    expect(JSON.stringify(outcome)).not.toContain('pg_read_all_data');
  });
});
