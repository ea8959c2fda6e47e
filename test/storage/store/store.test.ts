import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { prepareHome } from '../../../daemon/storage/home.ts';
import { takeLock } from '../../../daemon/storage/lock.ts';
import { connectionRecordsIn } from '../../../daemon/storage/store/connection-records.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { storeVersion } from '../../../shared/store-record.ts';
import { connectionWith } from '../../access/principals.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const home = join(temporaryFolder(), 'home');
// As daemon/main.ts sets it, and back: other test files share this process.
const umask = process.umask(0o077);
afterAll(() => void process.umask(umask));
prepareHome(home);

test('a store keeps its identity and its connections', async () => {
  const path = join(home, 'sallyport.db');
  const first = await openStore(path);
  await connectionRecordsIn(first).save(connectionWith({ tags: ['ä', 'b'], revision: 3 }));
  await first.close();
  const second = await openStore(path);
  expect(second.id).toBe(first.id);
  expect(await connectionRecordsIn(second).load()).toEqual([connectionWith({ tags: ['ä', 'b'], revision: 3 })]);
  await second.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a removed one is kept as it was and can be restored, until it is deleted', async () => {
  const path = join(home, 'removed.db');
  const shop = connectionWith({ password: { kind: 'stored' } });
  const first = await openStore(path);
  await connectionRecordsIn(first).save(shop);
  await connectionRecordsIn(first).remove(shop.id, 1_000);
  await first.close();
  const second = await openStore(path);
  const records = connectionRecordsIn(second);
  expect(await records.load()).toEqual([]);
  expect(records.removed?.()).toEqual([{ id: shop.id, name: 'Shop', removedAt: 1_000, connection: shop }]);
  await records.restore(shop.id);
  expect(await connectionRecordsIn(second).load()).toEqual([shop]);
  await records.remove(shop.id, 1_000);
  await records.delete(shop.id);
  expect(await second.knex('connections').count({ rows: '*' })).toEqual([{ rows: 0 }]);
  await second.close();
});

test('one removed at an unknown time is damaged; one with an unreadable record is only kept', async () => {
  const store = await openStore(join(home, 'removed-when.db'));
  const told: string[] = [];
  const records = () => connectionRecordsIn(store, ({ row }) => void told.push(row));
  await records().save(connectionWith());
  await store.write(store.knex('connections').update({ removed_at: 'yesterday' }));
  const damaged = records();
  expect([await damaged.load(), damaged.removed?.(), told]).toEqual([[], [], [expect.stringContaining('(Shop)')]]);
  await store.write(store.knex('connections').update({ removed_at: 5, record: '{' }));
  const removed = records();
  expect([await removed.load(), removed.removed?.(), told.length]).toEqual([
    ...[[], [{ id: connectionWith().id, name: 'Shop', removedAt: 5, connection: null }], 1],
  ]);
  await store.close();
});

test.each([storeVersion - 1, storeVersion + 1, 999])(
  'a store of version %s is refused and left unchanged',
  async version => {
    const path = join(home, `version-${version}.db`);
    const other = new SqliteFile(path);
    other.exec(`pragma user_version = ${version}`);
    other.close();
    const before = readFileSync(path);
    await expect(openStore(path)).rejects.toThrow(
      `is a store of another version of Sallyport (store version ${version}, `,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  },
);

test('a database of others is refused, and left unchanged', async () => {
  const path = join(home, 'foreign.db');
  const foreign = new SqliteFile(path);
  foreign.exec('create table theirs (a)');
  foreign.close();
  await expect(openStore(path)).rejects.toThrow(/foreign\.db is damaged, or no database of Sallyport's/);
  const kept = new SqliteFile(path, { readOnly: true });
  expect(kept.values('select name from sqlite_schema')).toEqual(['theirs']);
  kept.close();
});

test('a file that is no database is refused with what to do, and left unchanged', async () => {
  const path = join(home, 'garbage.db');
  writeFileSync(path, 'no database of anybody');
  await expect(openStore(path)).rejects.toThrow(/garbage\.db is damaged, or no database .*; restore it from a backup/);
  expect(readFileSync(path, 'utf8')).toBe('no database of anybody');
});

test('one at a time holds the lock', () => {
  const path = join(home, 'daemon.lock');
  const held = takeLock(path);
  expect(held).not.toBeNull();
  expect(takeLock(path)).toBeNull();
  held?.release();
  const again = takeLock(path);
  expect(again).not.toBeNull();
  again?.release();
});

test('only the user can use the home, even if it was open before', () => {
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('a home that can’t be made is an error, not an endless loop', () => {
  expect(() => prepareHome('/proc/sallyport/home')).toThrow(/can't be made/);
});
