/**
 * Statements that take more than they name, on a real PostgreSQL: each question says so, and an
 * approved run takes no more than was shown.
 */

import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { byCascade, uncountedBecause } from '../../daemon/engines/count/taken.ts';
import { noRows } from '../../daemon/engines/count/taken-words.ts';
import { othersLock, othersWait } from '../../daemon/engines/count/trial.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { expectWithin, here } from '../waiting/limits.ts';
import { askAndRun, shownOf, textOf } from './ask-and-run.ts';

const setUp = `
drop schema if exists shop cascade; drop schema if exists other cascade; create schema shop; create schema other;
set search_path = shop;
create table orders (id int primary key, total int); insert into orders select g, g from generate_series(1, 500) as g;
create table scratch (id int, total int);
create table customers (id int primary key); insert into customers select generate_series(1, 20);
create table invoices (id serial primary key, customer int references customers on delete cascade);
insert into invoices (customer) select g % 20 + 1 from generate_series(1, 300) as g;
create table notes (id int primary key, invoice int references invoices on delete set null);
insert into notes select g, g from generate_series(1, 50) as g;
create view orders_summary as select sum(total) from orders;
create view of_summary as select * from orders_summary;
create materialized view totals as select total from orders;
create function orders_of() returns int stable language sql begin atomic select count(*)::int from orders; end;
create table parted (id int) partition by range (id);
create table parted_low partition of parted for values from (0) to (100);
create table parted_high partition of parted for values from (100) to (1000);
insert into parted select generate_series(1, 200);
create table grows (id int); insert into grows select generate_series(1, 40);
create table audited (id int); insert into audited values (1), (2), (3);
create table victim (id int); insert into victim select generate_series(1, 70);
create function other.strike() returns trigger language plpgsql as 'begin delete from shop.victim where id > 1; return null; end';
create table other.far (id int references orders); insert into other.far values (1), (2);
create collation words from "C"; create table worded (id int, name text collate words); insert into worded select g from generate_series(1, 30) as g;
create text search configuration found (copy = simple);
create table searched (body text, v tsvector generated always as (to_tsvector('shop.found'::regconfig, body)) stored); insert into searched values ('a');
create operator === (leftarg = int, rightarg = int, function = int4eq); create table equals (id int); create view equal as select id from equals where id operator(shop.===) 3;
create operator family ordered using btree; create operator class ordered_ints for type int using btree family ordered as operator 1 <, function 1 btint4cmp(int, int);
create index by_class on victim (id ordered_ints);
`;

describeWithPostgres('what an approval takes on PostgreSQL', suite => {
  let database: Database;
  const psql = (sql: string) => suite.server.psql(`set search_path = shop; ${sql}`);
  const rows = (table: string) => suite.server.ask(`select count(*) from shop.${table}`).catch(() => 'gone');

  async function connect(): Promise<pg.Client> {
    const { host, port, superuser: user, password } = suite.server;
    const client = new pg.Client({ host, port, user, password, database: 'postgres' });
    await client.connect();
    return client;
  }

  beforeEach(async () => {
    await suite.server.psql(setUp);
    database = suite.open();
  }, 60_000);

  test('a child that was attached without asking is emptied by name', async () => {
    await psql('alter table orders inherit scratch');
    await suite.server.psql('drop table other.far');
    expect(await shownOf(database, 'truncate shop.scratch')).toBe(
      'empties shop.scratch (0 rows)\nempties shop.orders (500 rows), a child of shop.scratch',
    );
    expect(await shownOf(database, 'truncate only shop.scratch')).toBe('empties shop.scratch (0 rows)');
    expect(await shownOf(database, 'drop table shop.scratch cascade')).toMatch(
      /^drops shop\.scratch \(0 rows\)\ndrops shop\.orders \(500 rows\), a child of shop\.scratch\ndrops shop\.totals/,
    );
    const { questions, end } = await askAndRun(database, 'truncate shop.scratch');
    expect([questions.length, end, await rows('orders')]).toEqual([1, 'done', '0']);
  });

  test.each<[string, unknown]>([
    [
      'delete from shop.customers where id = 1',
      `deletes 1 row of shop.customers\ndeletes 15 rows of shop.invoices, ${byCascade}\nchanges 2 rows of shop.notes, ${byCascade}`,
    ],
    ['delete from shop.audited', 'deletes all 3 rows of shop.audited'],
    ['update shop.orders set total = 0', 'changes all 500 rows of shop.orders'],
    [
      'truncate shop.customers cascade',
      'empties shop.customers (20 rows)\nempties shop.invoices (300 rows), which refers to shop.customers\nempties shop.notes (50 rows), which refers to shop.invoices',
    ],
    ['truncate shop.parted', 'empties shop.parted (200 rows)'],
    ['drop table shop.parted', 'drops shop.parted (200 rows)'],
    ['truncate shop.parted_low', 'empties shop.parted_low (99 rows)'],
    [
      'drop table shop.orders cascade',
      'drops shop.orders (500 rows)\ndrops shop.totals (500 rows), which depends on what is dropped\ndrops constraint far_id_fkey on table other.far\ndrops function shop.orders_of()\ndrops view shop.of_summary\ndrops view shop.orders_summary',
    ],
    [
      'alter table shop.orders drop column total cascade',
      'drops shop.totals (500 rows), which depends on what is dropped\nalters shop.orders (500 rows)\ndrops column total of table shop.orders\ndrops view shop.of_summary\ndrops view shop.orders_summary',
    ],
    ['drop database aside', expect.stringMatching(/^drops database aside \(\d+ [kM]B\) with all that is in it$/)],
    ['drop schema other cascade', 'drops other.far (2 rows)\ndrops function other.strike()\ndrops schema other'],
    [
      'drop collation shop.words cascade',
      'alters shop.worded (30 rows), whose column name uses collation shop.words\ndrops collation shop.words\ndrops column name of table shop.worded',
    ],
    [
      'drop text search configuration shop.found cascade',
      'alters shop.searched (1 row), whose column v uses text search configuration shop.found\ndrops column v of table shop.searched\ndrops text search configuration shop.found',
    ],
    ['drop operator shop.=== (int, int) cascade', 'drops operator shop.===(integer,integer)\ndrops view shop.equal'],
    [
      'drop operator class shop.ordered_ints using btree cascade',
      'alters shop.victim (70 rows), which uses operator class shop.ordered_ints for access method btree\ndrops index shop.by_class\ndrops operator class shop.ordered_ints for access method btree',
    ],
    [
      'drop operator family shop.ordered using btree cascade',
      'alters shop.victim (70 rows), which uses operator family shop.ordered for access method btree\ndrops index shop.by_class\ndrops operator family shop.ordered for access method btree',
    ],
  ])('%s', async (sql, shown) => {
    if (sql.includes('aside')) await suite.server.psql('create database aside');
    expect(await shownOf(database, sql)).toEqual(shown);
    const { questions, end } = await askAndRun(database, sql);
    expect([questions.map(textOf), end]).toEqual([[shown], 'done']);
  });

  test.each<[string, string]>([
    [
      'with z as (delete from shop.customers where id = 1 returning id) select id from z',
      `deletes 1 row of shop.customers\ndeletes 15 rows of shop.invoices, ${byCascade}\nchanges 2 rows of shop.notes, ${byCascade}`,
    ],
    ['explain analyze delete from shop.audited where id > 1', 'deletes 2 rows of shop.audited'],
    ['explain (analyze, costs off) update shop.audited set id = id + 10', 'changes all 3 rows of shop.audited'],
    [
      'explain analyze with z as (delete from shop.audited returning id) insert into shop.scratch select id from z',
      'deletes all 3 rows of shop.audited',
    ],
    [
      'create table shop.made as with z as (delete from shop.audited where id = 1 returning id) select id from z',
      'deletes 1 row of shop.audited',
    ],
    [
      'with z as (update shop.grows set id = id + 100 where id < 3 returning id) delete from shop.victim where id < 4',
      'deletes 3 rows of shop.victim\nchanges 2 rows of shop.grows',
    ],
    ['insert into shop.scratch values (1, 2)', noRows],
    ['delete from shop.audited where id = 99', noRows],
    ['drop function shop.orders_of()', 'drops function shop.orders_of()'],
  ])('a change within a statement is counted, and no question is empty without a reason: %s', async (sql, shown) => {
    const { questions, end } = await askAndRun(database, sql);
    expect([questions.map(textOf), end]).toEqual([[shown], 'done']);
  });

  test('a change within a statement that can’t be tried is told by its tables', async () => {
    const other = await connect();
    await other.query('begin; select from shop.audited for update; select from shop.grows for update');
    expect(
      await shownOf(
        database,
        'with z as (delete from shop.audited returning id), y as (update shop.grows set id = 0 returning id) select from z',
      ),
    ).toBe(
      `deletes up to 3 rows of shop.audited\nchanges up to 40 rows of shop.grows\n(${uncountedBecause(othersLock)})`,
    );
    await other.end();
  });

  test('a run within a statement takes no more than was shown', async () => {
    const decides = async (question: number) => {
      if (question === 1) await psql('insert into victim select generate_series(100, 150)');
      return question < 2;
    };
    for (const sql of [
      'with z as (delete from shop.victim where id > 60 returning id) select count(*) from z',
      'explain analyze delete from shop.victim where id > 60',
    ]) {
      await suite.server.psql(setUp);
      const { questions, end } = await askAndRun(database, sql, { decides });
      expect([questions.map(textOf), end, await rows('victim')]).toEqual([
        ['deletes 10 rows of shop.victim', 'deletes 61 rows of shop.victim'],
        'no',
        '121',
      ]);
    }
  });

  test('a foreign key that was added without asking takes rows along, and the question says so', async () => {
    await psql(`create table scr (id int primary key); insert into scr select generate_series(1, 60);
      alter table orders add foreign key (id) references scr on delete cascade not valid`);
    await suite.server.psql('drop table other.far');
    expect(await shownOf(database, 'delete from shop.scr where id <= 60')).toBe(
      `deletes all 60 rows of shop.scr\ndeletes 60 rows of shop.orders, ${byCascade}`,
    );
  });

  test('a table that grew by more than a tenth is asked about again, one that shrank isn’t', async () => {
    const grow = (rows: number) => async (question: number) => {
      if (question === 1) await psql(`insert into grows select generate_series(1, ${rows})`);
      return question < 3;
    };
    for (const sql of ['delete from shop.grows', 'truncate shop.grows', 'drop table shop.grows']) {
      await suite.server.psql(setUp);
      const { questions, end } = await askAndRun(database, sql, { decides: grow(11) });
      expect([sql, questions.length, end]).toEqual([sql, 2, 'done']);
      expect(textOf(questions[0] ?? { lines: [], note: null })).toMatch(/\b40 rows/);
      expect(textOf(questions[1] ?? { lines: [], note: null })).toMatch(/\b51 rows/);
      await suite.server.psql(setUp);
      expect(await askAndRun(database, sql, { decides: grow(10) })).toMatchObject({ questions: [{}], end: 'done' });
      await suite.server.psql(setUp);
      const fewer = async () => (await psql('delete from grows where id > 3')) === '';
      expect(await askAndRun(database, sql, { decides: fewer })).toMatchObject({ questions: [{}], end: 'done' });
    }
  });

  test('anything that wasn’t shown is rolled back and asked about: a new child, reference, view or trigger', async () => {
    const meanwhile: readonly (readonly [string, string, RegExp])[] = [
      ['truncate shop.scratch', 'alter table orders inherit scratch', /empties shop\.orders \(500 rows\), a child of/],
      ['drop table shop.scratch cascade', 'alter table orders inherit scratch', /drops shop\.orders \(500 rows\)/],
      ['drop table shop.scratch cascade', 'create view seen as select * from scratch', /drops view shop\.seen/],
      [
        'truncate shop.customers cascade',
        'create table late (id int references customers)',
        /empties shop\.late \(0 rows\), which refers to/,
      ],
      [
        'delete from shop.audited',
        'create trigger t after delete on audited execute function other.strike()',
        /deletes 69 rows of shop\.victim, by a cascade or a trigger/,
      ],
      [
        'truncate shop.audited',
        'create trigger t after truncate on audited execute function other.strike()',
        /deletes 69 rows of shop\.victim, by a cascade or a trigger/,
      ],
      [
        'delete from shop.customers where id = 2',
        'create table late (id int references customers on delete cascade); insert into late values (2)',
        /deletes 1 row of shop\.late/,
      ],
    ];
    for (const [sql, ddl, shown] of meanwhile) {
      await suite.server.psql(`${setUp} drop table other.far`);
      const before = await suite.server.ask('select count(*) from shop.orders, shop.victim');
      const decides = async (question: number) => {
        if (question === 1) await psql(ddl);
        return question === 1;
      };
      const { questions, end } = await askAndRun(database, sql, { decides });
      expect([sql, end, questions.length]).toEqual([sql, 'no', 2]);
      expect(textOf(questions[1] ?? { lines: [], note: null })).toMatch(shown);
      expect(await suite.server.ask('select count(*) from shop.orders, shop.victim')).toBe(before);
      expect((await askAndRun(database, sql)).end).toBe('done');
    }
  });

  test('a lock held by another session costs 200 ms, and the question says that nothing was tried', async () => {
    const other = await connect();
    await other.query('begin; update shop.orders set total = 1 where id = 1');
    const start = performance.now();
    expect(await shownOf(database, 'delete from shop.orders where id < 9')).toBe(
      `deletes up to 500 rows of shop.orders\n(${uncountedBecause(othersLock)})`,
    );
    expectWithin(start, 1_500);
    await other.query('rollback');
    await other.end();
  });

  test('an honest writer and an honest reader never wait for a question', async () => {
    await psql(
      'create table wide (id int primary key, n int); insert into wide select g, g from generate_series(1, 400000) as g',
    );
    const others = await Promise.all([connect(), connect()] as const);
    const [writer, reader] = others;
    for (const sql of ['update shop.wide set n = n * 2', 'truncate shop.wide', 'drop table shop.wide']) {
      const asked = shownOf(database, sql, 1);
      let isOver = false;
      void asked.then(() => {
        isOver = true;
      });
      // Once the trial has changed the rows that the writer wants, and long before its end.
      if (sql.startsWith('update')) {
        const runs = `select from pg_stat_activity where query = '${sql}' and state = 'active' and now() - query_start > interval '0.1 s'`;
        while ((await reader.query(runs)).rowCount === 0) expect(isOver).toBe(false);
      }
      const waits: number[] = [];
      do {
        const begun = performance.now();
        await writer.query('update shop.wide set n = n + 1 where id in (1, 2)');
        await reader.query('select n from shop.wide where id = 7');
        waits.push(performance.now() - begun);
      } while (!isOver);
      if (sql.startsWith('update'))
        expect(await asked).toBe(`changes up to 400,000 rows of shop.wide\n(${uncountedBecause(othersWait)})`);
      expect([sql, Math.max(...waits) < here(250), waits]).toEqual([sql, true, waits]);
    }
    await Promise.all(others.map(other => other.end()));
  }, 60_000);

  test('what can’t be counted in time is estimated, and marked so', async () => {
    await psql(`create table slow (id int); insert into slow select generate_series(1, 1000); analyze slow;
      create role clerk login password 'clerk-only'; grant usage on schema shop to clerk; grant all on slow to clerk;
      alter table slow enable row level security; create policy few on slow using (id < 3)`);
    const clerks = suite.open({ user: 'clerk' }, 'clerk-only');
    // A policy hides rows from its count, but not from TRUNCATE.
    expect(await shownOf(clerks, 'truncate shop.slow')).toBe('empties shop.slow (~1,000 rows)');
    await suite.server.psql('drop schema shop cascade; drop owned by clerk; drop role clerk');
  });

  test('code that commits isn’t said to be counted', async () => {
    await psql(`create procedure takes() language plpgsql as 'begin truncate shop.grows; end';
      create procedure takes_alone() language plpgsql as 'begin truncate shop.grows; commit; end'`);
    expect(await shownOf(database, 'call shop.takes_alone()')).toBe(
      "(What the code that it calls takes is not counted: it commits by itself, and what it took can't be rolled back.)",
    );
    const { questions, end } = await askAndRun(database, 'call shop.takes()', {
      decides: async question => question < 2,
    });
    expect([end, questions.at(-1)?.note, await rows('grows')]).toEqual([
      'no',
      expect.stringMatching(
        /asked again\. Not all .* because it truncated, dropped or changed "shop\.grows" as a whole\.$/,
      ),
      '40',
    ]);
  });

  test('what can’t be counted within 2 s is estimated', async () => {
    await psql('analyze orders');
    const other = await connect();
    await other.query('begin; lock table shop.orders in access exclusive mode');
    const begun = performance.now();
    expect(await shownOf(database, 'drop table shop.orders, other.far')).toBe(
      'drops other.far (2 rows)\ndrops shop.orders (~500 rows)',
    );
    expectWithin(begun, 4_000);
    await other.query('rollback');
    await other.end();
  });

  test('DROP OWNED drops what a role owns, and what depends on it', async () => {
    await psql(`create role leaver; grant usage, create on schema shop to leaver; set role leaver; create table mine (id int); insert into mine values (1), (2);
      reset role; create view of_mine as select * from mine`);
    expect(await shownOf(database, 'drop owned by leaver cascade')).toBe(
      'drops shop.mine (2 rows)\ndrops view shop.of_mine\nchanges the rights on schema shop',
    );
    const late = async (question: number) => {
      if (question === 1) await psql('set role leaver; create table mine_too (id int)');
      return true;
    };
    const { questions, end } = await askAndRun(database, 'drop owned by leaver cascade', { decides: late });
    expect([questions.length, questions[1]?.lines, end]).toEqual([
      2,
      [
        'drops shop.mine (2 rows)',
        'drops shop.mine_too (0 rows)',
        'drops view shop.of_mine',
        'changes the rights on schema shop',
      ],
      'done',
    ]);
    await suite.server.psql('drop owned by leaver; drop role leaver');
  });

  test('consequences are reported even if another session’s lock prevents a trial', async () => {
    const other = await connect();
    await other.query('begin; select from shop.customers where id = 1 for update');
    expect(await shownOf(database, 'delete from shop.customers where id = 1')).toBe(
      `deletes up to 20 rows of shop.customers\ndeletes up to 300 rows of shop.invoices, which refers to shop.customers\nchanges up to 50 rows of shop.notes, which refers to shop.invoices\n(${uncountedBecause(othersLock)})`,
    );
    await other.end();
  });

  test('a statement that fails isn’t asked about', async () => {
    const { questions, end } = await askAndRun(database, 'delete from shop.orders');
    expect([questions, end]).toEqual([[], expect.stringContaining('violates foreign key constraint')]);
  });
});
