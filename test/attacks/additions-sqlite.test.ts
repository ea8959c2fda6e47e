/**
 * Threat: a client that may only add to an SQLite file adds something that makes statements of
 * other programs, or Sallyport's own, fail or mean something else.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { call } from '../engines/collecting-sink.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { additions, additionsFixture, honestAdditions } from './additions-sqlite-statements.ts';
import { shownOf } from './ask-and-run.ts';
import { writingClient } from './write-as-a-client.ts';

const classifier = judgingInThread();
let folder = '';
let path = '';
let file = 0;
let database: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-additions-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  path = join(folder, `${++file}.db`);
  withDriver(path, driver => driver.exec(additionsFixture));
  database = openFile(path);
});
afterEach(() => database.close());

const schema = () => withDriver(path, driver => driver.rows('select name, sql from sqlite_schema'));

/** Statements of any other program. */
const others = [
  "insert into scratch(a) values ('no json'), ('ab'), ('now')",
  'update precious set v = 11 where id = 1',
  'delete from precious where id = 3',
  'delete from scratch where rowid = 2',
  'insert into orders_content values (2)',
];

describe.each(Object.entries(additions))('%s', (_, tried) => {
  test.each(tried.map(sql => [sql]))('%s', async sql => {
    const before = schema();
    const answer = await writingClient(() => database)(sql);
    expect(answer).not.toBe('done');
    expect(schema()).toEqual(before);
    const client = writingClient(() => database);
    for (const other of others) expect([other, await client(other)]).toEqual([other, 'done']);
  });
});

test('additions that don’t affect others run', async () => {
  const client = writingClient(() => database);
  for (const sql of honestAdditions) expect([sql, await client(sql)]).toEqual([sql, 'done']);
  for (const other of others) expect([other, await client(other)]).toEqual([other, 'done']);
});

test("a file whose tables have the names of SQLite's own is described and counted like any other", async () => {
  const planned = async (sql: string) => {
    const followed = await database.follow(classifier, call, sql);
    if (followed.kind !== 'classified') throw new Error(followed.failure.kind);
    return database.planPreview(classifier, {
      context: call,
      classification: followed.classification,
      written: undefined,
      sql,
    });
  };
  const told = async () => ({
    tables: await database.listTables(call),
    described: await database.describeTables(call, ['parent', 'kid'], true),
    texts: await database.catalogTexts(call, null),
    dropped: await shownOf(database, 'drop table parent'),
    deleted: await shownOf(database, "delete from parent where code like '_'"),
    planned: await planned('delete from parent where id = 1'),
  });
  withDriver(path, driver =>
    driver.exec('create table kid(a references parent on delete cascade); insert into kid values (1)'),
  );
  const before = await told();
  const names = 'table_list table_xinfo index_list index_xinfo foreign_key_list foreign_key_check page_count page_size';
  const taken = [...names.split(' ').map(name => `pragma_${name}`), 'json_each', 'dbstat'];
  withDriver(path, driver => {
    for (const name of taken)
      driver.exec(`create virtual table ${name} using fts5(name, type, schema, "unique", value, pk, wr)`);
  });
  const after = await told();
  expect([after.dropped, after.deleted, after.planned]).toEqual([before.dropped, before.deleted, before.planned]);
  expect(JSON.stringify(after.described)).toBe(JSON.stringify(before.described));
  expect(after.tables.kind).toBe('done');
  expect(after.texts.kind).toBe('done');
});
