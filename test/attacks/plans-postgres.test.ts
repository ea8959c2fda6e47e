/**
 * Attacks by plan on PostgreSQL (spec §12): code that the plan itself brings, what a trial would
 * leave behind before anybody has answered, and what would change the session of later steps.
 */

import { beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { numbers, setUp, whole } from '../statement/plan/postgres-setup.ts';
import { propose } from '../statement/plan/proposed.ts';
import { until } from '../waiting/until.ts';

const readsFile = "begin return length(pg_read_file('/etc/hostname')); end";

describeWithPostgres('attacks by plan', suite => {
  let database: Database;
  beforeEach(async () => {
    await suite.server.psql(setUp);
    database = suite.open();
  }, 60_000);

  test.each([
    ["set sallyport.search_path = 'evil'"],
    ['set local search_path = evil'],
    ["select set_config('search_path', 'pg_temp', false)"],
    ["update shop.audit set id = id where set_config('sallyport.x', 'y', false) is not null"],
    ['set role pg_monitor'],
    ['set local role pg_monitor'],
    ['set session authorization default'],
    ['reset role'],
    ['set constraints all deferred'],
    ['savepoint sallyport_step'],
    ['rollback to savepoint sallyport_look'],
    ["prepare transaction 'left'"],
    ["commit prepared 'left'"],
    ['prepare later as delete from shop.orders'],
    ['listen secrets'],
    ['discard all'],
    ['declare c cursor with hold for select 1'],
    ['copy shop.scratch from stdin'],
    ["copy shop.scratch to program 'true'"],
    ['do $$ begin truncate shop.audit; commit; end $$'],
    ['call shop.committed()'],
    ["insert into shop.customers select 99, pg_read_file('/etc/hostname')"],
    ['alter role current_user set search_path = evil'],
    ['delete from shop.scratch; delete from shop.orders'],
  ])('no part of a plan: %s', async sql => {
    const before = await suite.server.ask(whole);
    const { end } = await propose(database, ['delete from shop.orders', sql]);
    expect(end).toMatch(/^2: (?:unsupported|denied)/);
    expect(await suite.server.ask(whole)).toBe(before);
  });

  test.each([
    [
      'a function that it makes reads a file',
      [
        `create function shop.f() returns int language plpgsql as $$ ${readsFile} $$`,
        'insert into shop.audit select shop.f()',
      ],
    ],
    [
      'the same in a default',
      [
        `create function shop.f() returns int language plpgsql as $$ ${readsFile} $$`,
        'alter table shop.orders add size int default shop.f()',
      ],
    ],
    [
      'a function that it makes ends sessions',
      [
        "create function shop.f() returns int language sql as 'select 1 where pg_terminate_backend(1)'",
        'insert into shop.audit select shop.f()',
      ],
    ],
    [
      'an event trigger that runs behind the next definition',
      [
        'create event trigger always on ddl_command_end execute function shop.tick_always()',
        'create table shop.x (id int)',
      ],
    ],
  ])('%s: nothing of it runs, not even in the trial', async (_, statements) => {
    const [before, count] = [await suite.server.ask(whole), await suite.server.ask(numbers)];
    const { shown, end } = await propose(database, statements);
    expect(shown[1]).toBe('would fail');
    expect(end).toMatch(/^would fail at 2/);
    expect([await suite.server.ask(whole), await suite.server.ask(numbers)]).toEqual([before, count]);
  });

  test.each([
    ["select setval('shop.numbered_id_seq', 500)"],
    ["select nextval('shop.numbered_id_seq')"],
    ["insert into shop.audit select nextval('shop.numbered_id_seq')"],
    ["create table shop.x as select setval('shop.numbered_id_seq', 500)"],
    ['create materialized view shop.x as select shop.tick()'],
    ["alter table shop.orders add n int default nextval('shop.numbered_id_seq')"],
    ['alter table shop.numbered rename to n', "insert into shop.n (what) values ('x')"],
    ['create table shop.n (like shop.numbered including all)', "insert into shop.n (what) values ('x')"],
    [
      'create trigger ticking before insert on shop.parents for each row execute function shop.ticking()',
      'insert into shop.parents values (9)',
    ],
    [
      "alter table shop.parents add n int default nextval('shop.numbered_id_seq')",
      'insert into shop.parents values (9)',
    ],
    [
      "create function shop.f() returns int language sql as $$ select nextval('shop.numbered_id_seq')::int $$",
      'insert into shop.parents select shop.f()',
    ],
    [
      "create view shop.v as select nextval('shop.numbered_id_seq')::int as id",
      'insert into shop.parents select id from shop.v',
    ],
    [
      'create operator shop.### (function = shop.ticks, leftarg = int, rightarg = int)',
      'update shop.audit set id = id where id operator(shop.###) 1',
    ],
    ['create table shop.t (id int) inherits (shop.numbered)', "insert into shop.t (what) values ('x')"],
  ])('opening it uses up no numbers: %s %s', async (...statements) => {
    let opened = '';
    const before = await suite.server.ask(numbers);
    await propose(
      database,
      statements.filter(sql => sql !== undefined),
      async () => {
        opened = await suite.server.ask(numbers);
      },
    );
    expect(opened).toBe(before);
  });

  test('a procedure that it makes empties a table: held, and nothing stays', async () => {
    const before = await suite.server.ask(whole);
    const { end } = await propose(database, [
      "create procedure shop.p() language plpgsql as 'begin truncate shop.audit; end'",
      'call shop.p()',
    ]);
    expect(end).toMatch(/^more at 2/);
    expect(await suite.server.ask(whole)).toBe(before);
  });

  test('locks and settings that a step leaves end with the plan', async () => {
    const { end } = await propose(database, [
      'insert into shop.audit select 1 from (select pg_advisory_lock(4711)) as t',
      "create function shop.f() returns int language plpgsql as $$ begin perform set_config('search_path', 'evil', false); return 1; end $$",
      'insert into shop.audit select shop.f()',
      'delete from shop.orders',
    ]);
    expect(end).toBe('done: 1, 0, 1, 500');
    await until(
      async () => (await suite.server.ask("select count(*) from pg_locks where locktype = 'advisory'")) === '0',
      'the lock is gone',
      10,
    );
    const again = await propose(database, ['delete from shop.scratch where id = 1']);
    expect(again.end).toBe('done: 1');
  });
});
