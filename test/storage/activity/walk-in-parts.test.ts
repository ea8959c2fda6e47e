import { cpSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../home-for-tests.ts';
import { entryNumber, homeIn, openTestLog } from './log-for-tests.ts';

const folder = temporaryFolder();
const rows = 20_000;
const long = homeIn(folder);
beforeAll(async () => {
  const { log, close } = await openTestLog(long);
  for (let number = 1; number <= rows; number += 1) {
    log.record(entryNumber(number));
    // Only so many rows may wait for the disk as memory is set aside for.
    if (number % 2_000 === 0) await log.flush();
  }
  await close();
}, 60_000);

async function verified(...statements: string[]) {
  const home = homeIn(folder);
  cpSync(long, home, { recursive: true });
  const { log, tamper, close } = await openTestLog(home);
  tamper(...statements);
  const verification = await log.verify();
  await close();
  return verification;
}

test('a long log is read in parts, each row once', async () => {
  expect(await verified()).toMatchObject({ intact: true, rowsChecked: rows, lastNumber: rows, findings: [] });
});

test('a fault at the start of the second part is reported like any other', async () => {
  const middle = rows / 2;
  const faults: readonly (readonly [string, readonly [string, number, number]])[] = [
    [`update activity set rows = 7 where number = ${middle}`, ['edited', middle, middle]],
    [`update activity set mac = zeroblob(32) where number = ${middle}`, ['edited', middle, middle]],
    [`update activity set rows = 7 where number = ${middle + 1}`, ['edited', middle + 1, middle + 1]],
    [`update activity set rows = 7 where number in (${middle}, ${middle + 1})`, ['edited', middle, middle + 1]],
    [`delete from activity where number = ${middle}`, ['removed', middle, middle]],
    [`delete from activity where abs(number - ${middle}) < 2`, ['removed', middle - 1, middle + 1]],
  ];
  for (const [statement, finding] of faults) {
    const { findings } = await verified(statement);
    expect([statement, findings.map(({ kind, from, to }) => [kind, from, to])]).toEqual([statement, [finding]]);
  }
}, 60_000);
