/**
 * The classifier against a real server's catalog: user-defined functions, and a verdict for each
 * volatile built-in.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import { builtInNames } from '../../daemon/guard/postgres/built-in-names.ts';
import type { ClassifyPostgres } from '../../daemon/guard/postgres/classify-postgres.ts';
import { actingFunction } from '../../daemon/guard/postgres/functions.ts';
import type { PostgresClassification } from '../../daemon/guard/postgres/types.ts';
import { volatileReads, volatileReadsOfExtensions } from '../../daemon/guard/postgres/volatile-reads.ts';
import { needs } from '../needs.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { classifiedOnCatalog } from './on-catalog.ts';
import { statementsOf } from './statements/table.ts';
import { uncalledBuiltIns } from './uncalled-built-ins.ts';

const binaries = findPostgres();

const objects = `
  create table t(id int primary key, name text);
  create table log(id int);
  create function f_write() returns int language sql volatile as 'insert into t(id) values (1) returning id';
  create function f_read() returns bigint language sql stable as 'select count(*) from t';
  create function f_unmarked() returns bigint language sql as 'select count(*) from t';
  create function f_claims_stable() returns int language plpgsql stable as 'begin insert into log values (1); return 1; end';
  create function f_two(int) returns int language sql immutable as 'select 1';
  create function f_two(int, int) returns int language sql as 'insert into log values (1) returning 1';
  create function f_default(int, int default 1) returns int language plpgsql volatile as 'begin insert into log values (1); return 1; end';
  create function f_many(variadic int[]) returns int language plpgsql volatile as 'begin insert into log values (1); return 1; end';
  create function lower(t) returns int language sql as 'insert into log values (1) returning 1';
  create function f_row(t) returns int language plpgsql volatile as 'begin insert into log values (1); return 1; end';
  create function f_row_read(t) returns text language sql as 'select $1.name';
  create function plus(int, int) returns int language plpgsql immutable as 'begin perform pg_advisory_lock(1); return 1; end';
  create operator ### (leftarg = int, rightarg = int, function = plus);
  create operator #!# (leftarg = int, rightarg = int, function = int4pl);
  create aggregate agg_write (int) (sfunc = plus, stype = int);
  create aggregate agg_read (int) (sfunc = int4pl, stype = int);
  create schema s;
  create function s.hidden() returns int language sql as 'insert into log values (1) returning 1';
  create function public.hidden(text) returns int language sql immutable as 'select 1';

  create function p_read(p_id int) returns text language plpgsql as $$
    declare r record; found_name text := upper('a'); n t.id%type; w t%rowtype; c cursor for select id from t;
    begin
      if p_id > 0 then select name into found_name from t where id = p_id; end if;
      for r in select * from t loop n := n + r.id; end loop;
      while n < 0 loop n := n + 1; end loop;
      foreach n in array array[1, 2] loop continue when n = 1; end loop;
      case when n > 1 then n := 1; else n := 2; end case;
      open c; fetch c into n; close c;
      raise notice '%', n;
      return found_name;
    exception when others then return null; end $$;
  create function p_rows() returns setof t language plpgsql as 'begin return query select * from t; end';
  create function p_dynamic(text) returns setof t language plpgsql as 'begin return query execute $1; end';
  create function p_parts(tab text) returns setof t language plpgsql as $$ begin return query execute 'select * from ' || quote_ident(tab); end $$;
  create procedure p_handed(q text) language plpgsql as 'begin execute q; end';
  create function p_dynamic_loop() returns int language plpgsql as 'declare r record; begin for r in execute ''select 1'' loop null; end loop; return 1; end';
  create function p_runs_parts() returns bool language plpgsql as $$ declare r bool; begin execute format('select %s > 0', 1) into r; return r; end $$;
  create function p_rolls_back() returns int language plpgsql as 'begin rollback; return 1; end';
  create function p_calls_writer() returns int language plpgsql as 'begin return f_write(); end';
  create function p_destroys() returns int language plpgsql as 'begin delete from t; return 1; end';
  create function p_drops() returns int language sql as 'drop table log; select 1';
  create function p_sets() returns text language plpgsql as $$ begin return set_config('a.b', 'c', true); end $$;
  create function p_default_of_row() returns int language plpgsql as 'declare r t := row(f_write(), ''x''); begin return 1; end';
  create function p_secret() returns text language sql security definer as 'select rolpassword from pg_authid limit 1';
  create view s.v as select rolpassword as x from pg_catalog.pg_authid;
  create function p_secret_path() returns text language sql set search_path = s as 'select x from v';
  create function p_atomic() returns bigint begin atomic select count(*) from t; end;
  create function p_atomic_writes() returns int begin atomic insert into log values (1) returning 1; end;
  create function p_default_writes(int default f_write()) returns int language sql as 'select $1';
  create function p_self(n int) returns int language sql as 'select case when n = 0 then 0 else p_self(n - 1) end';
  create procedure p_commits() language plpgsql as 'begin commit; end';
  create procedure p_truncates() language plpgsql as 'begin truncate log; end';
  create view s.pg_locks as select pg_terminate_backend(0) as x;
  create function s.upper(text) returns text language sql as 'insert into log values (1) returning ''x''';
  create view v_plain as select id, upper(name) as name from t;
  create view v_invoker with (security_barrier) as select id from t;
  create view v_of_view as select * from v_plain;
  create view v_kill as select pg_terminate_backend(0) as x;
  create view v_of_kill as select * from v_kill;
  create view v_catalog as select oid, relname from pg_class;
  create materialized view m_secret as select rolname as x from pg_authid;
  create domain d_plain as text check (value <> '');
  create domain d_acts as int check (plus(value, 1) is not null);
  create type pair as (a d_acts, b int);
  create function to_pair(int) returns pair language plpgsql as 'begin perform pg_advisory_lock(1); return row(1, $1)::pair; end';
  create cast (int as pair) with function to_pair(int);
  create function pair_equals(pair, int) returns bool language plpgsql as 'begin insert into log values (1); return true; end';
  create operator = (leftarg = pair, rightarg = int, function = pair_equals);
  create function at_least(text, int) returns bool language sql as 'insert into log values (1) returning true';
  create operator >= (leftarg = text, rightarg = int, function = at_least);
  create table guarded(id int);
  create policy p on guarded using (plus(id, 1) > 0);
  alter table guarded enable row level security;
  create table checked(id int, status d_plain, n int check (n > 0));
  create table indexed(id int);
  create index on indexed (plus(id, 1));
  create table killing(id int);
  create function kill_one(int) returns bool language sql immutable as 'select pg_terminate_backend($1)';
  create index on killing (kill_one(id));
  create type stretch as range (subtype = d_acts);
  create type span as range (subtype = int);
  create type status as enum ('a');
  create table spans(id int, s span, statuses status[]);
  create function f_row_pair(t) returns pair language sql as 'select null::pair';
  create extension file_fdw;
  create server files foreign data wrapper file_fdw;
  create foreign table by_file(line text) server files options (filename '/dev/null');
  create foreign table by_program(line text) server files options (program 'echo 1');
  create function alias(int) returns bool language internal strict as 'pg_terminate_backend';
  create function lower_again(text) returns text language internal immutable strict as 'lower';
  create table in_order(id int) partition by range (id);
  create schema other;
  create view other.elsewhere as select pg_terminate_backend(0) as x;
  create view elsewhere as select true as x;
  create function p_inner() returns bool language plpgsql as 'begin return (select x from elsewhere); end';
  create function p_outer() returns bool language sql set search_path = other, public as 'select p_inner()';
  create schema postgres;
  create view postgres.own as select pg_terminate_backend(0) as x;
  create function public.p_user_path() returns bool language sql set search_path = "$user", public as 'select x from own';
  create sequence seen;
  create function ck_folded(int) returns bool language plpgsql immutable as 'begin perform nextval(''seen''); return true; end';
  create function ck_runs(int) returns bool language plpgsql as $$ declare r bool; begin execute format('select nextval(%L) > 0 and %s > 0', 'seen', $1) into r; return r; end $$;
  create function ck_stable(int) returns bool language plpgsql stable as 'begin perform nextval(''seen''); return true; end';
  create function ck_sql(int) returns bool language sql as 'select ck_folded(1)';
  create function ck_default(int, bool default ck_folded(1)) returns bool language plpgsql as 'begin return true; end';
  create function ck_drops(int) returns bool language plpgsql as 'begin drop table log; return true; end';
  create operator !!! (rightarg = int, function = ck_folded);
  create table ck_of_column(v int check (ck_runs(v)));
  create table ck_of_constant(v int check (v > 0 and ck_runs(1)));
  create table ck_of_stable(v int check (v > 0 and ck_stable(1)));
  create table ck_folding(v int check (v > 0 and ck_folded(1)));
  create table ck_inlining(v int check (v > 0 and ck_sql(1)));
  create table ck_filling(v int check (v > 0 and ck_default(1)));
  create table ck_within(v int check (v > 0 and ck_runs(ck_folded(1)::int)));
  create table ck_by_operator(v int check (v > 0 and !!! 1));
  create table ck_above(v int) partition by range (v);
  create table ck_below partition of ck_above (check (ck_folded(1))) for values from (-9) to (9);
  create table ck_dropping(v int check (ck_drops(v)));
  create function public.p_definer() returns bool language plpgsql security definer as 'begin return (select x from own); end';
`;

const { describe: suite } = needs('unavailable' in binaries ? binaries.unavailable : null);

suite('with a catalog', () => {
  let server: PostgresServer;
  let classify: ClassifyPostgres;
  let extensions: readonly string[] = [];

  beforeAll(async () => {
    if ('unavailable' in binaries) return;
    [server, classify] = await Promise.all([lendPostgres(), lazyClassifiers().postgres()]);
    await server.psql(objects);
    const wanted = [
      'pgcrypto',
      'uuid-ossp',
      'tablefunc',
      'dblink',
      'pageinspect',
      'pgstattuple',
      'adminpack',
      'pg_surgery',
    ];
    const available = (await server.psql('select name from pg_available_extensions')).split('\n');
    extensions = available.filter(name => wanted.includes(name));
    for (const name of extensions) await server.psql(`create extension "${name}"`);
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
  });

  async function classifyWithCatalog(sql: string, before = ''): Promise<string> {
    return (await classifiedWithCatalog(sql, before)).class;
  }

  const classifiedWithCatalog = (sql: string, before = ''): Promise<PostgresClassification> =>
    classifiedOnCatalog(classify, server, sql, { before });

  test.each([
    ['SELECT f_write()', 'write'],
    ['SELECT public."f_write"()', 'write'],
    ['SELECT F_WRITE()', 'write'],
    ['SELECT "F_WRITE"()', 'read'],
    ['SELECT f_read(), f_unmarked()', 'read'],
    ['SELECT f_claims_stable()', 'write'],
    ['EXPLAIN SELECT f_read()', 'read'],
    ['EXPLAIN SELECT f_write()', 'write'],
    ['EXPLAIN ANALYZE SELECT f_write()', 'write'],
    ['SELECT f_two(1)', 'read'],
    ['SELECT f_two(1, 2)', 'write'],
    ['SELECT f_default(1)', 'write'],
    ['SELECT f_default(1, 2)', 'write'],
    ['SELECT f_many(1, 2, 3), 1', 'write'],
    ['SELECT f_many()', 'write'],
    ['SELECT no_such_function(1)', 'read'],
    ["SELECT lower('A')", 'read'],
    ['SELECT lower(t) FROM t', 'write'],
    ["SELECT upper('a'), count(*) FROM t", 'read'],
    ['SELECT t.f_row FROM t', 'write'],
    ['SELECT (t).f_row FROM t', 'write'],
    ['SELECT f_row(t) FROM t', 'write'],
    ['SELECT t.f_row_read, f_row_read(t) FROM t', 'read'],
    ['SELECT (1).f_default', 'write'],
    ['SELECT (1).f_two', 'read'],
    ['SELECT x.f_default FROM abs(1) AS x', 'write'],
    ['SELECT x.f_two FROM abs(1) AS x', 'read'],
    ['SELECT t.f_default FROM t', 'read'],
    ['SELECT t.name, t.id FROM t', 'read'],
    ['SELECT 1 ### 2', 'write'],
    ['SELECT 1 OPERATOR(public.###) 2', 'write'],
    ['SELECT 1 #!# 2', 'read'],
    ['SELECT 1 + 2', 'read'],
    ['SELECT agg_write(id) FROM t', 'write'],
    ['SELECT agg_read(id) OVER () FROM t', 'read'],
    ['SELECT s.hidden()', 'write'],
    ['SELECT hidden()', 'read'],
    ["SELECT public.hidden('a')", 'read'],
    ['SELECT p_read(1), p_self(3), p_atomic() FROM p_rows()', 'read'],
    ["SELECT * FROM p_dynamic('select 1')", 'destructive'],
    ["CALL p_handed('select 1')", 'destructive'],
    ["SELECT * FROM p_parts('t')", 'write'],
    ['CREATE INDEX ON t (plus(id, 1))', 'write'],
    ['CREATE INDEX ON t ((kill_one(id)))', 'forbidden'],
    ['ANALYZE killing', 'forbidden'],
    ['INSERT INTO killing VALUES (1)', 'forbidden'],
    ["SELECT '{[1,2)}'::stretch_multirange", 'write'],
    ["SELECT span(1, 2), '[1,2)'::span, '{}'::span_multirange, statuses FROM spans", 'read'],
    ['SELECT (t).f_row_pair = 1 FROM t', 'write'],
    ['SELECT * FROM by_program', 'forbidden'],
    // Wrappers other than postgres_fdw may not undo their changes.
    ["INSERT INTO by_file VALUES ('x')", 'write'],
    ["UPDATE by_file SET line = 'y' WHERE line = 'x'", 'destructive'],
    ["DELETE FROM by_file WHERE line IN ('x', 'y')", 'destructive'],
    ['SELECT alias(1)', 'forbidden'],
    ["SELECT lower_again('A')", 'read'],
    ['SELECT p_dynamic_loop()', 'write'],
    ['SELECT p_calls_writer()', 'write'],
    ['SELECT p_atomic_writes()', 'write'],
    ['SELECT p_default_writes()', 'write'],
    ['SELECT p_default_of_row()', 'write'],
    ['SELECT p_sets()', 'write'],
    ['SELECT p_destroys()', 'destructive'],
    ['SELECT p_drops()', 'destructive'],
    ['SELECT p_secret()', 'forbidden'],
    ['SELECT p_secret_path()', 'forbidden'],
    ['SELECT p_user_path()', 'forbidden'],
    ['SELECT p_inner()', 'read'],
    ['SELECT p_outer()', 'forbidden'],
    ['SELECT p_definer()', 'forbidden'],
    ['CALL p_commits()', 'write'],
    ['CALL p_truncates()', 'destructive'],
    ['SELECT * FROM v_plain JOIN v_of_view USING (id)', 'read'],
    ['SELECT * FROM v_catalog', 'read'],
    ['SELECT * FROM v_kill', 'forbidden'],
    ['SELECT * FROM v_of_kill', 'forbidden'],
    ['INSERT INTO t SELECT * FROM v_of_kill', 'forbidden'],
    ['EXPLAIN SELECT * FROM v_of_kill', 'forbidden'],
    ['SELECT * FROM m_secret', 'forbidden'],
    ['REFRESH MATERIALIZED VIEW m_secret', 'forbidden'],
    ['WITH v_kill AS (SELECT 1) SELECT * FROM v_kill', 'read'],
    ['DROP VIEW v_kill', 'destructive'],
    ['CREATE VIEW x AS SELECT * FROM v_plain', 'write'],
    ['CREATE VIEW x AS SELECT * FROM v_catalog', 'destructive'],
    ['CREATE OR REPLACE VIEW x AS SELECT * FROM t', 'write'],
    ['CREATE OR REPLACE VIEW public.v_plain AS SELECT id, upper(name) AS name FROM t', 'write'],
    // A schema has the role's name, so the view would go there.
    ['CREATE OR REPLACE VIEW public.v_of_view AS SELECT * FROM v_plain', 'write'],
    ["UPDATE v_catalog SET relname = 'x' WHERE oid = 1", 'forbidden'],
    ['DELETE FROM v_catalog WHERE oid = 1', 'forbidden'],
    ['UPDATE v_plain SET id = 2 WHERE id = 1', 'write'],
    ["SELECT ''::d_plain", 'read'],
    ['SELECT 1::d_acts', 'write'],
    ["SELECT pg_input_is_valid('1', 'd_acts')", 'write'],
    ["SELECT pg_input_is_valid('1', 'public.d_acts')", 'write'],
    ["SELECT pg_input_is_valid('1', 'd_plain')", 'read'],
    ['SELECT CAST(1 AS public.d_acts)', 'write'],
    ['SELECT ARRAY[1]::d_acts[]', 'write'],
    ["SELECT * FROM jsonb_to_record('{}') AS x(a d_acts)", 'write'],
    ["SELECT * FROM jsonb_populate_record(NULL::pair, '{}')", 'write'],
    ['EXPLAIN SELECT 1::d_acts', 'write'],
    ['SELECT 1::pair', 'write'],
    ['SELECT NULL::pair = 1', 'write'],
    ['SELECT NULL::pair IN (1)', 'write'],
    ["SELECT 'a'::text BETWEEN 1 AND 2", 'write'],
    ['SELECT * FROM checked', 'read'],
    ['SELECT * FROM indexed', 'write'],
    ['SELECT * FROM in_order', 'read'],
    ['SELECT * FROM no_such_table', 'read'],
    ["SELECT * FROM pg_settings WHERE name = 'work_mem'", 'read'],
    ['DELETE FROM t', 'destructive'],
    ["SELECT pg_read_file('x')", 'forbidden'],
  ])('%s is %s', async (sql, expected) => {
    expect(await classifyWithCatalog(sql)).toBe(expected);
  });

  describe('a CHECK, which no SELECT runs, except what planning computes of it', () => {
    test.each([
      ['ck_of_column', 'read'],
      ['ck_of_constant', 'read'],
      ['ck_of_stable', 'read'],
      ['ck_folding', 'write'],
      ['ck_inlining', 'write'],
      ['ck_filling', 'write'],
      ['ck_within', 'write'],
      ['ck_by_operator', 'write'],
      ['ck_above', 'write'],
    ])('of %s makes a SELECT a %s, and the server does the same', async (table, expected) => {
      const sql = `SELECT * FROM ${table} WHERE v < 0`;
      expect(await classifyWithCatalog(sql)).toBe(expected);
      await server.psql(`select setval('seen', 1); set constraint_exclusion = on; ${sql}`);
      expect(await server.ask('select last_value > 1 from seen')).toBe(expected === 'read' ? 'f' : 't');
    });

    test.each([
      ['SELECT * FROM ck_dropping', 'read'],
      ['EXPLAIN INSERT INTO ck_dropping VALUES (1)', 'read'],
      ['INSERT INTO ck_dropping VALUES (1)', 'destructive'],
      ['INSERT INTO ck_dropping SELECT * FROM ck_dropping', 'destructive'],
      ['WITH i AS (INSERT INTO ck_dropping VALUES (1) RETURNING *) SELECT * FROM i, ck_dropping', 'destructive'],
    ])('%s is %s', async (sql, expected) => {
      expect(await classifyWithCatalog(sql)).toBe(expected);
    });
  });

  test('the search path decides what an unqualified name is', async () => {
    const bent = 'set search_path = s, public, pg_catalog';
    expect(await classifyWithCatalog('SELECT * FROM pg_locks', bent)).toBe('forbidden');
    expect(await classifyWithCatalog('SELECT * FROM pg_locks')).toBe('read');
    expect(await classifyWithCatalog("SELECT upper('a')", bent)).toBe('write');
    expect(await classifyWithCatalog('SELECT * FROM v', 'set search_path = s')).toBe('forbidden');
    expect(await classifyWithCatalog('SELECT hidden()', 'set search_path = s')).toBe('write');
  });

  test('the statements that the catalog decides have their class', async () => {
    const rows = statementsOf('postgres').filter(row => row.decidedBy === 'catalog');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect([row.sql, await classifyWithCatalog(row.sql)]).toEqual([row.sql, row.class]);
  });

  test.each([
    ['SELECT p_dynamic_loop()', /^Behind public\.p_dynamic_loop: it runs SQL from a string, which can't be checked\.$/],
    ["SELECT * FROM p_parts('t')", /^Behind public\.p_parts: it runs SQL from a string, which can't be checked\.$/],
    ["CALL p_handed('select 1')", /^Behind public\.p_handed: it runs whatever SQL it is handed/],
    ['CALL p_commits()', /^CALL |^Behind public\.p_commits: it runs COMMIT, /],
    ['SELECT p_runs_parts()', /^Behind public\.p_runs_parts: it runs SQL from a string, which can't be checked\.$/],
    ['SELECT p_rolls_back()', /^Behind public\.p_rolls_back: it runs ROLLBACK, which can't be checked\.$/],
  ])('%s: what it runs is named as in SQL', async (sql, reason) => {
    expect((await classifiedWithCatalog(sql)).reason).toMatch(reason);
  });

  test('volatile functions of extensions that change nothing are reads', async () => {
    if (extensions.includes('uuid-ossp')) expect(await classifyWithCatalog('SELECT uuid_generate_v4()')).toBe('read');
    if (extensions.includes('pgcrypto')) expect(await classifyWithCatalog("SELECT gen_salt('bf')")).toBe('read');
  });

  test('each volatile function of the server or its extensions has a verdict', async () => {
    const rows = await server.psql(`
      select distinct p.proname || ' ' || p.pronargs || ' ' || coalesce(d.deptype::text, 'b') from pg_proc p
      left join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      where p.provolatile = 'v' and (p.pronamespace = 'pg_catalog'::regnamespace or d.deptype = 'e')`);
    const undecided = rows.split('\n').filter(row => {
      const [name = '', argumentCount, origin] = row.split(' ');
      const reads = origin === 'e' ? [...volatileReadsOfExtensions, ...volatileReads] : [...volatileReads];
      return actingFunction(null, name, Number(argumentCount)) === null && !reads.includes(name.toLowerCase());
    });
    expect(undecided).toEqual([]);
  });

  test('every built-in function was looked at: people call it, or only operators, types and indexes do', async () => {
    const rows = await server.psql(
      "select distinct proname, pronargs from pg_proc where pronamespace = 'pg_catalog'::regnamespace",
    );
    const unknown = rows.split('\n').filter(row => {
      const [name = '', argumentCount] = row.split('|');
      const known = [builtInNames, volatileReads, uncalledBuiltIns].some(names => names.has(name.toLowerCase()));
      return actingFunction(null, name, Number(argumentCount)) === null && !known;
    });
    expect(unknown).toEqual([]);
  });

  test('a statement that the server refuses in a transaction needs its own session', async () => {
    for (const sql of [
      'vacuum t',
      'create database x',
      'drop index concurrently if exists i',
      'reindex schema s',
      'cluster',
    ]) {
      await expect(server.psql(`begin; ${sql}; rollback;`)).rejects.toThrow(/transaction block/);
      expect([sql, classify(sql).needsOwnSession]).toEqual([sql, true]);
    }
  });
});
