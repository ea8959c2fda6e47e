import { expect, test } from '@jest/globals';
import type { ActivityRow } from '../../../daemon/activity.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { homeIn, openTestLog, type TestLog } from './log-for-tests.ts';
import { writeUntilKilled } from './writer-process.ts';

const folder = temporaryFolder();
const rounds = Number(process.env.SALLYPORT_TEST_CRASHES ?? 12);

test('killed at any moment, the log verifies at the next start, and has each promised attempt and outcome', async () => {
  const home = homeIn(folder);
  let before = 0;
  let adopted = 0;
  for (let round = 0; round < rounds; round++) {
    // Every third one dies while it opens the log or has just done so.
    const from = round % 3 === 2 ? 'start' : 'ready';
    const promised = await writeUntilKilled(home, from, Math.random() * (from === 'start' ? 600 : 250));
    const opened = await openTestLog(home);
    try {
      const verification = await opened.log.verify();
      expect(verification.findings).toEqual([]);
      const rows = await rowsSince(opened, before);
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => before + index + 1));
      const fates = new Map(rows.filter(row => row.kind === 'attempt').map(row => [row.number, row.fate]));
      for (const number of promised.attempts) expect(fates.get(number)).toMatch(/settled|unknown/);
      for (const number of promised.outcomes) expect(fates.get(number)).toBe('settled');
      adopted += rows.filter(row => row.action === 'activity.adopted').length;
      expect(verification.notes.length).toBe(adopted);
      before = verification.lastNumber;
    } finally {
      await opened.close();
    }
  }
  expect(before).toBeGreaterThan(0);
}, 300_000);

async function rowsSince(opened: TestLog, number: number): Promise<ActivityRow[]> {
  const rows: ActivityRow[] = [];
  for (let older: number | null | undefined; ; ) {
    const page = await opened.log.query({ limit: 1000, ...(older != null && { before: older }) });
    rows.push(...page.rows.filter(row => row.number > number));
    older = page.older;
    if (older === null || page.rows.some(row => row.number <= number)) break;
  }
  return rows.sort((a, b) => a.number - b.number);
}
