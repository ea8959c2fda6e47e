/** A large log: 2,000 rows by default, or as many as SALLYPORT_TEST_ROWS says (1000000). */

import { expect, test } from '@jest/globals';
import type { ActivityQuestion } from '../../../daemon/activity.ts';
import { activityLimits } from '../../../daemon/storage/activity/log-limits.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { entryNumber, homeIn, openTestLog } from './log-for-tests.ts';

const rows = Number(process.env.SALLYPORT_TEST_ROWS ?? 2_000);
const folder = temporaryFolder();

test(`${rows} rows: an index answers each question, and soon; the chain verifies`, async () => {
  const limits = { ...activityLimits, waitingRows: Number.POSITIVE_INFINITY };
  const opened = await openTestLog(homeIn(folder), { limits });
  const { log, store } = opened;
  for (let number = 1; number <= rows; number++) {
    log.record(
      entryNumber(number, { tokenName: `token ${number % 50}`, category: number % 9 === 0 ? 'tool' : 'query' }),
    );
    if (number % 5_000 === 0) await log.flush();
  }
  await log.flush();
  const asked: { sql: string; bindings: readonly unknown[] }[] = [];
  store.knex.on('query', query => asked.push(query));
  const questions: Omit<ActivityQuestion, 'limit'>[] = [
    {},
    { since: Date.now() - 1_000 },
    { category: 'admin' },
    { token: 'token 7' },
    { token: 'nobody' },
    { token: 'token 7', category: 'tool' },
    { token: 'token-1', category: 'auth', since: 5 },
    { before: Math.trunc(rows / 2) },
    { after: Math.trunc(rows / 2) },
  ];
  for (const question of questions) {
    const start = performance.now();
    await log.query({ limit: 100, ...question });
    expectWithin(start, 2_000);
  }
  expect(asked.length).toBeGreaterThan(questions.length);
  for (const { sql, bindings } of [...asked]) {
    const plan: { detail: string }[] = await store.knex.raw(`explain query plan ${sql}`, [...bindings] as string[]);
    // A scan along an index, newest first, ends at its limit; an unordered scan of the table
    // doesn't.
    for (const { detail } of plan) expect(detail).not.toMatch(/^SCAN activity$/);
  }
  expect(await log.verify()).toMatchObject({ intact: true, rowsChecked: rows });
  await opened.close();
}, 600_000);
