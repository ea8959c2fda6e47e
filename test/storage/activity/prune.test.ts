import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../home-for-tests.ts';
import { entryNumber, homeIn, openTestLog, type TestLog } from './log-for-tests.ts';

const folder = temporaryFolder();
const day = 86_400_000;

/** One row a day; the last one is today's. */
async function withDays(days: number, work: (test: TestLog, home: string) => Promise<void>): Promise<void> {
  const home = homeIn(folder);
  const today = Date.parse('2026-11-20T12:00:00Z');
  let now = today - days * day;
  const test = await openTestLog(home, { now: () => now });
  for (let number = 1; number <= days; number++) {
    now += day;
    test.log.record(entryNumber(number));
  }
  await test.log.flush();
  try {
    await work(test, home);
  } finally {
    await test.close();
  }
}

const numbers = async (test: TestLog) => (await test.log.query({ limit: 1000 })).rows.map(({ number }) => number);

test('rows older than 90 days are removed, the rest verifies, and a row says so', () =>
  withDays(200, async (test, home) => {
    await test.log.prune();
    const left = await numbers(test);
    expect(left.at(-1)).toBe(110);
    expect(left[0]).toBe(201);
    const [pruned] = (await test.log.query({ limit: 1 })).rows;
    expect(pruned).toMatchObject({ action: 'activity.pruned', count: 109, outcome: 'success' });
    expect(pruned?.reason).toContain('all as they were recorded');
    expect(await test.log.verify()).toMatchObject({ intact: true, rowsChecked: 92, checkedAfter: 109 });
    await test.log.prune();
    expect(await numbers(test)).toEqual(left);

    const again = await openTestLog(home);
    expect((await again.log.verify()).intact).toBe(true);
    again.tamper('delete from activity where number <= 111');
    expect((await again.log.verify()).findings).toMatchObject([{ kind: 'removed', from: 110, to: 111 }]);
    await again.close();
  }));

test('rows from while the clock ran ahead are removed with those around them', async () => {
  let now = 0;
  const test = await openTestLog(homeIn(folder), { now: () => now });
  const days = ['2029-01-01', '2026-05-01', '2026-05-02', '2029-01-02', '2026-11-19'];
  for (const [index, time] of days.entries()) {
    now = Date.parse(time);
    test.log.record(entryNumber(index + 1));
    await test.log.flush();
  }
  now = Date.parse('2026-11-20');
  await test.log.prune();
  expect(await numbers(test)).toEqual([4, 6, 5]);
  expect((await test.log.verify()).intact).toBe(true);
  await test.close();
});

test('a log without young rows keeps its last row', () =>
  withDays(5, async (test, home) => {
    const later = await openTestLog(home, { now: () => Date.parse('2027-11-20') });
    await later.log.prune();
    expect(await numbers(later)).toEqual([6, 5]);
    expect((await later.log.verify()).intact).toBe(true);
    await later.close();
    expect(test.log.problem()).toBeNull();
  }));

test('problems of pruned rows stay reported', () =>
  withDays(100, async test => {
    test.tamper('update activity set rows = 0 where number = 3', 'delete from activity where number in (5, 6)');
    await test.log.prune();
    const [pruned] = (await test.log.query({ limit: 1 })).rows;
    expect(pruned?.reason).toMatch(/^Pruned rows 1 to 9: 3 of them missing or not as they were recorded/);
    expect((await test.log.verify()).intact).toBe(true);
  }));

test('an interrupted prune leaves a log that verifies, and the next one finishes it', () =>
  withDays(200, async test => {
    test.tamper("create trigger cut before delete on activity begin select raise(abort, 'killed'); end");
    await expect(test.log.prune()).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_TRIGGER' });
    const cut = await test.log.verify();
    expect(cut).toMatchObject({ intact: true, checkedAfter: 109 });
    expect(cut.notes.join(' ')).toContain('109 are still');
    test.tamper('drop trigger cut');
    await test.log.prune();
    expect((await numbers(test)).at(-1)).toBe(110);
    expect((await test.log.verify()).intact).toBe(true);
  }));

test('nothing is pruned while the head can’t be stored', () =>
  withDays(200, async test => {
    await test.log.flush();
    const { chmodSync } = await import('node:fs');
    chmodSync(test.secretsPath, 0o644);
    await test.log.prune();
    chmodSync(test.secretsPath, 0o600);
    expect((await numbers(test)).at(-1)).toBe(1);
    expect((await test.log.verify()).intact).toBe(true);
  }));
