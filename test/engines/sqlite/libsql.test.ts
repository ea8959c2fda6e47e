/**
 * A file that libSQL made opens as SQLite's. Its vector indexes are empty to SQLite, so nothing
 * uses, empties or counts by one.
 */

import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { call, collect } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { libsqlFile } from './libsql-file.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
let database: Database;
beforeAll(() => {
  copyFileSync(libsqlFile, at('libsql.db'));
  database = openFile(at('libsql.db'));
});
afterAll(() => database?.close());

const rowsBySqlite = (sql: string) => withDriver(at('libsql.db'), file => file.rows(sql));

test.each([
  ['select count(*) from notes', [[2]]],
  ["select id, title, hex(embedding) from movies where title = 'b'", [[2, 'b', '000080400000A0400000C040']]],
  ['select count(*) from movies not indexed', [[2]]],
  ['explain query plan select title from movies', [[2, 0, 0, 'SCAN movies']]],
])('%s is answered', async (sql, rows) => {
  const { outcome, rows: told } = await collect(database, sql);
  expect(outcome.kind).toBe('done');
  expect(told.map(row => row.map((cell, place) => (sql.startsWith('explain') && place === 2 ? 0 : cell)))).toEqual(
    rows,
  );
});

test.each([
  'select count(*) from movies',
  'select id from movies',
  'select count(*) from titles',
  'select n.text, (select count(*) from movies) from notes as n where n.id = ?',
])('%s would be answered wrongly, and is refused', async sql => {
  const parameters = sql.includes('?') ? [1] : [];
  const { outcome, rows } = await collect(database, sql, { parameters });
  expect({ outcome, rows }).toEqual({
    outcome: {
      kind: 'unsupported',
      message:
        'The statement would use movies_idx, a vector index of libSQL that is empty to SQLite, and find no rows. Write "movies" NOT INDEXED.',
    },
    rows: [],
  });
});

test.each([
  "update movies set title = 'x'",
  'delete from movies',
  'drop table movies',
  'drop index movies_idx',
  "insert into movies values (3, 'c', null)",
  'delete from movies where id = 1',
  'delete from movies_idx_shadow',
  'drop table MOVIES_IDX_SHADOW',
  'update movies_idx_shadow set data = null where index_key = 1',
  'alter table movies_idx_shadow rename to x',
  'drop index movies_idx_shadow_idx',
  'delete from libsql_vector_meta_shadow',
  'drop table libsql_vector_meta_shadow',
  'reindex movies_idx',
  'reindex',
])('%s is refused, and nothing is changed', async sql => {
  const before = rowsBySqlite('select type, name, rootpage, sql from sqlite_schema');
  const { outcome } = await collect(database, sql, { session: 'write' });
  if (outcome.kind === 'query_failed') expect(outcome.message).toContain('libsql_vector_idx');
  else
    expect(outcome).toEqual({
      kind: 'unsupported',
      message: "movies has movies_idx, a vector index of libSQL, which SQLite can't keep. Change both with libSQL.",
    });
  expect(rowsBySqlite('select count(*) from libsql_vector_meta_shadow')).toEqual([[1n]]);
  expect(rowsBySqlite('select count(*) from movies_idx_shadow')).toEqual([[2n]]);
  expect(rowsBySqlite('select title from movies not indexed')).toEqual([['a'], ['b']]);
  expect(rowsBySqlite('select type, name, rootpage, sql from sqlite_schema')).toEqual(before);
});

test('other tables are written, and a description counts', async () => {
  expect((await collect(database, "insert into notes values (3, 'three')", { session: 'write' })).outcome.kind).toBe(
    'done',
  );
  expect(await database.describeTables(call, ['movies'], false)).toMatchObject({
    kind: 'done',
    value: [{ approximateRowCount: 2 }],
  });
});

test('a file that becomes one while it is open is seen', async () => {
  const file = at('later.db');
  withDriver(file, plain => plain.exec('create table t (a, b); create index i on t (a); insert into t values (1, 2)'));
  const later = openFile(file);
  try {
    expect((await collect(later, 'select count(*) from t')).rows).toEqual([[1]]);
    withDriver(file, plain => {
      plain.enableDefensive(false);
      plain.exec(
        "pragma writable_schema = on; update sqlite_schema set sql = 'create index i on t (libsql_vector_idx(a))' where name = 'i'; pragma schema_version = 99; pragma writable_schema = reset",
      );
    });
    expect((await collect(later, 'select count(*) from t')).outcome.kind).toBe('unsupported');
  } finally {
    await later.close();
  }
});
