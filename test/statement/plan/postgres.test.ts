/** Plans on a real PostgreSQL: each step's figures, and all or nothing. */

import { beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../../engines/postgres/suite.ts';
import { propose } from './proposed.ts';

const setUp = `
drop schema if exists shop cascade; create schema shop; set search_path = shop;
create table customers (id int primary key, name text, status text); insert into customers select g, 'n' || g, 'new' from generate_series(1, 40) as g;
create table orders (id int primary key, customer int references customers on delete cascade, total int);
insert into orders select g, g % 40 + 1, g from generate_series(1, 500) as g;
create table numbered (id serial primary key, what text); insert into numbered (what) values ('a'), ('b');
create table scratch (id int); insert into scratch select generate_series(1, 100);
create table audit (id int); insert into audit select generate_series(1, 30);
create function struck() returns trigger language plpgsql as 'begin delete from shop.audit where id <= 5; return null; end';
create trigger striking after delete on scratch for each statement execute function struck();
create type mood as enum ('calm');
create table parents (id int primary key); insert into parents values (1), (2);
create table children (id int primary key, parent int references parents deferrable initially deferred);
create view seen as select id from scratch;
create function emptied() returns int language plpgsql as 'begin truncate shop.audit; return 1; end';
`;

describeWithPostgres('plans on PostgreSQL', suite => {
  let database: Database;
  const psql = (sql: string) => suite.server.psql(`set search_path = shop; ${sql}`);
  /** Every table, column and row of the schema. */
  const whole = () =>
    suite.server.ask(`select string_agg(t.x, e'\\n' order by t.x) from (
      select format('%s %s', c.table_name, string_agg(c.column_name || ' ' || c.data_type, ',' order by c.ordinal_position)) as x
      from information_schema.columns c where c.table_schema = 'shop' group by c.table_name
      union all select format('%s %s', t.table_name, query_to_xml(format('select * from shop.%I order by 1', t.table_name), true, false, ''))
      from information_schema.tables t where t.table_schema = 'shop') as t`);

  beforeEach(async () => {
    await suite.server.psql(setUp);
    database = suite.open();
  }, 60_000);

  const on = (statements: readonly string[], meanwhile?: () => Promise<unknown>) =>
    propose(database, statements, meanwhile);

  test('each step is counted by itself', async () => {
    const { shown, end } = await on([
      'delete from shop.orders where id <= 100',
      'truncate shop.orders',
      'alter table shop.customers add column note text',
      'update shop.customers set note = status where id <= 7',
      'drop table shop.children, shop.parents',
    ]);
    expect(shown).toEqual([
      'deletes 100 rows of shop.orders',
      'empties shop.orders (400 rows)',
      'no rows that are there now',
      'changes 7 rows of shop.customers',
      'drops shop.children (0 rows); drops shop.parents (2 rows)',
    ]);
    expect(end).toBe('done: 100, 0, 0, 7, 0');
  });

  test('a table made and filled in the plan has no rows that were there', async () => {
    const { shown, end } = await on([
      'create table shop.fresh (id serial primary key, what text)',
      "insert into shop.fresh (what) select 'x' from generate_series(1, 2000)",
      'update shop.fresh set what = id::text',
      'delete from shop.fresh where id > 10',
    ]);
    expect({ shown, end }).toEqual({
      shown: Array(4).fill('no rows that are there now'),
      end: 'done: 0, 2000, 2000, 1990',
    });
  });

  test('triggers and cascades belong to their step', async () => {
    const { shown, end } = await on([
      'delete from shop.customers where id = 1',
      'delete from shop.scratch where id = 1',
      'delete from shop.audit where id > 20',
    ]);
    expect(shown).toEqual([
      'deletes 1 row of shop.customers; deletes 12 rows of shop.orders, by a cascade or a trigger',
      'deletes 1 row of shop.scratch; deletes 5 rows of shop.audit, by a cascade or a trigger',
      'deletes 10 rows of shop.audit',
    ]);
    expect(end).toBe('done: 1, 1, 10');
  });

  for (const [what, statements] of [
    ['a failing middle', ['delete from shop.scratch', 'delete from shop.nothing', 'delete from shop.orders']],
    [
      'a failing end',
      ['create table shop.made (id int)', 'delete from shop.scratch', 'insert into shop.customers values (1)'],
    ],
    [
      'a definition that fails',
      ['update shop.customers set name = null', 'alter table shop.customers alter name set not null'],
    ],
    ['a deferred constraint', ['insert into shop.children values (1, 1)', 'insert into shop.children values (2, 9)']],
    [
      'an enum value of the plan',
      ["alter type shop.mood add value 'wild'", "create table shop.moods as select 'wild'::shop.mood"],
    ],
  ] as const) {
    test(`${what} leaves nothing`, async () => {
      const before = await whole();
      const { end } = await on(statements);
      expect(end).toMatch(/^(?:would fail|failed|\d: unsupported)/);
      expect(await whole()).toBe(before);
    });
  }

  for (const sql of [
    'create index concurrently at_name on shop.customers (name)',
    'vacuum shop.customers',
    'create database other',
    "alter system set work_mem = '1MB'",
    'commit',
    'begin',
    'rollback',
    'select 1',
    "copy shop.customers to program 'true'",
  ]) {
    test(`no part of a plan: ${sql}`, async () => {
      const before = await whole();
      const { end } = await on(['delete from shop.scratch', sql, 'delete from shop.orders']);
      expect(end).toMatch(/^2: (?:unsupported|denied)/);
      expect(await whole()).toBe(before);
    });
  }

  test('what grows while it is looked at is not taken', async () => {
    const before = await whole();
    const { shown, end } = await on(['delete from shop.orders where id <= 3', 'delete from shop.scratch'], () =>
      psql('insert into scratch select generate_series(1, 900)'),
    );
    expect(shown).toEqual([
      'deletes 3 rows of shop.orders',
      expect.stringMatching(/^deletes all 100 rows of shop.scratch/),
    ]);
    expect(end).toMatch(/^more at 2: deletes all 1,000 rows of shop\.scratch/);
    expect((await whole()).length).toBeGreaterThan(before.length);
    expect(await suite.server.ask('select count(*) from shop.orders')).toBe('500');
  });

  test('rows that are deferred and filled later are right', async () => {
    const { end } = await on(['insert into shop.children values (3, 3)', 'insert into shop.parents values (3)']);
    expect(end).toBe('done: 1, 1');
  });

  test('a column is added', async () => {
    const { shown, end } = await on([
      'alter table shop.customers add column note text',
      'alter table shop.orders add column note text',
    ]);
    expect({ shown, end }).toEqual({ shown: Array(2).fill('no rows that are there now'), end: 'done: 0, 0' });
  });

  test('a trial uses up no numbers', async () => {
    const { shown, end } = await on(
      ["insert into shop.numbered (what) values ('c')", 'delete from shop.numbered where id = 1'],
      async () => {
        expect(await suite.server.ask('select last_value from shop.numbered_id_seq')).toBe('2');
      },
    );
    expect({ shown, end }).toEqual({
      shown: [
        'no rows that are there now',
        'deletes 1 row of shop.numbered; (It was counted without an earlier step, which was not tried.)',
      ],
      end: 'done: 1, 1',
    });
  });

  test.each([
    [
      'a function and its trigger',
      [
        "create function shop.g() returns trigger language plpgsql as 'begin perform nextval(''shop.numbered_id_seq''); return null; end'",
        'create trigger g after update on shop.scratch for each statement execute function shop.g()',
        'update shop.scratch set id = id where id = 1',
      ],
    ],
    [
      'a default',
      [
        "create table shop.x (id int default nextval('shop.numbered_id_seq'))",
        'insert into shop.x select from generate_series(1, 9)',
      ],
    ],
    ['a column', ["alter table shop.scratch add column k int default nextval('shop.numbered_id_seq')"]],
    ['a query', ["create table shop.y as select nextval('shop.numbered_id_seq')"]],
    [
      'a rule',
      [
        "create rule r as on delete to shop.scratch do also select nextval('shop.numbered_id_seq')",
        'delete from shop.scratch where id = 1',
      ],
    ],
  ])('a trial runs nothing that the plan brings: %s', async (_, statements) => {
    await on(statements, async () => {
      expect(await suite.server.ask('select last_value from shop.numbered_id_seq')).toBe('2');
    });
  });

  test('what another session adds before the lock is not taken', async () => {
    const { end } = await on(['delete from shop.orders where id = 1', 'truncate shop.scratch'], async () => {
      const writer = suite.server.psql(
        'begin; insert into shop.scratch select generate_series(1000, 3000); select pg_sleep(1); commit',
      );
      await new Promise(resolve => setTimeout(resolve, 300));
      void writer.catch(() => {});
    });
    expect(end).toMatch(/^more at 2: empties shop\.scratch \(2,101 rows\)/);
    expect(await suite.server.ask('select count(*) from shop.orders')).toBe('500');
  });

  test('what an earlier step locked hides nothing of a later one', async () => {
    await psql(
      `create function wipes() returns trigger language plpgsql as 'begin truncate shop.audit; return null; end';
       create trigger wiping before truncate on scratch for each statement execute function wipes()`,
    );
    const before = await whole();
    const { end } = await on(['alter table shop.audit add column k int', 'truncate shop.scratch']);
    expect(end).toMatch(/^more at 2/);
    expect(await whole()).toBe(before);
  });

  test('code that empties a table is held', async () => {
    const before = await whole();
    const { shown, end } = await on(['delete from shop.orders where id = 1', 'select shop.emptied()']);
    expect(shown[1]).toMatch(/code that it calls/);
    expect(end).toMatch(/^more at 2/);
    expect(await whole()).toBe(before);
  });
});
