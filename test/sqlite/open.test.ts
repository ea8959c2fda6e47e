/**
 * Files are opened as intended: under any name, never made by mistake, with the settings and errors
 * that the product expects.
 */

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { errorCode } from '../../daemon/disk-fault.ts';
import { inTransaction, openSqliteFile } from '../../daemon/sqlite/open-file.ts';
import { queryOn } from '../../daemon/sqlite/query.ts';
import { executeOn } from '../sqlite-file.ts';

let folder: string;
let opened: DatabaseSync[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-open-test-'));
  opened = [];
});
afterEach(() => {
  for (const database of opened) if (database.isOpen) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
function open(name: string, how: Parameters<typeof openSqliteFile>[1]): DatabaseSync {
  const database = openSqliteFile(at(name), how);
  opened.push(database);
  return database;
}
function codeOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return errorCode(error);
  }
}

test.each([
  'plain.db',
  'ends with a space ',
  'what?mode=memory',
  'half#.db',
  'per%41cent&cache=shared',
  'file:x.db',
  'ü 漢 \n.db',
])('%j is that file, and no other is made', name => {
  writeFileSync(at(name), '');
  open(name, { access: 'write' }).exec('create table t (a)');
  expect(open(name, { access: 'read' }).prepare('select name from sqlite_schema').get()).toMatchObject({ name: 't' });
  expect(readdirSync(folder)).toEqual([name]);
});

test('a missing file is made only on request', () => {
  for (const access of ['read', 'write'] as const) {
    expect(codeOf(() => open('missing.db', { access }))).toBe('SQLITE_CANTOPEN');
    expect(existsSync(at('missing.db'))).toBe(false);
  }
  open('missing.db', { access: 'make' }).exec('create table t (a)');
  expect(existsSync(at('missing.db'))).toBe(true);
});

test('the file’s rules: keys hold, quoted names are no texts, no code is loaded, no shadow table is written', () => {
  const database = open('made.db', { access: 'make', lockWaitMilliseconds: 1_234 });
  expect(queryOn(database, 'pragma foreign_keys').value()).toBe(1);
  expect(queryOn(database, 'pragma busy_timeout').value()).toBe(1_234);
  expect(() => database.prepare('select "text"')).toThrow(/no such column/);
  expect(() => database.prepare("select load_extension('x')").get()).toThrow(/not authorized/);
  database.exec('create virtual table words using fts5(text)');
  expect(() => database.exec('insert into words_data values (1, 2)')).toThrow(/may not be modified/);
});

test("SQLite's errors have their names", () => {
  const database = open('made.db', { access: 'make', lockWaitMilliseconds: 0 });
  database.exec('create table t (a unique, b not null, c check (c > 0), d integer primary key)');
  database.exec('create table u (t references t); insert into t values (1, 1, 1, 1)');
  const execute = (sql: string) => codeOf(() => database.exec(sql));
  expect(execute('insert into t values (1, 1, 1, 2)')).toBe('SQLITE_CONSTRAINT_UNIQUE');
  expect(execute('insert into t values (2, null, 1, 2)')).toBe('SQLITE_CONSTRAINT_NOTNULL');
  expect(execute('insert into t values (2, 1, 0, 2)')).toBe('SQLITE_CONSTRAINT_CHECK');
  expect(execute('insert into t values (2, 1, 1, 1)')).toBe('SQLITE_CONSTRAINT_PRIMARYKEY');
  expect(execute('insert into u values (7)')).toBe('SQLITE_CONSTRAINT_FOREIGNKEY');
  expect(execute("insert into t values (2, 1, 1, 'text')")).toBe('SQLITE_MISMATCH');
  expect(execute('select no_such_thing')).toBe('SQLITE_ERROR');
  expect(execute('select zeroblob(1000000001)')).toBe('SQLITE_TOOBIG');
  expect(codeOf(() => open('made.db', { access: 'read' }).exec('create table v (a)'))).toBe('SQLITE_READONLY');
  writeFileSync(at('other'), 'x'.repeat(5_000));
  expect(codeOf(() => open('other', { access: 'read' }).exec('pragma schema_version'))).toBe('SQLITE_NOTADB');
  database.exec('begin exclusive');
  const other = open('made.db', { access: 'write', lockWaitMilliseconds: 0 });
  expect(codeOf(() => other.exec('begin immediate'))).toBe('SQLITE_BUSY');
  expect(codeOf(() => database.prepare('select ?').get(Symbol('x') as never))).toBe('ERR_INVALID_ARG_TYPE');
});

test('work begun in a transaction ends with it', () => {
  const database = open('made.db', { access: 'make' });
  database.exec('create table t (a)');
  expect(inTransaction(database, () => database.prepare('insert into t values (1)').run().changes)).toBe(1);
  expect(() =>
    inTransaction(database, () => {
      database.exec('insert into t values (2)');
      throw new Error('not so');
    }),
  ).toThrow('not so');
  expect([database.isTransaction, queryOn(database, 'select count(*) from t').value()]).toEqual([false, 1]);
});

test('an integer beyond 2^53 is rounded and bytes are a Buffer, whatever the file holds', () => {
  executeOn(at('made.db'), "create table t (a, b); insert into t values (9007199254740993, x'01ff')");
  const rows = queryOn(open('made.db', { access: 'read' }), 'select a, b, null as c, 0.5 as d from t').all();
  expect(rows).toEqual([{ a: 9007199254740992, b: Buffer.from([1, 255]), c: null, d: 0.5 }]);
  expect(Buffer.isBuffer(rows[0]?.b)).toBe(true);
});
