/**
 * What definitions did is asked of the SQLite file before their COMMIT: what changes others'
 * statements is taken back and asked about, what adds runs.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { askAndRun } from './ask-and-run.ts';
import { asking, honest, setUp } from './defined-sqlite-statements.ts';
import { writingClient } from './write-as-a-client.ts';

let folder = '';
let path = '';
let file = 0;
let database: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-defined-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  path = join(folder, `${++file}.db`);
  // As most programs' SQLite takes double quotes.
  const other = new DatabaseSync(path, { enableDoubleQuotedStringLiterals: true });
  other.exec(setUp);
  other.close();
  database = openFile(path);
});
afterEach(() => database.close());

const exec = (sql: string) => withDriver(path, driver => void driver.exec(sql));
const state = () =>
  withDriver(path, driver => [
    driver.rows('select * from sqlite_schema'),
    driver.rows('pragma user_version'),
    driver.rows('pragma application_id'),
    driver.rows('select * from words_config union all select * from empty_words_config'),
  ]);

test('what changes others’ statements asks, and nothing stays of it', async () => {
  const through: string[] = [];
  const write = writingClient(() => database);
  for (const { sql, says } of asking) {
    const before = state();
    const end = await write(sql);
    if (!/^denied: /.test(end) || !says.test(end)) through.push(`${sql}: ${end}`);
    expect([sql, state()]).toEqual([sql, before]);
  }
  expect(through).toEqual([]);
}, 60_000);

test('what adds runs unasked, and what this client made is its own', async () => {
  const write = writingClient(() => database);
  const asked: string[] = [];
  for (const sql of honest) {
    const end = await write(sql);
    if (end !== 'done') asked.push(`${sql}: ${end}`);
  }
  expect(asked).toEqual([]);
}, 60_000);

test('a person is told what it did, and after an approval it runs', async () => {
  const sql = 'alter table orders add column true int default 0';
  const no = await askAndRun(database, sql, { decides: async () => false });
  expect(no).toMatchObject({ end: 'no', questions: [{ note: expect.stringContaining('say true') }] });
  const yes = await askAndRun(database, sql);
  expect([yes.end, yes.questions.length]).toEqual(['done', 1]);
  expect(withDriver(path, driver => driver.value('select count(*) from orders where true'))).toBe(0);
});

test('an approval is for what was shown: something else that it does is asked about', async () => {
  const run = await askAndRun(database, 'alter table accounts add column late text check (late > 0)', {
    decides: async question => {
      if (question === 1) exec('create view unlucky as select late from accounts join (select 1 as late) as x');
      return question === 1;
    },
  });
  expect(run.end).toBe('no');
  const [first, second] = run.questions.map(({ note }) => note ?? '');
  expect(first).not.toContain('unlucky');
  expect(second).toContain('unlucky');
});

test('what another made within the hour is old, and so is all once another changed the schema', async () => {
  const write = writingClient(() => database);
  exec('create table theirs (id int)');
  expect(await write('create unique index one on theirs (id)')).toMatch(/^denied: A unique index restricts .* theirs/);
  expect(await write('create table ours (id int)')).toBe('done');
  expect(await write('create unique index one on ours (id)')).toBe('done');
  // The name and the text alone aren't enough.
  exec('drop table ours; create table ours (id int)');
  expect(await write('create unique index one on ours (id)')).toMatch(/^denied: A unique index/);
  expect(await write('create table more (id int)')).toBe('done');
  expect(await write('create unique index two on more (id)')).toBe('done');
  exec('create table something (id int)');
  expect(await write('create unique index three on more (id)')).toMatch(/^denied: A unique index/);
});

test('a table without the key that its child refers to asks, if deletes elsewhere reach it', async () => {
  const write = writingClient(() => database);
  expect(await write('create table child (of int references parent (code))')).toBe('done');
  expect(await write('create table parent (code int, of int references accounts (id) on delete cascade)')).toMatch(
    /^denied: Writes to accounts fail/,
  );
  expect(await write('create table parent (code int unique, of int references accounts on delete cascade)')).toBe(
    'done',
  );
});

test('a renamed table is as old as it was', async () => {
  await database.close();
  path = join(folder, `${++file}.db`);
  exec('create table accounts (id integer primary key, email text)');
  database = openFile(path);
  const write = writingClient(() => database);
  expect((await askAndRun(database, 'alter table accounts rename to people')).end).toBe('done');
  expect(await write('create unique index one on people (email)')).toMatch(/^denied: /);
});

test('rows that are added have a limit, save in a table that this client made', async () => {
  const many = (table: string, rows: number) =>
    `insert into ${table} (body) with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n`;
  const write = writingClient(() => database);
  expect(await write(many('outbox', 40_000))).toBe('done');
  expect(await write(many('outbox', 20_000))).toMatch(
    /^denied: .*added too many rows to "outbox" \(20,000 rows\).*50,000 rows to a table in an hour, and 40,000 rows were added/,
  );
  expect(await write('create table own (body text)')).toBe('done');
  expect(await write(many('own', 60_000))).toBe('done');
  const yes = await askAndRun(database, many('outbox', 60_000));
  expect(yes).toMatchObject({ end: 'done', questions: [{ lines: ['adds 60,000 rows to outbox'] }] });
});
