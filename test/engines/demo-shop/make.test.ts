/** The demo shop: it is the same each time, complete, and has values that are hard to transfer. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { makeDemoShop } from '../../../daemon/engines/demo-shop/make.ts';
import { temporaryFolder, withDriver } from '../sqlite/temporary-folder.ts';

const at = temporaryFolder();
beforeAll(() => makeDemoShop(at('shop.db')));

const ask = (sql: string) => withDriver(at('shop.db'), database => database.rows(sql));
const one = (sql: string) => (ask(sql)[0] as unknown[])[0];

test('is the same each time, and replaces the old file with its journal', async () => {
  writeFileSync(at('again.db'), 'something else');
  writeFileSync(at('again.db-journal'), 'something else');
  await makeDemoShop(at('again.db'));
  expect(readFileSync(at('again.db')).equals(readFileSync(at('shop.db')))).toBe(true);
  expect(readdirSync(dirname(at('again.db'))).sort()).toEqual(['again.db', 'shop.db']);
});

test('is sound', () => {
  expect(one('pragma integrity_check')).toBe('ok');
  expect(ask('pragma foreign_key_check')).toEqual([]);
  expect(one('select count(*) from payments join order_totals using (order_id) where amount <> total')).toBe(0n);
  expect(
    one('select count(*) from orders as o join customers as c on c.id = o.customer_id where ordered_at < c.created_at'),
  ).toBe(0n);
});

test('has some 20,000 rows in the tables of a shop', () => {
  const names = ['customers', 'addresses', 'products', 'categories', 'orders', 'order_items', 'payments', 'reviews'];
  const counts = names.map(name => Number(one(`select count(*) from ${name}`)));
  for (const count of counts) expect(count).toBeGreaterThan(10);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(18_000);
  expect(one("select count(*) from sqlite_schema where type = 'view'")).toBe(3n);
  expect(one("select count(*) from sqlite_schema where type = 'index' and sql is not null")).toBe(7n);
});

test('holds values that are hard to transfer', () => {
  expect(one('select id from payments where id = 9007199254740993')).toBe(9007199254740993n);
  expect(one('select typeof(price) from products where price <> cast(price as integer) limit 1')).toBe('real');
  expect(one("select count(*) from customers where name glob '*[^ -~]*'")).toBeGreaterThan(1_000n);
  expect(one("select count(*) from reviews where body like '%😍%'")).toBeGreaterThan(0n);
  expect(one('select count(*) from customers where phone is null')).toBeGreaterThan(0n);
  expect(one('select typeof(thumbnail) || length(thumbnail) from products where thumbnail is not null limit 1')).toBe(
    'blob94',
  );
  expect(
    one(
      "select count(*) from orders where ordered_at not glob '20[0-9][0-9]-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]'",
    ),
  ).toBe(0n);
});

test('notes a changed price', () => {
  withDriver(at('shop.db'), database => {
    database.exec('begin; update products set price = price + 1 where id = 1');
    expect(database.rows('select product_id, new_price - old_price from price_changes')).toEqual([[1n, 1]]);
    database.exec('rollback');
  });
});
