/**
 * The reserve, and the list of tokens that falls back on it, with a store that can't be written.
 */

import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { storeDoubts } from '../../../daemon/access/store-doubt.ts';
import { connectionRecordsIn } from '../../../daemon/storage/store/connection-records.ts';
import { narrowedBy } from '../../../daemon/storage/store/narrowings.ts';
import { openReserve } from '../../../daemon/storage/store/reserve.ts';
import { pauseIn } from '../../../daemon/storage/store/settings.ts';
import { openStore, type Store } from '../../../daemon/storage/store/store.ts';
import { tokenListIn } from '../../../daemon/storage/store/token-list.ts';
import { connectionWith } from '../../access/principals.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();
const report = (error: unknown): never => {
  throw error;
};
let next = 0;
const path = (): string => join(folder, `reserve-${++next}`);
const revokedAt = '2026-11-20T12:00:00.000Z';

test('is made at its full size, and holds its last contents', () => {
  const file = path();
  const reserve = openReserve(file, report);
  const { size, ino } = statSync(file);
  for (const id of ['a', 'b', 'c']) reserve.hold({ ended: [{ id, revokedAt }] });
  reserve.hold({ paused: true });
  expect(openReserve(file, report).held()).toMatchObject({ paused: true, ended: [{ id: 'c', revokedAt }] });
  expect(statSync(file)).toMatchObject({ size, ino });
});

test('an interrupted write leaves the earlier contents', () => {
  const file = path();
  const reserve = openReserve(file, report);
  reserve.hold({ ended: [{ id: 'a', revokedAt }] });
  const before = readFileSync(file, 'utf8');
  reserve.hold({ ended: [{ id: 'b', revokedAt: null }] });
  const after = readFileSync(file, 'utf8');
  const changed = [...after].findIndex((character, index) => character !== before[index]);
  writeFileSync(file, after.slice(0, changed + 20) + before.slice(changed + 20));
  expect(openReserve(file, report).held().ended).toEqual([{ id: 'a', revokedAt }]);
});

test('an unreadable one is a pause', () => {
  const file = path();
  writeFileSync(file, 'nothing of ours', { mode: 0o600 });
  expect(openReserve(file, report).held()).toMatchObject({
    paused: true,
    doubts: ['damaged_reserve'],
    ended: [],
  });
});

test('more than fits is refused, and the contents stay', () => {
  const file = path();
  const reserve = openReserve(file, report);
  reserve.hold({ paused: true });
  const many = Array.from({ length: 500 }, (_, number) => ({ id: `${number}`.padStart(36, '0'), revokedAt }));
  expect(() => reserve.hold({ ended: many })).toThrow('no room');
  expect(openReserve(file, report).held()).toMatchObject({ paused: true, ended: [] });
});

/** A store that accepts no write from `fill` until `free`. */
async function withFullStore(work: (store: Store, fill: () => void, free: () => void) => Promise<void>) {
  const path = join(folder, `store-${++next}.db`);
  const store = await openStore(path);
  const onEach = (statement: (table: string) => string): void => {
    const database = new SqliteFile(path);
    for (const table of ['tokens', 'settings']) database.exec(statement(table));
    database.close();
  };
  const fill = (table: string) =>
    `create trigger full_${table} before insert on ${table} begin select raise(abort, 'full'); end`;
  try {
    await work(
      store,
      () => onEach(fill),
      () => onEach(table => `drop trigger full_${table}`),
    );
  } finally {
    await store.close();
  }
}

test('a token that ends while the store accepts nothing has ended after the next start, and is then in the store', () =>
  withFullStore(async (store, fill, free) => {
    const file = path();
    const list = tokenListIn(store, openReserve(file, report), report);
    await list.load([]);
    for (const id of ['a', 'b', 'c']) await list.add(id);
    fill();
    await list.end({ id: 'a', revokedAt });
    await list.end({ id: 'b', revokedAt: null });
    const reported: unknown[] = [];
    const again = tokenListIn(store, openReserve(file, report), error => void reported.push(error));
    const held = await again.load(['a', 'b', 'c']);
    expect([...held]).toEqual([
      ['a', { revokedAt, isDeleted: false }],
      ['b', { revokedAt: null, isDeleted: true }],
      ['c', { revokedAt: null, isDeleted: false }],
    ]);
    expect(reported).toHaveLength(1);
    free();
    const reserve = openReserve(file, report);
    expect(await tokenListIn(store, reserve, report).load(['a', 'b', 'c'])).toEqual(held);
    expect(reserve.held().ended).toEqual([]);
    expect(await tokenListIn(store, openReserve(path(), report), report).load(['a', 'b', 'c'])).toEqual(held);
  }));

test('a pause that the store has no room for lasts until it is undone', () =>
  withFullStore(async (store, fill, free) => {
    const file = path();
    fill();
    await pauseIn(store, openReserve(file, report), report).save(true);
    expect(await pauseIn(store, openReserve(file, report), report).load()).toBe(true);
    await expect(pauseIn(store, openReserve(file, report), report).save(false)).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_TRIGGER',
    });
    expect(await pauseIn(store, openReserve(file, report), report).load()).toBe(true);
    free();
    await pauseIn(store, openReserve(file, report), report).save(false);
    expect(await pauseIn(store, openReserve(file, report), report).load()).toBe(false);
  }));

test('a second reason to pause leaves the first, over starts too, until somebody resumes', () =>
  withFullStore(async store => {
    const file = path();
    const opened = () => pauseIn(store, openReserve(file, report), report);
    const loaded = async () => {
      const pauses = opened();
      return [await pauses.load(), pauses.doubts()];
    };
    await opened().save(true, 'older_store');
    const pauses = opened();
    await pauses.load();
    for (const why of ['not_kept', 'older_store', undefined] as const) await pauses.save(true, why);
    expect(pauses.doubts()).toEqual(['older_store', 'not_kept']);
    expect(await loaded()).toEqual([true, ['older_store', 'not_kept']]);
    // Either place is enough.
    const inStore = pauseIn(store, openReserve(path(), report), report);
    expect([await inStore.load(), inStore.doubts()]).toEqual([true, ['older_store', 'not_kept']]);
    await pauses.save(false);
    expect(await loaded()).toEqual([false, []]);
  }));

test('all reasons to pause fit where the lists leave room for a pause alone', () =>
  withFullStore(async store => {
    const file = path();
    const reserve = openReserve(file, report);
    for (let length = 33_000; reserve.held().ended.length === 0; length -= 1) {
      try {
        reserve.hold({ ended: [{ id: 'x'.repeat(length), revokedAt }] });
      } catch (error) {
        if (!String(error).includes('no room')) throw error;
      }
    }
    const pauses = pauseIn(store, reserve, report);
    for (const why of storeDoubts) await pauses.save(true, why);
    expect(openReserve(file, report).held()).toMatchObject({ paused: true, doubts: storeDoubts });
  }));

test('a start after a kill while less was given back than was taken tells of no edit', () =>
  withFullStore(async store => {
    const [file, killed] = [path(), path()];
    const records = connectionRecordsIn(store);
    let save = records.save;
    const told: string[] = [];
    const open = (reserve: string) =>
      narrowedBy(
        openReserve(reserve, report),
        { ...records, save: connection => save(connection) },
        { report, tookBack: ({ id }) => void told.push(id) },
      );
    const level = (word: 'blocked' | 'readOnly' | 'readWrite') =>
      connectionWith({ externalClients: { level: word, writeUntil: null } });
    const levels = async (reserve: string) => (await open(reserve).load()).map(each => each.externalClients.level);

    const connections = open(file);
    await connections.save(level('readWrite'));
    save = () => Promise.reject(new Error('full'));
    await connections.save(level('blocked'));
    save = async () => {
      copyFileSync(file, killed);
      throw new Error('full');
    };
    await expect(connections.save(level('readOnly'))).rejects.toThrow('full');
    save = records.save;
    expect([await levels(killed), told]).toEqual([['readOnly'], []]);

    // Once it is saved, a store with more was edited.
    await connections.save(level('readOnly'));
    await records.save(level('readWrite'));
    expect([await levels(file), told]).toEqual([['readOnly'], [level('readOnly').id]]);
  }));

test('a list takes over what the secrets hold only if the store is an older copy', () =>
  withFullStore(async store => {
    const list = tokenListIn(store, openReserve(path(), report), report);
    expect([...(await list.load(['other'])).keys()]).toEqual([]);
    const older = tokenListIn(store, openReserve(path(), report), report, true);
    expect([...(await older.load(['newer'])).keys()]).toEqual(['newer']);
    await older.end({ id: 'newer', revokedAt: null });
    await older.forget('newer');
    expect([...(await list.load(['newer'])).keys()]).toEqual([]);
  }));
