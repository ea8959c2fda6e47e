/**
 * The account of changed rows in a real store: it adds up, is given back, is forgotten, and
 * survives a kill.
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepareForWriting } from '../../../daemon/storage/ledger/connection.ts';
import { changedRowsIn } from '../../../daemon/storage/store/changed-rows.ts';
import { keepChangedRows } from '../../../daemon/storage/store/changed-rows-table.ts';
import { openStore, type Store } from '../../../daemon/storage/store/store.ts';
import { SqliteFile } from '../../sqlite-file.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync('/tmp/sallyport-changed-rows-test-');
  store = await openStore(join(folder, 'sallyport.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const time = { passed: 300_000, wall: 1_800_000_000_000, uptime: 5_000 };
const spent = (minute: number, rows: number) => ({ account: 'token', place: 'orders', minute, rows });

test('a new store has nothing', async () => {
  expect((await changedRowsIn(store)).kept).toEqual({ time: null, spent: [] });
});

test('what was stored survives a kill, added up by the minute', async () => {
  const { keep } = await changedRowsIn(store);
  await keep(time, [spent(5, 900), { ...spent(5, 7), place: 'items' }], -55);
  await keep({ ...time, passed: 360_000 }, [spent(5, -400), spent(6, 3)], -54);
  // The files as they are now: nothing was closed.
  const left = join(folder, 'left.db');
  for (const end of ['', '-wal']) copyFileSync(join(folder, `sallyport.db${end}`), `${left}${end}`);
  const killed = await openStore(left);
  expect((await changedRowsIn(killed)).kept).toEqual({
    time: { ...time, passed: 360_000 },
    spent: [{ ...spent(5, 7), place: 'items' }, spent(5, 500), spent(6, 3)],
  });
  await killed.close();
});

test('older minutes are removed when rows are added', async () => {
  const { keep } = await changedRowsIn(store);
  await keep(time, [spent(5, 900)], -55);
  await keep(time, [spent(66, 1)], 6);
  expect((await changedRowsIn(store)).kept.spent).toEqual([spent(66, 1)]);
});

test('an unreadable time counts as none, and the rows stay', async () => {
  const { keep } = await changedRowsIn(store);
  await keep(time, [spent(5, 900)], -55);
  await store.write(store.knex('store').where({ key: 'changed-rows' }).update({ value: '{"passed":"soon"}' }));
  expect((await changedRowsIn(store)).kept).toEqual({ time: null, spent: [spent(5, 900)] });
});

test('the next write waits for the disk again, even after one that failed', async () => {
  await store.close();
  const database = new SqliteFile(join(folder, 'sallyport.db'));
  prepareForWriting(database);
  const full = database.value('pragma synchronous');
  keepChangedRows(database, { timeKey: 'changed-rows', time: '{}' }, [spent(5, 1)], 0);
  expect(database.value('pragma synchronous')).toBe(full);
  expect(() => keepChangedRows(database, { timeKey: 'x', time: '{}' }, [spent(5, 0.5)], 0)).toThrow();
  expect(database.value('pragma synchronous')).toBe(full);
  expect(database.value("select count(*) from store where key = 'x'")).toBe(0);
  database.close();
  store = await openStore(join(folder, 'sallyport.db'));
});
