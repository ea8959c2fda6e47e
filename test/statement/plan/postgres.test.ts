/** Plans on a real PostgreSQL: each step's figures, and all or nothing. */

import { beforeEach, expect, test } from '@jest/globals';
import { byCascade } from '../../../daemon/engines/count/taken.ts';
import { noRows } from '../../../daemon/engines/count/taken-words.ts';
import type { CommitTrace, Database } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { contextOf, describeWithPostgres, endpointOf, portsOf } from '../../engines/postgres/suite.ts';
import { openLine } from '../../servers/cuttable-line.ts';
import { until } from '../../waiting/until.ts';
import { numbers, setUp, whole as wholeSql } from './postgres-setup.ts';
import { answeredPages, propose } from './proposed.ts';

describeWithPostgres('plans on PostgreSQL', suite => {
  let database: Database;
  const psql = (sql: string) => suite.server.psql(`set search_path = shop; ${sql}`);
  const whole = () => suite.server.ask(wholeSql);

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
      noRows,
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
      shown: Array(4).fill(noRows),
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
      `deletes 1 row of shop.customers; deletes 12 rows of shop.orders, ${byCascade}`,
      `deletes 1 row of shop.scratch; deletes 5 rows of shop.audit, ${byCascade}`,
      'deletes 10 rows of shop.audit',
    ]);
    expect(end).toBe('done: 1, 1, 10');
  });

  /** What each step is shown to take, and the rows that it then changed. */
  test.each<readonly [string, readonly (readonly [sql: string, shown: string])[], string]>([
    [
      'a renamed table is followed by its new name',
      [
        ['alter table shop.scratch rename to renamed', 'alters shop.scratch (100 rows)'],
        [
          'delete from shop.renamed where id <= 3',
          `deletes 3 rows of shop.renamed; deletes 5 rows of shop.audit, ${byCascade}`,
        ],
        ['drop table shop.renamed cascade', 'drops shop.renamed (97 rows); drops view shop.seen'],
      ],
      '0, 3, 0',
    ],
    [
      'two tables change places',
      [
        ['alter table shop.scratch rename to other', 'alters shop.scratch (100 rows)'],
        ['alter table shop.audit rename to scratch', 'alters shop.audit (30 rows)'],
        ['alter table shop.other rename to audit', 'alters shop.other (100 rows)'],
        ['delete from shop.scratch', 'deletes all 30 rows of shop.scratch'],
      ],
      '0, 0, 0, 30',
    ],
    [
      'a table is split',
      [
        ['create table shop.states (id serial primary key, name text)', noRows],
        ['insert into shop.states (name) select distinct status from shop.customers', noRows],
        ['alter table shop.customers add state int', noRows],
        [
          'update shop.customers c set state = s.id from shop.states s where s.name = c.status',
          'changes all 40 rows of shop.customers',
        ],
        [
          'alter table shop.customers drop column status',
          'alters shop.customers (40 rows); drops column status of table shop.customers',
        ],
      ],
      '0, 1, 0, 40, 0',
    ],
    [
      'a copy is made, used and dropped',
      [
        ['create table shop.copy as select * from shop.orders', noRows],
        ['delete from shop.orders', 'deletes all 500 rows of shop.orders'],
        ['insert into shop.orders select * from shop.copy', noRows],
        ['drop table shop.copy', noRows],
      ],
      '500, 500, 500, 0',
    ],
    [
      'a temporary table is made, filled and dropped',
      [
        ['create temp table customers (id int)', noRows],
        ['insert into customers values (1)', noRows],
        ['drop table customers', noRows],
      ],
      '0, 1, 0',
    ],
    [
      'a type is changed, which writes the table anew',
      [
        ['alter table shop.orders alter total type bigint', 'alters shop.orders (500 rows)'],
        ['update shop.orders set total = 0 where id < 10', 'changes 9 rows of shop.orders'],
      ],
      '0, 9',
    ],
    [
      'partitions are attached, emptied and dropped',
      [
        [
          'alter table shop.byday attach partition shop.day3 for values in (3)',
          'alters shop.byday (20 rows); alters shop.day3 (0 rows)',
        ],
        ['delete from shop.byday where day = 1', 'deletes 10 rows of shop.byday'],
        ['drop table shop.day2', 'drops shop.day2 (10 rows)'],
      ],
      '0, 10, 0',
    ],
    [
      'a value of an enum is renamed and used',
      [
        [
          "alter type shop.mood rename value 'calm' to 'still'",
          'alters shop.feelings (0 rows), whose column feeling uses type shop.mood; alters type shop.mood',
        ],
        ["insert into shop.feelings values ('still')", noRows],
      ],
      '0, 1',
    ],
    [
      'a table is replaced',
      [
        ['drop table shop.scratch cascade', 'drops shop.scratch (100 rows); drops view shop.seen'],
        ['create table shop.scratch (id int)', noRows],
        ['insert into shop.scratch select generate_series(1, 5)', noRows],
      ],
      '0, 0, 5',
    ],
    [
      'a deferred constraint holds before a definition',
      [
        ['insert into shop.children values (3, 1)', noRows],
        ['alter table shop.children add note text', noRows],
        ['delete from shop.children where id = 3', 'deletes 1 row of shop.children'],
      ],
      '1, 0, 1',
    ],
    [
      'WITH takes rows of two tables',
      [
        [
          'with gone as (delete from shop.scratch where id < 10 returning id) delete from shop.audit using gone where audit.id = gone.id',
          'deletes 9 rows of shop.audit; deletes 9 rows of shop.scratch',
        ],
        ['delete from shop.scratch', 'deletes all 91 rows of shop.scratch'],
      ],
      '9, 91',
    ],
    [
      'MERGE, and rows put back',
      [
        [
          'merge into shop.customers c using shop.scratch s on c.id = s.id when matched then delete',
          `deletes all 40 rows of shop.customers; deletes all 500 rows of shop.orders, ${byCascade}`,
        ],
        ['insert into shop.customers select id from shop.scratch', noRows],
      ],
      '40, 100',
    ],
    [
      'a rule and a trigger of the plan',
      [
        [
          "create function shop.bomb() returns trigger language plpgsql as 'begin delete from shop.orders; return null; end'",
          noRows,
        ],
        [
          'create trigger bombing after insert on shop.audit for each statement execute function shop.bomb()',
          'alters shop.audit (30 rows)',
        ],
        ['insert into shop.audit values (100)', `deletes all 500 rows of shop.orders, ${byCascade}`],
      ],
      '0, 0, 1',
    ],
    [
      'a materialized view is filled anew',
      [
        ['create materialized view shop.kept as select * from shop.scratch', noRows],
        [
          'delete from shop.scratch where id < 5',
          `deletes 4 rows of shop.scratch; deletes 5 rows of shop.audit, ${byCascade}`,
        ],
        ['refresh materialized view shop.kept', noRows],
      ],
      '100, 4, 0',
    ],
  ])('%s', async (_, steps, rows) => {
    const { shown, end } = await on(steps.map(([sql]) => sql));
    expect({ shown, end }).toEqual({ shown: steps.map(([, each]) => each), end: `done: ${rows}` });
  });

  test.each([
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
      'a deferred constraint before a definition',
      [
        'insert into shop.children values (3, 3)',
        'alter table shop.children add note text',
        'insert into shop.parents values (3)',
      ],
    ],
    [
      'an enum value of the plan',
      ["alter type shop.mood add value 'wild'", "insert into shop.feelings values ('wild')"],
    ],
    ['a division', ['delete from shop.scratch', 'update shop.orders set total = total / 0', 'delete from shop.audit']],
    [
      'what others depend on',
      ['alter table shop.scratch rename to renamed', 'delete from shop.renamed', 'drop table shop.renamed'],
    ],
    [
      'a schema, a role and a grant',
      [
        'create schema fresh',
        'create role boss',
        'grant select on shop.orders to boss',
        'drop table shop.scratch cascade',
        'insert into fresh.nothing values (1)',
      ],
    ],
    [
      'thirty',
      [...Array.from({ length: 29 }, (_, at) => `delete from shop.orders where id = ${at + 1}`), 'drop table x'],
    ],
  ])('%s leaves nothing', async (_, statements) => {
    const before = await whole();
    const { end } = await on(statements);
    expect(end).toMatch(/^(?:would fail|failed|\d: unsupported)/);
    expect(await whole()).toBe(before);
  });

  test('the step that fails is shown with its reason, before the passphrase', async () => {
    const { pages, end } = await answeredPages(database, [
      "alter type shop.mood add value 'wild'",
      "insert into shop.feelings values ('wild')",
      'delete from shop.scratch',
    ]);
    expect(pages[0]?.[1]).toMatch(
      /It fails as things are now: unsafe use of new value "wild" .* must be committed before/,
    );
    expect(pages[0]?.[2]).toContain('It was not reached.');
    expect(end).toContain('must be committed before they can be used');
  });

  test('nor can the words of a failure be taken for a line of the page', async () => {
    await psql(String.raw`create table odd (name text primary key); insert into odd values (E'no\nEffect  \u202e')`);
    const { pages } = await answeredPages(database, [
      String.raw`insert into shop.odd values (E'no\nEffect  \u202e')`,
      'delete from shop.audit',
    ]);
    expect(pages[0]?.[0]).toContain('Key (name)=(no Effect \u202e) already exists.');
  });

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
    expect({ shown, end }).toEqual({ shown: Array(2).fill(noRows), end: 'done: 0, 0' });
  });

  test('a trial uses up no numbers', async () => {
    const { shown, end } = await on(
      ["insert into shop.numbered (what) values ('c')", 'delete from shop.numbered where id = 1'],
      async () => {
        expect(await suite.server.ask('select last_value from shop.numbered_id_seq')).toBe('2');
      },
    );
    expect({ shown, end }).toEqual({
      shown: [noRows, 'deletes 1 row of shop.numbered; (It was counted without an earlier step, which was not tried.)'],
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

  test('steps that no trial may run take two passphrases, however many they are', async () => {
    const { pages, end } = await answeredPages(database, [
      'call shop.struck_out()',
      "insert into shop.numbered (what) values ('c')",
      'delete from shop.customers where id <= (select count(*) from shop.numbered)',
      'select shop.emptied()',
      'drop table shop.scratch cascade',
    ]);
    const figures = pages.map(page => page.map(step => step.replace(/(?:; )?\((?:It|What|Not) .*/s, '')));
    const customers = (rows: number, orders: number) =>
      `deletes ${rows} rows of shop.customers; deletes ${orders} rows of shop.orders, ${byCascade}`;
    const dropped = 'drops shop.scratch (100 rows); drops view shop.seen';
    expect(figures).toEqual([
      ['', '', customers(2, 25), '', dropped],
      [`deletes all 30 rows of shop.audit, ${byCascade}`, '', customers(3, 38), '', dropped],
    ]);
    expect(end).toBe('done: 0, 1, 3, , 0');
  });

  test.each([
    ['cut before the server reads it', { passesThem: false, how: 'cut' }, 'not_done'],
    ['silent before the server reads it', { passesThem: false, how: 'silent' }, 'not_done'],
    ['cut behind it', { passesThem: true, how: 'cut' }, 'done'],
    ['silent behind it', { passesThem: true, how: 'silent' }, 'done'],
  ] as const)('a COMMIT whose line is %s: told as unknown, and the server says later', async (_, trap, fate) => {
    const line = await openLine(suite.server.port);
    const far = openPostgres({ ...endpointOf(suite.server), port: line.port }, portsOf(suite.server.password));
    try {
      const before = await whole();
      const traces: CommitTrace[] = [];
      const steps = ['delete from shop.orders', 'create table shop.made (id int)', 'truncate shop.scratch'];
      const { end } = await propose(far, steps, async () => line.set({ bytes: 'COMMIT\0', ...trap }), {
        committing: trace => traces.push(trace),
        seconds: 3,
      });
      expect(end).toMatch(/^outcome_unknown: .* it may have taken effect\. Look before you repeat it\.$/);
      // One a step: each has its own row in the log.
      expect(traces).toHaveLength(3);
      await line.close();
      const ask = () => database.fateOf?.(contextOf(), traces[0] ?? {});
      await until(async () => JSON.stringify(await ask()) !== '{"kind":"done","value":"open"}', 'it has ended', 30);
      expect(await ask()).toEqual({ kind: 'done', value: fate });
      if (fate === 'not_done') expect(await whole()).toBe(before);
      else expect(await suite.server.ask('select count(*) from shop.orders')).toBe('0');
    } finally {
      await far.close();
    }
  });

  test.each([
    "select setval('shop.numbered_id_seq', 1000)",
    'call shop.jumped()',
    'call shop.jumped_along()',
    "call shop.unread('call shop.jumped()')",
    'update shop.watched set id = id',
    'with u as (update shop.watched set id = id returning id) select count(*) from u',
  ])('what outlives a rollback is not run behind a step that takes more: %s', async sql => {
    const { end } = await on(['call shop.struck_out()', sql, 'select shop.broken()']);
    expect(end).toMatch(/^more at 1: deletes all 30 rows of shop\.audit/);
    expect(await suite.server.ask(numbers)).toBe('2 true');
  });

  test('what fails behind a step that takes more is told as the failure that it is', async () => {
    const { end } = await on(['call shop.struck_out()', 'select shop.broken()']);
    expect(end).toMatch(/^failed at 2: query_failed.*as ever/);
  });

  test('code that empties a table is held', async () => {
    const before = await whole();
    const { shown, end } = await on(['delete from shop.orders where id = 1', 'select shop.emptied()']);
    expect(shown[1]).toMatch(/code that it calls/);
    expect(end).toMatch(/^more at 2/);
    expect(await whole()).toBe(before);
  });
});
