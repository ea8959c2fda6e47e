/** Statements in SQLite's own ways: parameters, RETURNING, locks, column types, warnings. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { call, collect } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
let database: Database;

beforeAll(() => {
  withDriver(at('statements.db'), driver => {
    driver.exec('create table t (id integer primary key, price numeric(10,2), note varchar(20))');
    driver.exec("insert into t values (9007199254740993, 1.5, 'big')");
    driver.exec('create table child (t_id references t (id) deferrable initially deferred)');
  });
  database = openFile(at('statements.db'));
});
afterAll(() => database.close());

test('declared column types, an empty one for expressions', async () => {
  const { columns } = await collect(database, 'select id, price, note, rowid, id + 1 from t');
  expect(columns?.map(({ type }) => type)).toEqual(['INTEGER', 'numeric(10,2)', 'varchar(20)', 'INTEGER', '']);
});

test('? and ?1, in any mixture', async () => {
  const ask = async (sql: string, ...parameters: readonly (string | number)[]) =>
    (await collect(database, sql, { parameters })).rows;
  expect(await ask('select ?2, ?1', 'a', 'b')).toEqual([['b', 'a']]);
  expect(await ask('select ?, ?1, ?', 'a', 'b')).toEqual([['a', 'a', 'b']]);
  expect(await ask('select ?2, ?', 'a', 'b', 'c')).toEqual([['b', 'c']]);
  expect(await ask(`select ?, '?', "id", [id], /* ? */ \`id\` -- ?9\n from t`, 1)).toHaveLength(1);
});

test('a wrong number of values is reported, and a name refused', async () => {
  const message = async (sql: string, parameters: readonly number[]) =>
    (await collect(database, sql, { parameters })).outcome;
  expect(await message('select ?, ?', [1])).toMatchObject({
    message: 'The statement takes 2 parameters, and 1 value came with it.',
  });
  expect(await message('select 1', [1])).toMatchObject({
    message: 'The statement takes no parameters, and 1 value came with it.',
  });
  expect(await message('select :name', [1])).toMatchObject({ message: expect.stringContaining(':name has a name') });
  expect(await message('select $1', [1])).toMatchObject({ message: expect.stringContaining('$1 has a name') });
});

test('integers are bound as INTEGER; beyond 2^53, as text that a column makes an integer', async () => {
  const typed = await collect(database, 'select typeof(?), typeof(?), typeof(?)', { parameters: [1, 1.5, true] });
  expect(typed.rows).toEqual([['integer', 'real', 'integer']]);
  const found = await collect(database, 'select note from t where id = ?', { parameters: ['9007199254740993'] });
  expect(found.rows).toEqual([['big']]);
});

test('a REAL is written as SQLite writes it', async () => {
  const numbers =
    '1e308 1.0 19.99 -2.5e300 1e15 1e16 1e17 123456789012345678.0 0.0001 0.00001 1.5e-7 1e100 1e21 -0.0 0.1+0.2';
  for (const number of numbers.split(' ')) {
    const [row = []] = (await collect(database, `select ${number}, cast(${number} as text)`)).printed;
    expect(row[0]).toBe(row[1]);
  }
  // Only SQLite writes 17 digits of it, where one digit gives the same number.
  expect((await collect(database, 'select 5e-324')).printed).toEqual([['5.0e-324']]);
});

test.each([1e308, 1.7976931348623157e308, 5e-324, 1e21, 1e20, -1e-7, 0.1, 2 ** 53, 0])(
  'the number %p arrives as it was sent',
  async number => {
    const parameters = [number, number];
    const { rows } = await collect(database, `select ?, ? = ${number}`, { parameters });
    expect(rows).toEqual([[number, 1]]);
  },
);

test('RETURNING is exact, and complete even if its rows aren’t wanted', async () => {
  const sql = "insert into t (id, note) values (9007199254740995, 'x'), (9007199254740997, 'y') returning id";
  const { outcome, rows } = await collect(database, sql, { session: 'write', most: 1 });
  expect(outcome).toMatchObject({ kind: 'done', rowsAffected: 2 });
  expect(rows).toEqual([['9007199254740995']]);
  const removed = await collect(database, 'delete from t where id > 9007199254740993 returning id', {
    session: 'write',
  });
  expect(removed.rows).toEqual([['9007199254740995'], ['9007199254740997']]);
});

test('a failed commit leaves nothing', async () => {
  const { outcome } = await collect(database, 'insert into child values (404)', { session: 'write' });
  expect(outcome).toMatchObject({ kind: 'query_failed', code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  expect((await collect(database, 'select * from child')).rows).toEqual([]);
});

test('DDL affects no rows, a replaced byte is reported', async () => {
  const made = await collect(database, 'create table made (v)', { session: 'write' });
  expect(made.outcome).toEqual({ kind: 'done', rowsAffected: 0, cutByWire: false, warnings: [] });
  expect((await collect(database, "select cast(x'ff' as text)")).outcome).toMatchObject({
    warnings: [expect.stringContaining('not UTF-8')],
  });
});

test('a warning comes with a cut result too', async () => {
  const sql = "with recursive c(x) as (select cast(x'ff' as text) union all select x from c) select x from c";
  const { outcome, rows } = await collect(database, sql, { most: 3 });
  expect(rows).toEqual([['\uFFFD'], ['\uFFFD'], ['\uFFFD']]);
  expect(outcome).toMatchObject({ kind: 'done', warnings: [expect.stringContaining('not UTF-8')] });
});

test('binary is cut to the cell’s limit, with its own length', async () => {
  const { rows } = await collect(database, "select x'0011223344', x'00112233'", {
    limits: { ...call.limits, cellBytes: 10 },
  });
  expect(rows).toEqual([[{ kept: '\\x00112233', fullBytes: 5 }, '\\x00112233']]);
});

test('a lock held by another program ends a rollback session after its two seconds', async () => {
  const other = new SqliteFile(at('statements.db'));
  other.exec('begin immediate');
  try {
    const { outcome } = await collect(database, 'delete from t', { session: 'rollback' });
    expect(outcome).toEqual({ kind: 'locked', seconds: 2, holder: 'another program', isShort: true });
    expect((await collect(database, 'select id from t')).rows).toEqual([['9007199254740993']]);
  } finally {
    other.close();
  }
});

test('a new column with a rule shows nothing of SQLite’s own check of the rows', async () => {
  const sql = 'alter table child add column checked int check (checked > 0)';
  const { outcome, columns } = await collect(database, sql, { session: 'write' });
  expect([outcome.kind, columns]).toEqual(['done', null]);
});
