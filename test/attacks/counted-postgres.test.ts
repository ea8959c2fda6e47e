/** Writes by a client that wants a table gone, and honest ones, the whole way on a real PostgreSQL: refused, or run unasked. */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/query/database.ts';
import { describeWithPostgres } from '../databases/postgres/suite.ts';
import { writingClient } from './write-as-a-client.ts';

const setUp = `
create table t (id int primary key, n int, s text, flag boolean, v int default 7, ok boolean default true, name text default 'a');
create table u as select i as id from generate_series(1, 12) as i;
insert into t select i, i, 'row ' || i, i % 2 = 0 from generate_series(1, 12) as i;
create table big (id int primary key, n int);
insert into big select i, i from generate_series(1, 5000) as i;
create table one (id int primary key, n int);
insert into one values (1, 1);
create table sink (id serial primary key, what text);
create table p (id int primary key);
create table c1 (id int primary key, p int references p on delete cascade on update cascade);
create table c2 (id int primary key, c1 int references c1 on delete cascade);
create table c3 (id int primary key, p int references p on delete set null on update cascade deferrable initially deferred);
insert into p values (1), (2), (3);
insert into c1 values (1, 1), (2, 1), (3, 1);
insert into c2 values (1, 1), (2, 2), (3, 3);
insert into c3 values (1, 1), (2, 1);
create table ev (id int, kind text, primary key (id, kind)) partition by list (kind);
create table ev_a partition of ev for values in ('a');
create table ev_b partition of ev for values in ('b') partition by range (id);
create table ev_b1 partition of ev_b for values from (0) to (100);
insert into ev select i, 'a' from generate_series(1, 5) as i; insert into ev select i, 'b' from generate_series(1, 5) as i;
create table animal (id int primary key, name text);
create table cat () inherits (animal);
create table dog () inherits (animal);
insert into cat values (1, 'tom'); insert into dog values (2, 'rex');
create view v as select id, n from t;
create view v_some as select id, n from big where id <= 3000 with check option;
create view v_rule as select id from t;
create rule wipes as on delete to v_rule do instead delete from t where id is not null;
create table trap (id int primary key);
insert into trap values (1), (2);
create table victim (id int primary key, n int default 0);
insert into victim values (1), (2), (3);
create function springs() returns trigger language plpgsql as $$ begin delete from victim where id > 0; return null; end $$;
create trigger springs after update on trap for each row execute function springs();
create table late (id int primary key, n int);
insert into late values (1, 1), (2, 2), (3, 3);
create function springs_late() returns trigger language plpgsql as $$ begin update late set n = 0 where id is not null; return null; end $$;
create table slow (id int primary key);
create constraint trigger springs_late after insert on slow deferrable initially deferred for each row execute function springs_late();
create table cut (id int primary key);
insert into cut values (1), (2), (3);
create table blade (id int primary key);
create function cuts() returns trigger language plpgsql as $$ begin execute 'trun' || 'cate cut'; return null; end $$;
create trigger cuts after insert on blade for each row execute function cuts();
create table gone (id int primary key);
insert into gone values (1), (2), (3);
create table axe (id int primary key);
create function drops() returns trigger language plpgsql as $$ begin execute 'dr' || 'op table gone'; return null; end $$;
create trigger drops after insert on axe for each row execute function drops();
create table tally (id int primary key, n int);
insert into tally values (1, 0);
create table entry (id serial primary key, note text);
create function tallies() returns trigger language plpgsql as $$ begin update tally set n = n + 1 where id = 1; insert into sink (what) values ('entry'); return null; end $$;
create trigger tallies after insert on entry for each row execute function tallies();
create function tries() returns trigger language plpgsql as $$ begin begin insert into one values (1, 2); exception when unique_violation then update one set n = n + 1 where id = 1; end; return null; end $$;
create table attempt (id int primary key);
create trigger tries after insert on attempt for each row execute function tries();
create function works() returns trigger language plpgsql as $$ begin create temp table w (id int) on commit drop; insert into w values (1), (2); delete from w where id > 0; drop table w; return null; end $$;
create table worked (id int primary key);
create trigger works after insert on worked for each row execute function works();
create table tenant (id int primary key, who text);
insert into tenant select i, case when i < 4 then 'narrow' else 'other' end from generate_series(1, 6) as i;
alter table tenant enable row level security;
create policy own on tenant using (who = current_user);
create role narrow login password 'narrow-only';
grant all on tenant, t to narrow;
create table blind (id int primary key, n int);
insert into blind values (1, 1), (2, 2);
grant update (n), select (id) on blind to narrow;
create extension file_fdw;
create server files foreign data wrapper file_fdw;
`;

const stateQuestion = `
select md5(string_agg(x, '' order by x)) from (select c.relname || query_to_xml(format('select md5(string_agg(r::text, chr(10) order by r::text)) from only %s as r', c.oid::regclass), true, false, '')::text as x
from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'sink') as s`;

const attacks: readonly string[] = [
  'DELETE FROM t WHERE tableoid > 0 OR ctid IS NOT NULL',
  'DELETE FROM t WHERE id = id',
  'DELETE FROM t AS x WHERE x.id >= id',
  'DELETE FROM t WHERE id IS NOT NULL OR true',
  'DELETE FROM t WHERE id IS NULL OR id IS NOT NULL',
  'DELETE FROM t WHERE id = 1 OR id <> 1',
  'DELETE FROM t WHERE v < 5 OR v >= 5',
  'DELETE FROM t WHERE NOT (id <> id)',
  'DELETE FROM t WHERE (id = id) IS NOT NULL',
  'DELETE FROM t WHERE id IS NOT DISTINCT FROM id',
  'DELETE FROM t WHERE id IN (SELECT id FROM t)',
  'DELETE FROM t WHERE id IN (SELECT x.id FROM t AS x)',
  'DELETE FROM t WHERE (v IS NULL) IS NOT NULL',
  'DELETE FROM t WHERE ok IS TRUE OR ok IS NOT TRUE',
  'DELETE FROM t WHERE COALESCE(id, id) = id',
  'DELETE FROM t WHERE lower(name) = lower(t.name)',
  'DELETE FROM t WHERE id BETWEEN id AND id',
  "DELETE FROM t WHERE name LIKE '%'",
  "DELETE FROM t WHERE name ~ '.*'",
  'DELETE FROM t WHERE id - id = 0',
  'DELETE FROM t WHERE id * 0 = 0',
  'DELETE FROM t WHERE id + 0 = id',
  "DELETE FROM t WHERE name || '' = name",
  'DELETE FROM t WHERE COALESCE(true, id = 1)',
  'DELETE FROM t WHERE CASE WHEN true THEN true ELSE id = 1 END',
  'DELETE FROM t WHERE CASE id WHEN 1 THEN true ELSE true END',
  'DELETE FROM t USING u WHERE true OR t.id = u.id',
  'UPDATE t SET v = 1 WHERE (id, v) = (id, v)',
  'delete from t where id in (id)',
  'delete from t where id != -1',
  'delete from t where coalesce(1, id) = 1',
  'delete from t where id > 0',
  'delete from t where id is not null',
  "delete from t where s like '%'",
  "delete from t where s || '' = s",
  'delete from t where id in (select id from t)',
  'delete from t where exists (select from t as o where o.id = t.id)',
  'delete from t where flag or not flag',
  'delete from t where id between -5 and 1000000',
  'delete from t where ctid is not null',
  'delete from t where length(s) < 1000',
  'delete from t where abs(id) >= 0',
  'delete from t where id = any (array(select id from t))',
  'delete from t using p where t.id > 0',
  'delete from only t where not (id is null)',
  'update t set n = 0 where id % 1 = 0',
  'update t set s = null where t.* is distinct from null',
  'update t set n = o.n from t as o where o.id = t.id',
  'update t set id = id + 100 where id < 1000',
  'with gone as (delete from t where id > 0 returning *) select count(*) from gone',
  'with gone as (delete from t where id > 0 returning *) insert into sink (what) select s from gone',
  'with a as (delete from t where id <= 6), b as (delete from t where id > 6) select 1',
  'insert into t (id, n) select id, 0 from t on conflict (id) do update set n = 0, s = null, flag = null',
  'insert into t (id) select i from generate_series(1, 20) as i on conflict (id) do update set n = 0 where t.id > 0',
  'merge into t using p on t.id > 0 and p.id = 1 when matched then delete',
  'merge into t using (select id as o from t) as s on t.id = s.o when matched then update set n = 0',
  'delete from v where id > 0',
  'update v set n = 0 where n is not null',
  'delete from v_rule where id = 1',
  'delete from big where id > 3999',
  'delete from big where id % 2 = 0',
  'update big set n = 0 where id <= 1001',
  'delete from v_some where id > 100',
  'delete from p where id in (1, 2, 3)',
  'delete from p where id = 1',
  'update p set id = 10 where id = 1',
  'delete from ev where id > 0',
  "delete from ev_a where kind = 'a'; delete from ev_b",
  'update ev set id = id + 50 where id < 50',
  'delete from animal where id > 0',
  'update animal set name = null where id between 1 and 2',
  'update trap set id = 5 where id = 1',
  'insert into slow values (1)',
  'insert into blade values (1)',
  'insert into axe values (1)',
];

const honest: readonly string[] = [
  'delete from one where id = 1',
  'update one set n = n + 1 where id = 1',
  'update t set n = n + 1 where id = 3',
  'delete from t where id in (1, 2)',
  'update t set flag = true where id between 2 and 11',
  'insert into big select i, i from generate_series(5001, 10000) as i',
  'insert into t select i, i from generate_series(100, 2000) as i',
  'update big set n = n + 1 where id <= 500',
  'update big set n = o.n from t as o where o.id = big.id and o.id <= 10',
  'insert into big (id, n) select i, 0 from generate_series(1, 300) as i on conflict (id) do update set n = excluded.n',
  'insert into big (id) values (1) on conflict do nothing',
  "insert into entry (note) select 'n' from generate_series(1, 1500)",
  'insert into attempt values (1)',
  'insert into worked values (1)',
  'delete from p where id = 3',
  'insert into p values (4)',
  'delete from c2 where id = 1',
  'insert into slow select 1 where false',
  'delete from ev where id = 1',
  'delete from ev_a where id in (2, 3)',
  "update animal set name = 'felix' where id = 1",
  'merge into big using t on big.id = t.id and t.id <= 3 when matched then update set n = 7 when not matched then do nothing',
  'with moved as (delete from big where id <= 20 returning *) insert into sink (what) select n::text from moved',
  'update v set n = 5 where id = 4',
  'create table fresh as select * from t',
  'alter table t add column note text default clock_timestamp()::text',
  'create index on big (n)',
  "select nextval('sink_id_seq')",
];

describeWithPostgres('what a write changed decides on PostgreSQL', suite => {
  let database: Database;
  let write = writingClient(() => database);
  const state = () => suite.server.psql(stateQuestion);

  beforeAll(() => suite.server.psql(setUp), 60_000);
  beforeEach(() => {
    database = suite.open();
    write = writingClient(() => database);
  });

  test('attacks are refused, and change nothing', async () => {
    const before = await state();
    const through: string[] = [];
    for (const sql of attacks) {
      write = writingClient(() => database);
      const end = await write(sql);
      if (!/^(denied|unsupported): /.test(end) || (await state()) !== before) through.push(`${sql}: ${end}`);
    }
    expect(through).toEqual([]);
  }, 120_000);

  test('honest writes run unasked', async () => {
    const asked: string[] = [];
    for (const sql of honest) {
      write = writingClient(() => database);
      const end = await write(sql);
      if (end !== 'done') asked.push(`${sql}: ${end}`);
    }
    expect(asked).toEqual([]);
  }, 120_000);

  test('what a role can not see is refused, or judged by what it sees', async () => {
    database = suite.open({ user: 'narrow' }, 'narrow-only');
    expect(await write("update tenant set who = 'narrow' where id < 3")).toBe('done');
    expect(await write('delete from tenant where id > 0')).toMatch(
      /^denied: .*emptied "public.tenant" \(3 rows deleted\)/,
    );
    expect(await write('update blind set n = 2 where id = 1')).toBe('done');
    expect(await write('update blind set n = 2 where id > 0')).toMatch(
      /^denied: .*this role may not read "public.blind"/,
    );
    expect(await suite.server.psql('select sum(n) from blind')).toBe('4');
  });

  test('a server that keeps no counts has its writes refused', async () => {
    await suite.server.psql(
      "create role quiet superuser login password 'quiet-only'; alter role quiet set track_counts = off",
    );
    database = suite.open({ user: 'quiet' }, 'quiet-only');
    expect(await write('update big set n = 1 where id = 2000')).toMatch(/^denied: .*track_counts is off/);
  });

  test('a refusal names the numbers, what stays of it, and what to do instead', async () => {
    expect(await write("with a as (delete from c2 where id > 0) insert into sink (what) values ('x')")).toBe(
      'denied: Nothing was changed: it would have emptied "public.c2" (2 rows deleted). Values taken from sequences ("public.sink_id_seq") stay used up: a rollback does not give them back. preview_write tells what it would change. confirm_destructive_operation runs it after the user\'s yes. That takes a token with Full Access: without one, ask the user to run it, or to give you one (`sallyport connect http --mint --scope full-access`).',
    );
  });

  test('the counts of earlier statements in the same session are not counted again', async () => {
    for (let round = 0; round < 8; round++)
      expect(await write(`update big set n = ${round} where id between 4001 and 4120`)).toBe('done');
    expect(await write('update big set n = 0 where id between 4001 and 4120')).toMatch(
      /^denied: .*960 rows were changed already/,
    );
    expect(await write('update one set n = 0 where id = 1')).toBe('done');
  });

  test('in slices the limit of the hour holds', async () => {
    const ends: string[] = [];
    for (let from = 2_001; from <= 3_400; from += 400)
      ends.push(await write(`delete from big where id between ${from} and ${from + 399}`));
    expect(ends.map(end => end.split(':')[0])).toEqual(['done', 'done', 'denied', 'denied']);
    expect(ends[2]).toContain('a token may change 1,000 rows of a table in an hour, and 800 rows were changed already');
    expect(await suite.server.psql('select count(*) from big where id between 2801 and 3400')).toBe('600');
  });
});
