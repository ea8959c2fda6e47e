import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { HistoryQuestion, HistoryRecord } from '../../../daemon/statement/history.ts';
import { type HistoryPorts, openHistory } from '../../../daemon/storage/history/history.ts';
import { historyLimits } from '../../../daemon/storage/history/history-limits.ts';
import { openStore, type Store } from '../../../daemon/storage/store/store.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openTestHistory(changes: Partial<HistoryPorts> = {}, home = mkdtempSync(join(folder, 'home-'))) {
  const store: Store = await openStore(join(home, 'sallyport.db'));
  const reported: unknown[] = [];
  const history = openHistory({
    store,
    settings: () => ({ isOn: true, days: 90 }),
    now: () => Date.now(),
    retentionNow: changes.now ?? Date.now,
    report: error => void reported.push(error),
    ...changes,
  });
  closing.push(async () => {
    await history.close();
    await store.close();
    expect(reported).toEqual([]);
  });
  const search = async (question: Partial<HistoryQuestion> = {}) =>
    history.search({
      text: null,
      connections: ['shop'],
      principal: 'p1',
      since: null,
      until: null,
      limit: 50,
      ...question,
    });
  const texts = async (question: Partial<HistoryQuestion> = {}) =>
    (await search(question)).map(({ statement }) => statement);
  return { store, history, search, texts };
}

function ran(statement: string, changes: Partial<HistoryRecord> = {}): HistoryRecord {
  return {
    connection: { id: 'shop', name: 'Shop' },
    principal: 'p1',
    tokenName: 'laptop',
    client: 'a client',
    statement,
    class: 'read',
    outcome: 'success',
    rows: 3,
    durationMilliseconds: 1.25,
    ...changes,
  };
}

test('a statement is returned as it was sent, with its hash', async () => {
  const { history, search } = await openTestHistory();
  const statement = 'select \'ä😀\', "Odd Name" -- a comment\nfrom t';
  history.record(ran(statement));
  expect(await search()).toEqual([
    {
      id: 1,
      time: expect.stringMatching(/Z$/),
      ...ran(statement),
      statementHash: createHash('sha256').update(statement).digest('hex'),
      isCut: false,
    },
  ]);
});

test.each([
  ['orders', ['select * from order_items', 'SELECT id FROM "orders"'].slice(1)],
  ['order_items', ['select * from order_items']],
  ['items', ['select * from order_items']],
  ['ord', ['SELECT id FROM "orders"', 'select * from order_items']],
  ['ORDER', ['SELECT id FROM "orders"', 'select * from order_items']],
  ['"order"', ['select * from order_items']],
  ['total', ['update a set runningTotal = 1']],
  ['runningTotal', ['update a set runningTotal = 1']],
  ['select cafe', ["select 'Café'"]],
  ['"from order_items"', ['select * from order_items']],
  ['select NOT items', []],
  ['scope : p', []],
  ['statement:x OR *', []],
  ['" OR "', []],
  ['***', ["select 'Café'", 'update a set runningTotal = 1', 'SELECT id FROM "orders"', 'select * from order_items']],
])('%s finds %j', async (text, expected) => {
  const { history, texts } = await openTestHistory();
  for (const statement of [
    'select * from order_items',
    'SELECT id FROM "orders"',
    'update a set runningTotal = 1',
    "select 'Café'",
  ]) {
    history.record(ran(statement));
  }
  expect(await texts({ text })).toEqual(expected);
});

test.each([
  '"',
  '""',
  '"a',
  'a"b"c',
  "'; drop table history; --",
  'a\0b',
  '(',
  'NEAR(a b)',
  '-a',
  'a^b',
  '{x}:y',
  '😀',
  '\ud800x',
])('any text is a question, never an error: %j', async text => {
  const { history, texts } = await openTestHistory();
  history.record(ran('select 1'));
  expect(Array.isArray(await texts({ text }))).toBe(true);
});

test('each principal sees its own, on the requested connections; null sees everybody’s there', async () => {
  const { history, texts } = await openTestHistory();
  const cellar = { id: 'cellar', name: 'Cellar' };
  history.record(ran('select 1 as mine'));
  history.record(ran('select 2 as theirs', { principal: 'p2' }));
  history.record(ran('select 3 as mine', { connection: cellar }));
  for (const text of [null, 'select', 'as']) {
    expect(await texts({ text })).toEqual(['select 1 as mine']);
    expect(await texts({ text, principal: null })).toEqual(['select 2 as theirs', 'select 1 as mine']);
    expect(await texts({ text, connections: ['cellar', 'shop'] })).toEqual(['select 3 as mine', 'select 1 as mine']);
    expect(await texts({ text, connections: ['cellar', 'shop'], principal: 'p2' })).toEqual(['select 2 as theirs']);
    expect(await texts({ text, connections: [] })).toEqual([]);
    expect(await texts({ text, connections: ['gone'] })).toEqual([]);
  }
  expect(await texts({ text: 'mine theirs', principal: null })).toEqual([]);
});

test('since, until and limit', async () => {
  let now = 1_000_000;
  const { history, texts } = await openTestHistory({
    now: () => {
      now += 1_000;
      return now;
    },
  });
  for (let number = 1; number <= 9; number++) history.record(ran(`select ${number} as it`));
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `select ${to - index} as it`);
  for (const text of [null, 'select']) {
    expect(await texts({ text, since: 1_003_000, until: 1_006_000 })).toEqual(numbers(3, 6));
    expect(await texts({ text, since: 1_008_500 })).toEqual(numbers(9, 9));
    expect(await texts({ text, since: 2_000_000 })).toEqual([]);
    expect(await texts({ text, until: 1 })).toEqual([]);
    expect(await texts({ text, limit: 2 })).toEqual(numbers(8, 9));
  }
});

test('one statement among others, by its hash', async () => {
  const { history, texts } = await openTestHistory();
  for (const statement of ['select 1', 'select 2', 'select 1', 'select 3']) history.record(ran(statement));
  const hashOf = (statement: string): string => createHash('sha256').update(statement).digest('hex');
  for (const text of [null, 'select']) {
    expect(await texts({ text, statementHash: hashOf('select 1') })).toEqual(['select 1', 'select 1']);
    expect(await texts({ text, statementHash: hashOf('select 1'), connections: ['cellar'] })).toEqual([]);
    expect(await texts({ text, statementHash: hashOf('select 4') })).toEqual([]);
  }
});

test('a statement with a password is kept as class and hash, and is found by neither', async () => {
  const { store, history, search, texts } = await openTestHistory();
  history.record(ran("alter user anna password 'hunter2'", { class: 'destructive' }));
  expect(await search()).toMatchObject([{ statement: null, class: 'destructive' }]);
  expect(await texts({ text: 'hunter2' })).toEqual([]);
  expect(await texts({ text: 'anna' })).toEqual([]);
  const [bytes]: { n: number }[] = await store.knex.raw(
    "select count(*) as n from history_search_data where instr(cast(block as text), 'hunter') > 0",
  );
  expect(bytes?.n).toBe(0);
});

test('a long statement is cut at a character and marked; half of a password at the cut isn’t stored', async () => {
  const { history, search } = await openTestHistory();
  history.record(ran(`select '${'ä'.repeat(49_000)}'`));
  history.record(ran(`${'-'.repeat(16_350)}\nalter user anna password 'hunter2'`));
  const [second, first] = await search();
  expect(second).toMatchObject({ statement: null, isCut: true });
  expect(first?.isCut).toBe(true);
  expect(first?.statement).toMatch(/^select 'ä+$/);
  expect(Buffer.byteLength(first?.statement ?? '')).toBeGreaterThan(historyLimits.statementBytes - 4);
});

test('the stored text stays within its limit: the oldest is removed', async () => {
  const totalBytes = 1_000_000;
  const { store, history, texts } = await openTestHistory({ limits: { ...historyLimits, totalBytes } });
  for (let number = 0; number < 100; number++) history.record(ran(`select ${number} as n, '${'x'.repeat(99_000)}'`));
  await history.flush();
  await history.prune();
  const kept = await texts({ text: 'select' });
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length).toBeLessThan(31);
  expect(kept[0]).toContain('select 99 as n');
  const [{ bytes, rows, indexed }] = (await store.knex.raw(
    `select (select kept_bytes from history_size) as bytes, (select sum(kept_bytes) from history) as rows,
      (select count(*) from history_search where history_search match 'select') as indexed`,
  )) as [{ bytes: number; rows: number; indexed: number }];
  expect(bytes).toBe(rows);
  expect(bytes).toBeLessThanOrEqual(totalBytes);
  expect(indexed).toBe(kept.length);
});

test('it is kept for its days, switched on and off at once, and cleared', async () => {
  let now = Date.parse('2026-11-01');
  let settings = { isOn: true, days: 30 };
  const { history, texts } = await openTestHistory({ now: () => now, settings: () => settings });
  history.record(ran('select 1'));
  await history.flush();
  settings = { isOn: false, days: 30 };
  history.record(ran('select 2'));
  settings = { isOn: true, days: 30 };
  now += 29 * 86_400_000;
  history.record(ran('select 3'));
  await history.prune();
  expect(await texts()).toEqual(['select 3', 'select 1']);
  settings = { isOn: true, days: 7 };
  await history.prune();
  expect(await texts({ text: 'select' })).toEqual(['select 3']);
  expect(await history.clear()).toBe(1);
  expect(await texts()).toEqual([]);
  history.record(ran('select 4'));
  expect(await texts({ text: 'select' })).toEqual(['select 4']);
});

test('entries from while the clock ran ahead keep no older ones', async () => {
  let now = Date.parse('2029-11-01');
  const settings = () => ({ isOn: true, days: 7 });
  const { history, texts } = await openTestHistory({ now: () => now, settings });
  for (const [time, statement] of [
    ['2029-11-01', 'select 1'],
    ['2026-11-01', 'select 2'],
    ['2026-11-20', 'select 3'],
  ] as const) {
    now = Date.parse(time);
    history.record(ran(statement));
    await history.flush();
  }
  await history.prune();
  expect(await texts()).toEqual(['select 1', 'select 3']);
});

test('pages follow each other even if the clock was set back', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const { history, search } = await openTestHistory({ now: () => now });
  for (const number of [1, 2, 3, 4, 5, 6]) {
    if (number === 4) now -= 7_200_000;
    history.record(ran(`select ${number}`));
  }
  const ids: number[] = [];
  for (let before: number | null = null, isMore = true; isMore; before = ids.at(-1) ?? null) {
    const page: readonly { id: number }[] = await search({ limit: 2, before });
    ids.push(...page.map(({ id }) => id));
    isMore = page.length > 0;
  }
  expect(ids).toEqual([3, 2, 1, 6, 5, 4]);
});

async function openStoreOf(home: string): Promise<Store> {
  const store = await openStore(join(home, 'sallyport.db'));
  closing.push(() => store.close());
  return store;
}

test('once cleared, the files contain no word of any statement', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const { history, texts } = await openTestHistory({}, home);
  for (let number = 0; number < 500; number++) history.record(ran(`select ${number}, 'Zaubertrank' as potion`));
  await history.flush();
  const bytes = () => readdirSync(home).map(name => readFileSync(join(home, name), 'latin1').toLowerCase());
  expect(bytes().join()).toContain('zaubertrank');
  expect(await history.clear()).toBe(500);
  expect(bytes().join()).not.toContain('zaubertrank');
  history.record(ran('select 0 as potion'));
  const [removed] = await Promise.all([history.clear(), history.prune(), history.clear()]);
  expect(removed).toBe(1);
  const [size]: { kept_bytes: number }[] = await (await openStoreOf(home)).knex('history_size');
  expect(size?.kept_bytes).toBe(0);
  history.record(ran('select 1 as potion'));
  expect(await texts({ text: 'potion' })).toEqual(['select 1 as potion']);
});

test('it survives a restart', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const first = await openTestHistory({}, home);
  first.history.record(ran('select 1'));
  for (const close of closing.splice(0)) await close();
  const second = await openTestHistory({}, home);
  expect(await second.texts({ text: 'select' })).toEqual(['select 1']);
});
