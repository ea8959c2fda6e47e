/** `PRAGMA wal_checkpoint` from a client: SQLite refuses it in a transaction, so it runs alone. */

import { statSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { writingClient } from '../../attacks/write-as-a-client.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
const opened: Database[] = [];
afterAll(() => Promise.all(opened.map(database => database.close())));

function clientOf(path: string): (sql: string) => Promise<string> {
  const database = openFile(path);
  opened.push(database);
  return writingClient(() => database);
}

test('in WAL mode the log goes into the file, and truncate empties it', async () => {
  const path = at('logged.db');
  // Another program keeps the file open, so SQLite doesn't remove the log at each close.
  const other = new SqliteFile(path);
  other.exec('pragma journal_mode = wal; create table t (id integer primary key, v); insert into t values (1, 1)');
  const write = clientOf(path);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  expect(await write('pragma wal_checkpoint')).toBe('done');
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  expect(await write('PRAGMA main."WAL_CHECKPOINT"(truncate)')).toBe('done');
  expect(statSync(`${path}-wal`).size).toBe(0);
  expect(await write('update t set v = 2 where id = 1')).toBe('done');
  other.close();
});

test('in the other modes there is nothing to do', async () => {
  const path = at('plain.db');
  withDriver(path, other => other.exec('create table t (v)'));
  const write = clientOf(path);
  for (const sql of ['pragma wal_checkpoint', 'pragma wal_checkpoint = truncate'])
    expect(await write(sql)).toBe('done');
});
