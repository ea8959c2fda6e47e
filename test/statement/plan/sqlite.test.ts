/** Plans on an SQLite file: each step's figures, and all or nothing. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
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
    'no rows that are there now',
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

test.each([
  ['a failing middle', ['delete from scratch', 'delete from nothing', 'delete from orders']],
  ['a failing end', ['create table made (id int)', 'delete from scratch', 'insert into customers (id) values (1)']],
  [
    'a rollback of its own',
    ['delete from scratch', 'insert or rollback into customers (id) values (1)', 'delete from orders'],
  ],
])('%s leaves nothing', async (_, statements) => {
  const before = whole();
  const { end } = await propose(database, statements);
  expect(end).toMatch(/^(?:would fail|failed)/);
  expect(whole()).toBe(before);
});

test.each(['vacuum', 'commit', 'rollback', 'begin', 'select 1', "attach 'x' as y", 'pragma journal_mode = delete'])(
  'no part of a plan: %s',
  async sql => {
    const before = whole();
    const { end } = await propose(database, ['delete from scratch', sql, 'delete from orders']);
    expect(end).toMatch(/^2: (?:unsupported|denied)/);
    expect(whole()).toBe(before);
  },
);

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
