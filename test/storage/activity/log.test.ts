import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type SecretStore, SecretStoreUnavailable } from '../../../daemon/access/secret-store.ts';
import { type ActivityRow, ActivityUnavailable } from '../../../daemon/activity.ts';
import { activityLimits } from '../../../daemon/storage/activity/log-limits.ts';
import { factsOf } from '../../../daemon/storage/activity/row.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { entryNumber, homeIn, openTestLog, shop, type TestLog, writeIntent } from './log-for-tests.ts';

const folder = temporaryFolder();

async function withLog(work: (test: TestLog) => Promise<void>, ...changes: [Parameters<typeof openTestLog>[1]?]) {
  const test = await openTestLog(homeIn(folder), ...changes);
  try {
    await work(test);
  } finally {
    await test.close();
  }
}

const rowsOf = async (test: TestLog, question = {}) => (await test.log.query({ limit: 100, ...question })).rows;

test('an entry comes back as recorded, with others’ text as they wrote it', () =>
  withLog(async test => {
    const client = '\u202enasty\n\0"\ud800 😀';
    test.log.record(entryNumber(7, { client, reason: 'r'.repeat(5000) }));
    test.log.record({ category: 'admin', action: 'daemon.start', outcome: 'success' });
    const [start, query] = await rowsOf(test);
    expect(query).toEqual({
      number: 1,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      kind: 'event',
      category: 'query',
      action: 'execute_query',
      outcome: 'success',
      fate: null,
      attempt: null,
      principal: 'token-1',
      tokenName: 'laptop',
      client: client.replace('\ud800', '\ufffd'),
      connection: shop,
      statementHash: 'ab'.repeat(32),
      rows: 7,
      durationMilliseconds: 1.5,
      reason: `${'r'.repeat(999)}…`,
      requestId: 'request-7',
      count: 1,
    });
    expect(start).toMatchObject({ principal: null, connection: null, statementHash: null, rows: null, reason: null });
    expect((await test.log.verify()).intact).toBe(true);
  }));

test('invalid numbers and halves of surrogate pairs don’t break the chain', () =>
  withLog(async test => {
    const odd = {
      rows: Number.NaN,
      durationMilliseconds: Number.POSITIVE_INFINITY,
      count: 1.5,
      client: `${'x'.repeat(254)}😀😀`,
    };
    test.log.record(entryNumber(1, odd));
    test.log.record(entryNumber(1, { rows: Number.MAX_SAFE_INTEGER, durationMilliseconds: 0.1 + 0.2 }));
    expect(await test.log.verify()).toMatchObject({ intact: true, rowsChecked: 2 });
    expect((await rowsOf(test))[1]).toMatchObject({ rows: null, durationMilliseconds: null, count: 1 });
  }));

test('a statement in place of its hash is an error that is thrown, not stored', () =>
  withLog(async test => {
    expect(() => test.log.record(entryNumber(1, { statementHash: 'select 1' }))).toThrow(TypeError);
  }));

test('a row that waits to be written holds no bytes, or the 8 KiB that Node cut them from would wait too', () => {
  const intent = entryNumber(1);
  const facts = factsOf(Date.now(), 'event', null, intent, { outcome: 'success', reason: 'why', rows: 1 });
  expect(facts.statement_hash).toBe(intent.statementHash);
  expect(Object.values(facts).filter(value => typeof value === 'object' && value !== null)).toEqual([]);
});

test('rows are written by themselves soon', () =>
  withLog(async test => {
    const told = new Promise<readonly ActivityRow[]>(resolve => test.log.follow(resolve));
    test.log.record(entryNumber(1));
    expect(await told).toMatchObject([{ number: 1, requestId: 'request-1' }]);
  }));

test('an attempt is committed and anchored before it is answered; its fate can always be known', () =>
  withLog(async test => {
    const attempt = await test.log.attempt(writeIntent);
    const kept = ((await test.secrets.read('activity', 'head')) as { value: string }).value;
    const head = JSON.parse(kept.split('\n')[0] ?? '');
    expect(head.last.number).toBe(attempt.number);
    expect(await rowsOf(test)).toMatchObject([{ kind: 'attempt', outcome: null, fate: 'running' }]);
    await test.log.outcome(attempt, { outcome: 'success', rows: 3, durationMilliseconds: 2 });
    expect(await rowsOf(test)).toMatchObject([
      { kind: 'outcome', attempt: attempt.number, outcome: 'success', rows: 3, tokenName: 'laptop', fate: null },
      { kind: 'attempt', fate: 'settled' },
    ]);
  }));

test('an attempt that never had an outcome is unknown after the next start', async () => {
  const home = homeIn(folder);
  const first = await openTestLog(home);
  await first.log.attempt(writeIntent);
  await first.close();
  const second = await openTestLog(home);
  expect(await rowsOf(second)).toMatchObject([{ kind: 'attempt', fate: 'unknown' }]);
  await second.close();
});

test('many attempts at once share transactions and anchors', async () => {
  let heads = 0;
  const home = homeIn(folder);
  const plain = await openTestLog(home);
  await plain.close();
  const counting: SecretStore = {
    ...plain.secrets,
    async write(kind, id, value) {
      if (id === 'head') heads += 1;
      await plain.secrets.write(kind, id, value);
    },
  };
  const test = await openTestLog(home, { secrets: counting });
  const attempts = await Promise.all(Array.from({ length: 200 }, () => test.log.attempt(writeIntent)));
  expect(new Set(attempts.map(({ number }) => number)).size).toBe(200);
  expect(heads).toBeLessThan(5);
  expect((await test.log.verify()).rowsChecked).toBe(200);
  await test.close();
});

test('while the store can’t be written no write runs, reads continue with a warning, and nothing is lost', () =>
  withLog(async test => {
    test.tamper("create trigger full before insert on activity begin select raise(abort, 'disk full'); end");
    test.log.record(entryNumber(1));
    await expect(test.log.attempt(writeIntent)).rejects.toThrow(ActivityUnavailable);
    expect(test.log.problem()).toContain('nothing that writes will run');
    expect(test.log.problem()).not.toContain('disk full');
    expect(test.reported.length).toBeGreaterThan(0);
    test.tamper('drop trigger full');
    const attempt = await test.log.attempt(writeIntent);
    expect(test.log.problem()).toBeNull();
    expect(attempt.number).toBe(2);
    expect(await test.log.verify()).toMatchObject({ intact: true, rowsChecked: 2 });
  }));

test('while the head can’t be stored no write runs; the committed attempt says that it was not sent', () =>
  withLog(async test => {
    await test.log.attempt(writeIntent);
    const secrets = readFileSync(test.secretsPath, 'utf8');
    chmodSync(test.secretsPath, 0o644);
    await expect(test.log.attempt(writeIntent)).rejects.toThrow('secrets.json');
    chmodSync(test.secretsPath, 0o600);
    writeFileSync(test.secretsPath, secrets);
    expect(await rowsOf(test)).toMatchObject([
      { kind: 'outcome', attempt: 2, outcome: 'error', reason: expect.stringContaining('not sent') },
      { kind: 'attempt', number: 2, fate: 'settled' },
      { kind: 'attempt', number: 1, fate: 'running' },
    ]);
    expect(test.log.problem()).toBeNull();
    expect((await test.log.verify()).intact).toBe(true);
  }));

test('an outcome that can’t be written blocks nobody and is written later', () =>
  withLog(async test => {
    const attempt = await test.log.attempt(writeIntent);
    test.tamper("create trigger full before insert on activity begin select raise(abort, 'x'); end");
    await test.log.outcome(attempt, { outcome: 'success' });
    expect(test.log.problem()).not.toBeNull();
    test.tamper('drop trigger full');
    expect(await rowsOf(test)).toMatchObject([{ kind: 'outcome', attempt: 1 }, { fate: 'settled' }]);
  }));

test('rows that don’t fit while nothing can be written are counted', () =>
  withLog(
    async test => {
      test.tamper("create trigger full before insert on activity begin select raise(abort, 'x'); end");
      for (let number = 1; number <= 25; number++) test.log.record(entryNumber(number));
      await test.log.flush();
      test.tamper('drop trigger full');
      const rows = await rowsOf(test);
      expect(rows).toHaveLength(11);
      expect(rows[0]).toMatchObject({ action: 'activity.lost', count: 15, outcome: 'error' });
      expect((await test.log.verify()).findings).toMatchObject([{ kind: 'lost' }]);
    },
    { limits: { ...activityLimits, waitingRows: 10 } },
  ));

test('a locked secret store at the start is an error, never a new key', async () => {
  const secrets: SecretStore = {
    backend: 'keychain',
    read: async () => ({ kind: 'unavailable', problem: 'The keychain is locked.' }),
    write: async () => {
      throw new Error('nothing may be written');
    },
    makeShellSecret: async value => value,
    delete: async () => {},
    list: async () => [],
  };
  const home = homeIn(folder);
  await expect(openTestLog(home, { secrets })).rejects.toThrow(SecretStoreUnavailable);
});

test('a tally is one row with a count, when its time is over or at the stop', async () => {
  let now = 1_000_000;
  const home = homeIn(folder);
  const test = await openTestLog(home, { now: () => now });
  const failure = { category: 'auth', action: 'authenticate', outcome: 'rate_limited', reason: 'locked out' } as const;
  for (let times = 0; times < 1000; times++) test.log.tally('127.0.0.1', now + 300_000, failure);
  test.log.tally('::1', now + 900_000, failure);
  expect(await rowsOf(test)).toEqual([]);
  now += 300_000;
  expect(await rowsOf(test)).toMatchObject([{ outcome: 'rate_limited', count: 1000 }]);
  test.log.tally('10.0.0.1', now + 5_000, failure);
  now -= 1;
  expect((await rowsOf(test)).map(({ count }) => count)).toEqual([1000, 1]);
  await test.close();
  const again = await openTestLog(home);
  expect((await rowsOf(again)).map(({ count }) => count)).toEqual([1000, 1, 1]);
  await again.close();
});

test('the log can be searched by time, category and token, and paged both ways', () =>
  withLog(
    async test => {
      for (let number = 1; number <= 30; number++) {
        const category = number % 3 === 0 ? 'tool' : 'query';
        const owner = number % 2 === 0 ? { principal: 'token-2', tokenName: 'desk' } : {};
        test.log.record(entryNumber(number, { ...owner, category, action: 'x' }));
      }
      const numbers = async (question: object) => (await rowsOf(test, question)).map(({ number }) => number);
      expect(await numbers({ category: 'tool', limit: 3 })).toEqual([30, 27, 24]);
      expect(await numbers({ token: 'desk', limit: 3 })).toEqual([30, 28, 26]);
      expect(await numbers({ token: 'token-1', category: 'tool' })).toEqual([27, 21, 15, 9, 3]);
      expect(await numbers({ token: "'; --" })).toEqual([]);
      expect(await numbers({ since: 1_000_000 + 28_000 })).toEqual([30, 29, 28]);

      const first = await test.log.query({ limit: 12 });
      expect(first).toMatchObject({ older: 19, newest: 30 });
      expect(await numbers({ limit: 12, before: first.older })).toEqual([18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7]);
      expect(await test.log.query({ limit: 12, before: 7 })).toMatchObject({ older: null });
      expect(await numbers({ after: 28 })).toEqual([30, 29]);
      expect(await numbers({ after: 20, limit: 2 })).toEqual([22, 21]);
      expect(await numbers({ before: 9_999 })).toEqual([]);
    },
    { now: ticking(1_000_000, 1000) },
  ));

test('a clock that was set back hides nothing from a question about since when', () =>
  withLog(
    async test => {
      for (const number of [1, 2, 3]) test.log.record(entryNumber(number));
      expect((await rowsOf(test)).map(({ number }) => number)).toEqual([1, 2, 3]);
      expect((await rowsOf(test, { since: 999_000 })).map(({ number }) => number)).toEqual([1, 2]);
    },
    { now: ticking(1_001_000, -1000) },
  ));

test('a listener that throws harms nobody, and one that left hears nothing more', () =>
  withLog(async test => {
    const heard: number[] = [];
    const leave = test.log.follow(rows => heard.push(...rows.map(({ number }) => number)));
    test.log.follow(() => {
      throw new Error('a broken listener');
    });
    test.log.record(entryNumber(1));
    await test.log.flush();
    leave();
    test.log.record(entryNumber(2));
    await test.log.flush();
    expect(heard).toEqual([1]);
    expect(test.reported).toHaveLength(2);
  }));

/** A clock that advances by a step at each look. */
function ticking(start: number, step: number): () => number {
  let now = start;
  return () => {
    now += step;
    return now;
  };
}
