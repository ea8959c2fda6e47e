import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ActivityVerification } from '../../../daemon/activity.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { closedLogOf, entryNumber, homeIn, openTestLog, type TestLog, writeIntent } from './log-for-tests.ts';

const folder = temporaryFolder();
const logged = { 10: homeIn(folder), 100: homeIn(folder) };
beforeAll(async () => {
  await closedLogOf(logged[10], 10);
  await closedLogOf(logged[100], 100);
});

/** Another home with a closed log of so many rows. */
function homeOf(rows: keyof typeof logged): string {
  const home = homeIn(folder);
  cpSync(logged[rows], home, { recursive: true });
  return home;
}

/**
 * Opens the log again, as the next start of the daemon would, does something to it, and verifies.
 */
async function verified(home: string, meddle: (test: TestLog) => unknown = () => {}): Promise<ActivityVerification> {
  const test = await openTestLog(home);
  try {
    await meddle(test);
    return await test.log.verify();
  } finally {
    await test.close();
  }
}

const named = (verification: ActivityVerification) =>
  verification.findings.map(({ kind, from, to }) => [kind, from, to]);

async function tampered(...statements: string[]): Promise<ActivityVerification> {
  const home = homeOf(100);
  return verified(home, test => test.tamper(...statements));
}

test('an untouched log is intact, over restarts too, and says what it can’t see', async () => {
  const home = homeOf(100);
  await closedLogOf(home, 3);
  const verification = await verified(home);
  expect(verification).toMatchObject({ intact: true, rowsChecked: 103, lastNumber: 103, findings: [], notes: [] });
  expect(verification.limits.join(' ')).toContain('secrets.json');
});

test('a new log is intact', async () => {
  expect(await verified(homeIn(folder))).toMatchObject({ intact: true, rowsChecked: 0, lastNumber: 0 });
});

const columns: readonly (readonly [string, string])[] = [
  ['time', 'time + 1'],
  ['kind', "'attempt'"],
  ['attempt', '3'],
  ['category', "'tool'"],
  ['action', "'list_tables'"],
  ['outcome', "'denied'"],
  ['principal', "'token-2'"],
  ['token_name', 'null'],
  ['client', "'another'"],
  // The text before a NUL isn't all of it.
  ['client', "'a client' || char(0) || 'evil'"],
  ['connection_id', 'null'],
  ['connection_name', "'Shop2'"],
  ['statement_hash', 'zeroblob(32)'],
  ['statement_hash', 'hex(statement_hash)'],
  ['rows', '9e999'],
  ['duration_milliseconds', 'null'],
  ['reason', "''"],
  ['standing', "'{}'"],
  ['request_id', "'request-43'"],
  ['count', '2'],
  ['mac', 'zeroblob(16)'],
  ['mac', 'zeroblob(32)'],
  ['mac', "'text'"],
];
describe('rows edited in a log that stays open', () => {
  let opened: TestLog;
  beforeAll(async () => {
    opened = await openTestLog(homeOf(100));
    opened.tamper('create table as_written as select * from activity');
  });
  afterAll(() => opened.close());
  afterEach(() => opened.tamper('insert or replace into activity select * from as_written'));

  test.each(columns)('only the edited row is reported: %s = %s', async (column, value) => {
    opened.tamper(`update activity set ${column} = ${value} where number = 42`);
    const verification = await opened.log.verify();
    expect(named(verification)).toEqual([['edited', 42, 42]]);
    expect(verification.intact).toBe(false);
  });

  test.each([1, 4, 10, 40])('of %d rows each one whose MAC was edited is reported, and no other', async count => {
    opened.tamper(`update activity set mac = randomblob(16) where number between 4 and ${3 + count}`);
    expect(named(await opened.log.verify())).toEqual([['edited', 4, 3 + count]]);
  });
});

// If each row were compared with all earlier rows, this would take a quarter of an hour.
test('a log that was edited throughout is verified in one pass', async () => {
  const test = await openTestLog(homeIn(folder));
  for (let number = 1; number <= 20_000; number++) {
    test.log.record(entryNumber(number));
    if (number % 5_000 === 0) await test.log.flush();
  }
  test.tamper('update activity set rows = 0');
  expect(named(await test.log.verify())).toEqual([['edited', 1, 20_000]]);
  await test.close();
}, 60_000);
test('neighbouring edited rows are one finding, separate ones are several', async () => {
  expect(named(await tampered('update activity set rows = 0 where number in (1, 7, 8, 9, 100)'))).toEqual([
    ['edited', 1, 1],
    ['edited', 7, 9],
    ['edited', 100, 100],
  ]);
});

test('rows that changed places are reported, with the one after them, whose predecessor is another', async () => {
  const verification = await tampered(
    'update activity set number = -1 where number = 5',
    'update activity set number = 5 where number = 6',
    'update activity set number = 6 where number = -1',
  );
  expect(named(verification)).toEqual([['edited', 5, 7]]);
});

test('a removed row is reported, at the beginning too, and that the next can’t be checked without it', async () => {
  const verification = await tampered('delete from activity where number in (1, 50, 51)');
  expect(named(verification)).toEqual([
    ['removed', 1, 1],
    ['removed', 50, 51],
  ]);
  expect(named(await tampered('delete from activity where number = 50'))).toEqual([['removed', 50, 50]]);
  expect(verification.findings[1]?.sentence).toContain('What row 52 says');
});

test('removed rows with the rest renumbered are reported from the first on', async () => {
  const verification = await tampered(
    'delete from activity where number = 50',
    'update activity set number = number - 1 where number > 50',
  );
  expect(named(verification)).toEqual([
    ['edited', 50, 99],
    ['truncated', 100, 100],
  ]);
});

test('the last ten truncated under a running daemon are reported, before and after more was recorded', async () => {
  const home = homeOf(100);
  const test = await openTestLog(home);
  test.tamper('delete from activity where number > 90');
  expect(named(await test.log.verify())).toEqual([['truncated', 91, 100]]);
  test.log.record(entryNumber(1));
  await test.log.flush();
  expect(named(await test.log.verify())).toEqual([['truncated', 91, 100]]);
  await test.close();
  expect(named(await verified(home))).toEqual([['truncated', 91, 100]]);
});

test('the last ten truncated while no daemon ran are reported at each later verification', async () => {
  const home = homeOf(100);
  const path = join(home, 'sallyport.db');
  const database = new SqliteFile(path);
  database.exec('delete from activity where number > 90');
  database.close();
  for (const rows of [102, 102]) {
    const verification = await verified(home, ({ log }) => rows === 0 && log.flush());
    expect(named(verification)).toEqual([['truncated', 91, 100]]);
    expect(verification.rowsChecked).toBe(91);
  }
});

test('a start that was killed after its report repeats it from its own row', async () => {
  const home = homeOf(100);
  const before = readFileSync(join(home, 'secrets.json'), 'utf8');
  const meddler = await openTestLog(home);
  meddler.tamper('delete from activity where number > 90');
  await meddler.close();
  const killed = await openTestLog(home);
  const left = homeIn(folder);
  for (const end of ['', '-wal']) copyFileSync(join(home, `sallyport.db${end}`), join(left, `sallyport.db${end}`));
  await killed.close();
  writeFileSync(join(left, 'secrets.json'), before, { mode: 0o600 });
  const verification = await verified(left);
  expect(named(verification)).toEqual([['truncated', 91, 100]]);
  expect(verification.notes.join(' ')).toContain('row 101 written before an unclean stop');
});

test('verifying while the log grows finds nothing', async () => {
  const test = await openTestLog(homeIn(folder));
  let isDone = false;
  const growing = (async () => {
    while (!isDone) {
      const attempt = await test.log.attempt(writeIntent);
      for (let times = 0; times < 20; times++) test.log.record(entryNumber(times));
      await test.log.outcome(attempt, { outcome: 'success' });
    }
  })();
  for (let times = 0; times < 8; times++) expect((await test.log.verify()).findings).toEqual([]);
  isDone = true;
  await growing;
  await test.close();
});

test.each(['keeps the copy’s head', 'loses the copy’s head'])('all rows removed (%s)', async how => {
  const home = homeOf(10);
  const test = await openTestLog(home);
  test.tamper('delete from activity', ...(how.startsWith('loses') ? ['delete from activity_head'] : []));
  await test.close();
  expect(named(await verified(home))).toEqual([['truncated', 1, 10]]);
});

test('the database swapped for an older copy is reported as such, even after more was recorded', async () => {
  const home = homeIn(folder);
  await closedLogOf(home, 60);
  const path = join(home, 'sallyport.db');
  copyFileSync(path, join(home, 'copy.db'));
  await closedLogOf(home, 40);
  copyFileSync(join(home, 'copy.db'), path);
  const verification = await verified(home);
  expect(named(verification)).toEqual([['older_copy', 61, 100]]);
  expect(verification.findings[0]?.sentence).toContain('swapped for an older copy');
  await closedLogOf(home, 20);
  expect(named(await verified(home))).toEqual([['older_copy', 61, 100]]);
});

test('an older copy from before the first row is reported', async () => {
  const home = homeIn(folder);
  await closedLogOf(home, 0);
  const path = join(home, 'sallyport.db');
  copyFileSync(path, join(home, 'copy.db'));
  await closedLogOf(home, 5);
  copyFileSync(join(home, 'copy.db'), path);
  expect((await verified(home)).findings[0]).toMatchObject({ from: 1, to: 5 });
});

test('rows added from outside are reported while the daemon runs, and removed with a message at its next write', async () => {
  const home = homeOf(10);
  const test = await openTestLog(home);
  const forge = (number: number) =>
    `insert into activity select ${number}, time, kind, attempt, category, action, outcome, principal, token_name, client,
      connection_id, connection_name, statement_hash, rows, duration_milliseconds, reason, standing, request_id,
      count, previous, mac
      from activity where number = 10`;
  test.tamper(forge(11), forge(9_000_000_000_000_000_000 as number));
  expect(named(await test.log.verify())).toMatchObject([['foreign_rows', 11, expect.any(Number)]]);
  test.log.record(entryNumber(11));
  await test.log.flush();
  expect(test.log.problem()).toBeNull();
  const verification = await test.log.verify();
  expect(named(verification)).toEqual([['foreign_rows', 11, 11]]);
  expect(verification.rowsChecked).toBe(12);
  await test.close();
});

function editSecrets(home: string, edit: (secrets: Record<string, string>) => void): void {
  const path = join(home, 'secrets.json');
  const content = JSON.parse(readFileSync(path, 'utf8'));
  edit(content.secrets);
  writeFileSync(path, JSON.stringify(content));
}

test.each([
  ['key', 'key_missing'],
  ['head', 'head_missing'],
])('the %s removed from the secret store is reported, at once and after the next start', async (id, kind) => {
  const home = homeOf(10);
  const whileRunning = await verified(home, () => editSecrets(home, secrets => delete secrets[`activity/${id}`]));
  expect(named(whileRunning)).toEqual([[kind, null, null]]);
  for (let start = 0; start < 2; start++) {
    const verification = await verified(home);
    expect(named(verification)).toEqual([[kind, 11, 11]]);
    expect(verification.notes.join(' ').includes('Rows up to 10 are past checking')).toBe(id === 'key');
  }
});

test('another key in place of the key is reported', async () => {
  const home = homeOf(10);
  editSecrets(home, secrets => {
    secrets['activity/key'] = Buffer.alloc(32, 7).toString('base64');
  });
  expect(named(await verified(home))).toEqual([['key_missing', 11, 11]]);
});

test('an older head put back beside newer rows is told from the stored one', async () => {
  const home = homeOf(10);
  const older = readFileSync(join(home, 'secrets.json'), 'utf8');
  await closedLogOf(home, 10);
  const verification = await verified(home, () => writeFileSync(join(home, 'secrets.json'), older));
  expect(named(verification)).toEqual([['head_changed', null, null]]);
});

test('an unreadable secret store is reported and nothing is replaced', async () => {
  const home = homeOf(10);
  const secrets = readFileSync(join(home, 'secrets.json'), 'utf8');
  const verification = await verified(home, () => writeFileSync(join(home, 'secrets.json'), '{'));
  expect(named(verification)).toEqual([['unavailable', null, null]]);
  await expect(openTestLog(home)).rejects.toThrow('not valid JSON');
  writeFileSync(join(home, 'secrets.json'), secrets);
  expect((await verified(home)).intact).toBe(true);
});

test('a first start that was killed after its first secret is a first start again', async () => {
  const home = homeIn(folder);
  await closedLogOf(home, 0);
  editSecrets(home, secrets => delete secrets['activity/key']);
  expect((await verified(home)).intact).toBe(true);
  rmSync(home, { recursive: true });
});

const secretsOf = (home: string): string => join(home, 'secrets.json');

/** As another program of this user, while no daemon runs. */
function editStore(home: string, edit: (database: SqliteFile) => void): void {
  const database = new SqliteFile(join(home, 'sallyport.db'));
  edit(database);
  database.close();
}

const lastMac = (database: SqliteFile) =>
  database.prepare('select number, mac from activity order by number desc limit 1').get() as {
    readonly number: number;
    readonly mac: Buffer;
  };

/**
 * Removes the last rows, empties the copy of the head, and changes the head in the secrets so that
 * the log seems to end there.
 */
function cutAndPointHeadAtTheEnd(home: string): void {
  editStore(home, database => {
    database.exec('delete from activity where number > 90; delete from activity_head');
    const { number, mac } = lastMac(database);
    editSecrets(home, secrets => {
      const [json = '', seal] = (secrets['activity/head'] ?? '').split('\n');
      const head = JSON.parse(json);
      head.last = { number, mac: mac.toString('base64') };
      secrets['activity/head'] = [JSON.stringify(head), seal].join('\n');
    });
  });
}

test('the last rows cut, with a head made from the last row’s own MAC: that is no head', async () => {
  const home = homeOf(100);
  cutAndPointHeadAtTheEnd(home);
  for (let start = 0; start < 2; start++) {
    const verification = await verified(home);
    expect(verification.intact).toBe(false);
    expect(named(verification)).toEqual([['head_missing', 91, 91]]);
  }
});

test('a head without a seal doesn’t count', async () => {
  const home = homeOf(100);
  editStore(home, database => {
    database.exec('delete from activity where number > 90; delete from activity_head');
    const { number, mac } = lastMac(database);
    const keyId = JSON.parse(readSecrets(home)['activity/head']?.split('\n')[0] ?? '').keyId;
    const head = {
      version: 1,
      keyId,
      last: { number, mac: mac.toString('base64') },
      tail: { number: 0, mac: Buffer.alloc(16).toString('base64') },
      counter: 1,
      isAnchored: false,
    };
    editSecrets(home, secrets => {
      secrets['activity/head'] = JSON.stringify(head);
    });
  });
  expect(named(await verified(home))).toEqual([['head_missing', 91, 91]]);
});

function readSecrets(home: string): Record<string, string> {
  return JSON.parse(readFileSync(secretsOf(home), 'utf8')).secrets;
}

test('an emptied copy of the head, while no daemon ran, is reported', async () => {
  const home = homeOf(10);
  editStore(home, database => database.exec('delete from activity_head'));
  expect(named(await verified(home))).toEqual([['head_missing', 11, 11]]);
});

test.each([1, 5])('older secrets put back after a clean stop are reported, %s runs later', async runs => {
  const home = homeOf(10);
  const older = readFileSync(secretsOf(home), 'utf8');
  for (let run = 0; run < runs; run++) await closedLogOf(home, 1);
  writeFileSync(secretsOf(home), older);
  for (let start = 0; start < 2; start++) {
    const verification = await verified(home);
    expect(named(verification)).toEqual([['older_copy', 11 + runs, 11 + runs]]);
    expect(verification.findings[0]?.sentence).toContain('The secret store was an older copy than the database');
    expect(verification.notes).toEqual([]);
  }
});

test('older secrets, the rows cut to where they ended, and the copy emptied: reported', async () => {
  const home = homeOf(10);
  const older = readFileSync(secretsOf(home), 'utf8');
  await closedLogOf(home, 10);
  writeFileSync(secretsOf(home), older);
  editStore(home, database => database.exec('delete from activity where number > 10; delete from activity_head'));
  expect(named(await verified(home))).toEqual([['head_missing', 11, 11]]);
});

test('a head of another store under the same key doesn’t count', async () => {
  const home = homeOf(10);
  const other = '00000000-0000-4000-8000-000000000000';
  editStore(home, database => database.prepare("update store set value = ? where key = 'id'").run(other));
  const content = JSON.parse(readFileSync(secretsOf(home), 'utf8'));
  writeFileSync(secretsOf(home), JSON.stringify({ ...content, store: other }));
  expect(named(await verified(home))).toEqual([['head_missing', 11, 11]]);
});
