/**
 * The thread that writes to the store: what it does after a failure, and what the rest of the
 * daemon hears of it.
 */

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { diskFault } from '../../../daemon/disk-fault.ts';
import { prepareForReading } from '../../../daemon/storage/ledger/connection.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { entryNumber, homeIn, openTestLog, writeIntent } from '../activity/log-for-tests.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();

/** The threads that were asked something meanwhile. */
async function threadsAsked(work: () => Promise<void>): Promise<Worker[]> {
  const asked: Worker[] = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker, ...given: Parameters<typeof post>) {
    if (!asked.includes(this)) asked.push(this);
    return post.apply(this, given);
  };
  try {
    await work();
  } finally {
    Worker.prototype.postMessage = post;
  }
  return asked;
}

/**
 * Each thread that is asked something ends before it hears of it.
 * @returns those threads.
 */
async function threadsEnded(work: () => Promise<void>): Promise<Worker[]> {
  const ended: Worker[] = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker) {
    if (ended.includes(this)) return;
    ended.push(this);
    void this.terminate();
  };
  try {
    await work();
  } finally {
    Worker.prototype.postMessage = post;
  }
  return ended;
}

test('the connection of the serving thread writes nothing, by mistake or not', async () => {
  const store = await openStore(join(homeIn(folder), 'sallyport.db'));
  await expect(store.knex('settings').insert({ key: 'a', value: '1' })).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  });
  await store.close();
});

test('a text that Node can’t hold is an error, not a missing row', () => {
  const database = new SqliteFile(':memory:');
  prepareForReading(database);
  expect(() => database.value("select printf('%536870912s', '')")).toThrow(/too big/);
  database.close();
});

test('writes made together are written completely or not at all', async () => {
  const store = await openStore(join(homeIn(folder), 'sallyport.db'));
  const { knex } = store;
  const row = { key: 'a', value: '1' };
  await expect(store.write(knex('settings').insert(row), knex('nowhere').insert(row))).rejects.toMatchObject({
    code: 'SQLITE_ERROR',
  });
  expect(await knex('settings')).toEqual([]);
  expect(await store.write(knex('settings').insert(row), knex('settings').delete())).toEqual([1, 1]);
  await store.close();
});

test('a thread that died makes the log unwritable: no write runs, it is reported, and the next thread loses nothing', async () => {
  const home = homeIn(folder);
  const test = await openTestLog(home);
  await test.log.attempt(writeIntent);
  test.log.record(entryNumber(1));
  await threadsEnded(async () => {
    await expect(test.log.attempt(writeIntent)).rejects.toThrow(
      /^The activity log can't be written, because the thread that writes the store ended \(.+\), so nothing that writes will run; it is started again by itself\.$/,
    );
    expect(test.log.problem()).toContain('nothing that writes will run');
    const refusal = await test.store.write(test.store.knex('settings').delete()).catch(error => error);
    expect(diskFault(refusal, home)).toBe(
      `The thread that writes to ${home} ended and is started again; wait a second`,
    );
  });
  await until(() => test.log.problem() === null, 'the log is written again');
  expect((await test.log.attempt(writeIntent)).number).toBe(3);
  expect(await test.log.verify()).toMatchObject({ intact: true, rowsChecked: 3 });
  expect((await test.log.query({ limit: 2 })).rows).toMatchObject([{ kind: 'attempt' }, { requestId: 'request-1' }]);
  await test.close();
});

test('rows committed as the thread died are in the chain, and it verifies', async () => {
  const home = homeIn(folder);
  const test = await openTestLog(home);
  const threads = await threadsAsked(async () => void (await test.log.attempt(writeIntent)));
  for (let times = 0; times < 8; times++) {
    const attempts = Array.from({ length: 50 }, () => test.log.attempt(writeIntent).catch(() => null));
    await new Promise(resolve => setTimeout(resolve, times));
    const more = await threadsAsked(async () => {
      await threads.at(-1)?.terminate();
      await Promise.all(attempts);
      await until(async () => (await test.log.attempt(writeIntent).catch(() => null)) !== null, 'a write runs again');
    });
    threads.push(...more);
  }
  expect(threads.length).toBeGreaterThan(8);
  expect((await test.log.verify()).findings).toEqual([]);
  await test.close();
  const again = await openTestLog(home);
  expect((await again.log.verify()).findings).toEqual([]);
  await again.close();
}, 60_000);

test('a thread that ends at once isn’t started for each request', async () => {
  const store = await openStore(join(homeIn(folder), 'sallyport.db'));
  const began = performance.now();
  const ended = await threadsEnded(async () => {
    for (let times = 0; times < 5; times++) {
      const asked = Array.from({ length: 100 }, () => store.write().catch(({ code }) => code));
      expect(new Set(await Promise.all(asked))).toEqual(new Set(['STORE_THREAD_ENDED']));
    }
  });
  // The original one, its first replacement, and one per second.
  expect(ended.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 1_000);
  await store.close();
});
