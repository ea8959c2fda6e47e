/** Plans on an SQLite file: each step's figures, and all or nothing. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { byCascade } from '../../../daemon/engines/count/taken.ts';
import { noRows } from '../../../daemon/engines/count/taken-words.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openFile } from '../../engines/sqlite/engine.ts';
import { withDriver } from '../../engines/sqlite/temporary-folder.ts';
import { propose } from './proposed.ts';

const numbers = (most: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most}) select i`;
const setUp = `
create table customers (id integer primary key, name text, status text);
insert into customers ${numbers(40)}, 'n' || i, 'new' from n;
create table orders (id integer primary key, customer int references customers on delete cascade, total int);
insert into orders ${numbers(500)}, i % 40 + 1, i from n;
create table scratch (id integer primary key); insert into scratch ${numbers(100)} from n;
create table audit (id integer primary key); insert into audit ${numbers(30)} from n;
create trigger striking after delete on scratch begin delete from audit where id = old.id and id <= 5; end;
create view seen as select id from scratch;
create trigger through instead of delete on seen begin delete from scratch where id = old.id; end;
create table late (id integer primary key, o int references orders deferrable initially deferred);
`;

let folder: string;
let path: string;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
  path = join(folder, 'shop.sqlite');
  withDriver(path, driver => driver.exec(setUp));
  database = openFile(path);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Every definition and row. */
function whole(): string {
  return withDriver(path, driver => {
    const made = driver.prepare('select name, sql from sqlite_schema order by name').all();
    const rows = made.map(({ name, sql }) =>
      String(sql).startsWith('CREATE TABLE') || String(sql).startsWith('create table')
        ? driver.prepare(`select * from "${String(name)}"`).all()
        : [],
    );
    return JSON.stringify([made, rows]);
  });
}

test('each step is counted by itself', async () => {
  const { shown, end } = await propose(database, [
    'delete from orders where id <= 100',
    'delete from orders',
    'alter table customers add column note text',
    'update customers set note = status where id <= 7',
    'drop table audit',
  ]);
  expect(shown).toEqual([
    'deletes 100 rows of orders',
    'deletes all 400 rows of orders',
    noRows,
    'changes 7 rows of customers',
    'drops audit (30 rows)',
  ]);
  expect(end).toBe('done: 100, 400, 0, 7, 0');
});

test('a rebuild deletes the rows that refer to the table, and says so', async () => {
  const before = whole();
  const { shown, end } = await propose(database, [
    'create table fresh (id integer primary key, name text, status text, note text)',
    'insert into fresh (id, name, status) select * from customers',
    'drop table customers',
    'alter table fresh rename to customers',
  ]);
  expect(shown[2]).toBe('drops customers (40 rows); deletes up to 500 rows of orders, which refers to customers');
  expect(end).toMatch(/^done/);
  expect(whole()).not.toBe(before);
});

test.each<readonly [string, readonly (readonly [sql: string, shown: string])[], string]>([
  [
    'a renamed table',
    [
      ['alter table scratch rename to renamed', 'alters scratch (100 rows)'],
      ['delete from renamed where id <= 3', `deletes 3 rows of renamed; deletes 3 rows of audit, ${byCascade}`],
      ['drop table renamed', 'drops renamed (97 rows)'],
    ],
    '0, 3, 0',
  ],
  [
    'two tables that change places',
    [
      ['alter table scratch rename to other', 'alters scratch (100 rows)'],
      ['alter table audit rename to scratch', 'alters audit (30 rows)'],
      ['alter table other rename to audit', 'alters other (100 rows)'],
      ['delete from scratch', 'deletes all 30 rows of scratch'],
    ],
    '0, 0, 0, 30',
  ],
  [
    'a trigger of the plan',
    [
      ['create trigger bombing after insert on audit begin delete from orders; end', 'alters audit (30 rows)'],
      ['insert into audit values (99)', `deletes all 500 rows of orders, ${byCascade}`],
    ],
    '0, 1',
  ],
  [
    'a view with a trigger',
    [
      ['delete from seen where id = 2', `deletes 1 row of scratch, ${byCascade}; deletes 1 row of audit, ${byCascade}`],
      ['drop view seen', 'drops view seen'],
    ],
    '0, 0',
  ],
  [
    'a temporary table of the same name',
    [
      ['create temp table customers (id int)', noRows],
      ['insert into customers values (1)', noRows],
      ['delete from customers', noRows],
    ],
    '0, 1, 1',
  ],
  [
    'a reference that is filled later',
    [
      ['insert into late values (1, 999)', noRows],
      ['insert into orders values (999, 1, 1)', noRows],
    ],
    '1, 1',
  ],
  [
    'rows that are replaced',
    [
      [
        'insert or replace into customers values (2, 2, 2)',
        `deletes 1 row of customers; deletes 13 rows of orders, ${byCascade}`,
      ],
      ['alter table customers drop column status', 'alters customers (40 rows)'],
      ['update customers set name = 1 where id < 4', 'changes 3 rows of customers'],
    ],
    '1, 0, 3',
  ],
])('%s', async (_, steps, rows) => {
  const { shown, end } = await propose(
    database,
    steps.map(([sql]) => sql),
  );
  expect({ shown, end }).toEqual({ shown: steps.map(([, each]) => each), end: `done: ${rows}` });
});

test.each([
  ['a reference to nothing', ['insert into late values (1, 999)', 'delete from orders where id = 1']],
  [
    'a trigger that rolls all back',
    [
      "create trigger back before delete on orders begin select raise(rollback, 'no'); end",
      'delete from orders where id = 1',
      'delete from audit',
    ],
  ],
  ['a failing middle', ['delete from scratch', 'delete from nothing', 'delete from orders']],
  ['a failing end', ['create table made (id int)', 'delete from scratch', 'insert into customers (id) values (1)']],
  [
    'a rollback of its own',
    ['delete from scratch', 'insert or rollback into customers (id) values (1)', 'delete from orders'],
  ],
])('%s leaves nothing', async (_, statements) => {
  const before = whole();
  const { end } = await propose(database, statements);
  expect(end).toMatch(/^(?:would fail|failed|query_failed)/);
  expect(whole()).toBe(before);
});

test.each([
  'vacuum',
  "vacuum into 'x'",
  'commit',
  'rollback',
  'begin',
  'savepoint a',
  'release a',
  'select 1',
  "attach 'x' as y",
  'pragma journal_mode = delete',
  'pragma writable_schema = on',
  'pragma defer_foreign_keys = on',
  'delete from sqlite_schema',
  "insert into audit select load_extension('x')",
  'delete from scratch; delete from audit',
])('no part of a plan: %s', async sql => {
  const before = whole();
  const { end } = await propose(database, ['delete from scratch', sql, 'delete from orders']);
  expect(end).toMatch(/^2: (?:unsupported|denied)/);
  expect(whole()).toBe(before);
});

test.each([
  [
    'a temporary trigger',
    [
      'create temp trigger spy after insert on main.orders begin delete from audit; end',
      'delete from scratch where id > 90',
    ],
    'insert into orders values (900, 1, 1)',
    30,
  ],
  [
    'a temporary table over another',
    ['create temp table audit (id int)', 'delete from scratch where id > 90'],
    'delete from audit',
    0,
  ],
  [
    'a temporary view over another',
    ['create temp view audit as select * from scratch', 'delete from scratch where id > 90'],
    'insert into audit values (99)',
    31,
  ],
])('attack: %s is gone when the plan is over', async (_, steps, next, left) => {
  expect((await propose(database, steps)).end).toBe('done: 0, 10');
  expect((await propose(database, [next])).end).toMatch(/^done/);
  expect(withDriver(path, driver => driver.prepare('select count(*) as n from audit').get()?.n)).toBe(left);
});

test('foreign_keys=off is refused, since SQLite would ignore it', async () => {
  const { end } = await propose(database, ['pragma foreign_keys = off', 'delete from scratch']);
  expect(end).toMatch(/^1: unsupported: PRAGMA foreign_keys/);
});

test('what grows while it is looked at is not taken', async () => {
  const { end } = await propose(database, ['delete from orders where id <= 3', 'delete from scratch'], async () =>
    withDriver(path, driver => driver.exec(`insert into scratch ${numbers(900)} + 1000 from n`)),
  );
  expect(end).toMatch(/^more at 2: deletes all 1,000 rows of scratch/);
  expect(withDriver(path, driver => driver.prepare('select count(*) as n from orders').get()?.n)).toBe(500);
});
