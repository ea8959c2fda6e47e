/**
 * What a question about an SQLite file says that its statement takes, and what the approved run
 * takes: foreign keys, triggers, growth, locks.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { byCascade, uncountedBecause } from '../../daemon/engines/count/taken.ts';
import { othersLock, othersWait } from '../../daemon/engines/count/trial.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { expectWithin, here } from '../waiting/limits.ts';
import { askAndRun, shownOf, textOf } from './ask-and-run.ts';

const numbers = (most: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most}) select i`;
const setUp = `
create table customers (id integer primary key, name text);
insert into customers ${numbers(20)}, 'x' from n;
create table invoices (id integer primary key, customer references customers on delete cascade);
insert into invoices ${numbers(300)}, i % 20 + 1 from n;
create table notes (id integer primary key, invoice references invoices on delete set null);
insert into notes ${numbers(50)}, i from n;
create table grows (id integer primary key);
insert into grows ${numbers(40)} from n;
create table audited (id integer primary key);
insert into audited values (1), (2), (3);
create table victim (id integer primary key);
insert into victim ${numbers(70)} from n;
create table wide (id integer primary key, n int, t text);
create table one (id integer primary key, n int); insert into one values (1, 0);
create view seen as select * from one;
create trigger watching instead of delete on seen begin delete from wide; end;
create trigger spreading after update on one begin update wide set n = n + 1; end;
`;

let folder = '';
let path = '';
let file = 0;
let database: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-taken-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  path = join(folder, `${++file}.db`);
  withDriver(path, driver => driver.exec(setUp));
  database = openFile(path);
});
afterEach(() => database.close());

const exec = (sql: string) => withDriver(path, driver => void driver.exec(sql));
const rows = (table: string) => withDriver(path, driver => driver.value(`select count(*) from ${table}`));

test.each<[string, string]>([
  [
    'delete from customers where id = 1',
    `deletes 1 row of customers\ndeletes 15 rows of invoices, ${byCascade}\nchanges 2 rows of notes, ${byCascade}`,
  ],
  ['delete from audited', 'deletes all 3 rows of audited'],
  ['update audited set id = id + 10', 'changes all 3 rows of audited'],
  [
    "replace into customers values (1, 'y')",
    `deletes 1 row of customers\ndeletes 15 rows of invoices, ${byCascade}\nchanges 2 rows of notes, ${byCascade}`,
  ],
  [
    'drop table customers',
    'drops customers (20 rows)\ndeletes up to 300 rows of invoices, which refers to customers\nchanges up to 50 rows of notes, which refers to invoices',
  ],
  ['drop table "Audited"', 'drops audited (3 rows)'],
  ['alter table audited rename to kept', 'alters audited (3 rows)'],
  ['drop view seen', 'drops view seen'],
  ['drop trigger watching', 'drops trigger watching'],
  ['create trigger late after insert on grows begin delete from victim; end', 'alters grows (40 rows)'],
])('%s', async (sql, shown) => {
  expect(await shownOf(database, sql)).toBe(shown);
  const { questions, end } = await askAndRun(database, sql);
  expect([questions.map(textOf), end]).toEqual([[shown], 'done']);
});

test('a table that grew by more than a tenth is asked about again, one that shrank isn’t', async () => {
  for (const sql of ['delete from grows', 'drop table grows']) {
    const grow = (most: number) => async (question: number) => {
      if (question === 1) exec(`delete from grows; insert into grows ${numbers(most)} from n`);
      return question < 3;
    };
    const again = await askAndRun(database, sql, { decides: grow(51) });
    expect([sql, again.questions.length, again.end]).toEqual([sql, 2, 'done']);
    expect(textOf(again.questions[1] ?? { lines: [], note: null })).toMatch(/51 rows/);
    exec(`create table if not exists grows (id integer primary key); insert into grows ${numbers(40)} from n`);
    expect(await askAndRun(database, sql, { decides: grow(50) })).toMatchObject({ questions: [{}], end: 'done' });
    exec(`create table if not exists grows (id integer primary key); insert into grows ${numbers(40)} from n`);
    expect(await askAndRun(database, sql, { decides: grow(3) })).toMatchObject({ questions: [{}], end: 'done' });
    exec(`create table if not exists grows (id integer primary key); insert into grows ${numbers(40)} from n`);
  }
});

test.each<[string, string, string]>([
  [
    'delete from audited',
    'create trigger t after delete on audited begin delete from victim where id > 1; end',
    `deletes 69 rows of victim, ${byCascade}`,
  ],
  [
    'drop table audited',
    'create table late (a references audited on delete cascade); insert into late values (1), (2)',
    'deletes up to 2 rows of late, which refers to audited',
  ],
])('%s: new rows are asked about, and nothing is gone before the approval', async (sql, ddl, shown) => {
  const decides = async (question: number) => {
    if (question === 1) exec(ddl);
    return question === 1;
  };
  const { questions, end } = await askAndRun(database, sql, { decides });
  expect([end, questions.length, rows('audited'), rows('victim')]).toEqual(['no', 2, 3, 70]);
  expect(questions[1]?.lines).toContain(shown);
  expect((await askAndRun(database, sql)).end).toBe('done');
});

test('a lock held by another program costs 200 ms, and the question says that nothing was tried', async () => {
  await shownOf(database, 'delete from audited where id = 1');
  const other = new SqliteFile(path);
  other.exec('begin immediate');
  const begun = performance.now();
  expect(await shownOf(database, 'delete from audited where id = 1')).toBe(
    `deletes up to 3 rows of audited\n(${uncountedBecause(othersLock)})`,
  );
  expectWithin(begun, 1_000);
  other.close();
});

/**
 * Another program, since the driver blocks the thread that waits. It writes until its input ends,
 * then prints its longest wait.
 */
const writer = `
const driver = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 5000 });
let most = 0;
process.stdin.on('end', () => { console.log(most); process.exit(0); }).resume();
setInterval(() => {
  const begun = performance.now();
  driver.exec('insert into audited values (null)');
  most = Math.max(most, performance.now() - begun);
}, 5);
console.log('writes');`;

test('a concurrent writer waits less than 250 ms for a trial', async () => {
  exec(`insert into wide ${numbers(900_000)}, 0, 'some text of ordinary width' from n`);
  await shownOf(database, 'delete from audited where id = 1');
  const other = spawn(process.execPath, ['-e', writer, path], { stdio: ['pipe', 'pipe', 'pipe'] });
  other.stderr.pipe(process.stderr);
  let said = '';
  other.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  await once(other.stdout, 'data');
  const statement = "update wide set n = 1, t = t || 'x'";
  let shown = await shownOf(database, statement, 1);
  // A busy machine may halt the other process while it holds the lock, and then no trial can run.
  for (let asked = 1; asked < 5 && shown.includes('holds a lock'); asked += 1)
    shown = await shownOf(database, statement, 1);
  other.stdin.end();
  await once(other, 'close');
  const begun = performance.now();
  exec(`begin; ${statement}; rollback`);
  const whole = performance.now() - begun;
  expect(shown).toBe(`changes up to 900,000 rows of wide\n(${uncountedBecause(othersWait)})`);
  // On a busy machine the other process is late too, and the whole statement takes longer in
  // proportion.
  expect(Number(said.split('\n')[1])).toBeLessThan(Math.max(here(1_000), whole / 2));
}, 60_000);

test('what triggers would have done is said not to be counted where a trial was cut off', async () => {
  exec(`insert into wide ${numbers(900_000)}, 0, 'some text of ordinary width' from n`);
  const cut = uncountedBecause(othersWait);
  expect(await shownOf(database, 'update one set n = 1', 1)).toBe(
    `changes up to 1 row of one\n(${cut} What triggers of one do was not counted.)`,
  );
  expect(await shownOf(database, 'delete from seen', 1)).toBe(
    `deletes an unknown number of rows of seen\n(${cut} What triggers of seen do was not counted.)`,
  );
}, 60_000);

test('consequences are reported even if another session’s lock prevents a trial', async () => {
  const other = new SqliteFile(path);
  other.exec('begin immediate');
  expect(await shownOf(database, 'delete from customers where id = 1')).toBe(
    `deletes up to 20 rows of customers\ndeletes up to 300 rows of invoices, which refers to customers\nchanges up to 50 rows of notes, which refers to invoices\n(${uncountedBecause(othersLock)})`,
  );
  other.close();
});
