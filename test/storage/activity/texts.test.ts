import { expect, test } from '@jest/globals';
import { SqliteFile } from '../../sqlite-file.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { closedLogOf, entryNumber, homeIn, openTestLog } from './log-for-tests.ts';

const folder = temporaryFolder();
const day = 86_400_000;
const requestId = '0a1b2c3d-0000-4000-8000-00000000000a';

function read<Row>(path: string, sql: string): Row[] {
  const database = new SqliteFile(path, { readOnly: true });
  const rows = database.prepare(sql).all() as Row[];
  database.close();
  return rows;
}

test('a text is stored once for any number of rows, and a row takes a quarter of its contents', async () => {
  const home = homeIn(folder);
  await closedLogOf(home, 0);
  const opened = await openTestLog(home);
  for (let number = 1; number <= 2_000; number++) opened.log.record(entryNumber(number, { requestId }));
  await opened.log.flush();
  const texts = read<{ text: string }>(opened.path, 'select text from activity_texts').map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toEqual(expect.arrayContaining(['laptop', 'Shop', 'execute_query', 'success', 'a client']));
  const [size] = read<{ bytes: number }>(
    opened.path,
    "select sum(pgsize) as bytes from dbstat where name like 'activity%'",
  );
  expect((size?.bytes ?? 0) / 2_000).toBeLessThan(170);
  expect((await opened.log.query({ limit: 1, token: 'laptop' })).rows).toMatchObject([{ requestId, number: 2_000 }]);
  await opened.close();
});

test('a token is found by its name and by its id, and a bridge by its own', async () => {
  const opened = await openTestLog(homeIn(folder));
  const others = [{}, { tokenName: 'renamed' }, { principal: 'token-2' }, { principal: null }, { tokenName: null }];
  const bridges = ['a', 'b'].map(id => ({ principal: `bridge:${id}`, tokenName: '__stdio_bridge__' }));
  for (const [at, changes] of [...others, ...bridges].entries()) opened.log.record(entryNumber(at, changes));
  await opened.log.flush();
  const found = async (token: string) => {
    const { rows } = await opened.log.query({ limit: 9, token });
    return rows.map(({ number, principal, tokenName }) => [number, principal, tokenName]);
  };
  expect(await found('laptop')).toEqual([
    [4, null, 'laptop'],
    [3, 'token-2', 'laptop'],
    [1, 'token-1', 'laptop'],
  ]);
  expect(await found('token-1')).toEqual([
    [5, 'token-1', null],
    [2, 'token-1', 'renamed'],
    [1, 'token-1', 'laptop'],
  ]);
  expect(await found('bridge:b')).toEqual([[7, 'bridge:b', '__stdio_bridge__']]);
  expect((await found('__stdio_bridge__')).map(([number]) => number)).toEqual([7, 6]);
  // Both bridges' rows refer to one text; otherwise a query for that name would have one part per
  // bridge.
  expect(read(opened.path, "select count(*) as count from activity_texts where text = '__stdio_bridge__'")).toEqual([
    { count: 1 },
  ]);
  expect((await opened.log.verify()).intact).toBe(true);
  opened.tamper("update activity_texts set principal = 'token-3' where principal = 'token-2'");
  expect((await opened.log.verify()).findings).toMatchObject([{ kind: 'edited', from: 3, to: 3 }]);
  await opened.close();
});

test('a duration is read as it was recorded', async () => {
  const durations = [0, 0.001, 0.255, 1, 255.999, 281_474_976_710.655, 281_474_976_710.656, 1e300, -1.5];
  const opened = await openTestLog(homeIn(folder));
  for (const durationMilliseconds of durations) opened.log.record(entryNumber(1, { durationMilliseconds }));
  await opened.log.flush();
  const { rows } = await opened.log.query({ limit: 9 });
  expect(rows.map(({ durationMilliseconds }) => durationMilliseconds).reverse()).toEqual(durations);
  expect((await opened.log.verify()).intact).toBe(true);
  await opened.close();
});

test('a text under a number that no row can have loses no row, and stops no question', async () => {
  const opened = await openTestLog(homeIn(folder));
  opened.tamper(
    "insert into activity_texts (id, epoch, text) values (-1, 1, 'laptop')",
    "insert into activity_texts (id, epoch, text) values (4294967295, 1, 'none')",
  );
  for (const number of [1, 2]) opened.log.record(entryNumber(number));
  await opened.log.flush();
  for (const token of ['laptop', 'token-1'])
    expect((await opened.log.query({ limit: 9, token })).rows).toMatchObject(
      Array(2).fill({ principal: 'token-1', tokenName: 'laptop', client: 'a client' }),
    );
  expect(await opened.log.verify()).toMatchObject({ intact: true, rowsChecked: 2 });
  await opened.close();
});

test('an id put beside a name gives a token no other rows', async () => {
  const opened = await openTestLog(homeIn(folder));
  opened.log.record(entryNumber(1, { principal: 'bridge:a', tokenName: '__stdio_bridge__' }));
  opened.log.record(entryNumber(2));
  await opened.log.flush();
  opened.tamper("update activity_texts set principal = 'token-1' where text in ('__stdio_bridge__', 'bridge:a')");
  const { rows } = await opened.log.query({ limit: 9, token: 'token-1' });
  expect(rows.map(({ number }) => number)).toEqual([2]);
  await opened.close();
});

test('a list asks a few questions, however many categories somebody writes into the table', async () => {
  const opened = await openTestLog(homeIn(folder));
  for (let number = 1; number <= 500; number++) opened.log.record(entryNumber(number));
  await opened.log.flush();
  opened.tamper('update activity set category = number where number < 400');
  let asked = 0;
  opened.store.knex.on('query', () => {
    asked += 1;
  });
  const { rows } = await opened.log.query({ limit: 200 });
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, at) => 500 - at));
  expect(asked).toBeLessThan(40);
  await opened.close();
});

test('each edit of a packed value is reported, and the list still shows the row', async () => {
  const opened = await openTestLog(homeIn(folder));
  const edits = [
    "category = x'09'",
    "category = 'none'",
    "kind = x'09'",
    "duration_milliseconds = x'00ffff'",
    "statement_hash = x'01'",
    "statement_hash = 'select 1'",
    'statement_hash = 5',
    // The same number, but a query for the name wouldn't find it.
    "token_name = unhex('00' || hex(token_name))",
  ];
  for (let number = 1; number <= 2 * edits.length; number++) opened.log.record(entryNumber(number));
  await opened.log.flush();
  opened.tamper(...edits.map((edit, at) => `update activity set ${edit} where number = ${2 * at + 1}`));
  expect((await opened.log.query({ limit: 99 })).rows).toHaveLength(2 * edits.length);
  expect((await opened.log.verify()).findings).toMatchObject(
    edits.map((_, at) => ({ kind: 'edited', from: 2 * at + 1, to: 2 * at + 1 })),
  );
  await opened.close();
});

test('a text is removed with the last row that names it', async () => {
  let now = Date.parse('2026-01-01');
  const opened = await openTestLog(homeIn(folder), { now: () => now });
  for (let days = 0; days < 200; days++) {
    opened.log.record(entryNumber(days, { client: days < 60 ? 'an old client' : 'a new client' }));
    await opened.log.flush();
    now += day;
  }
  const epochs = () =>
    read<{ text: string }>(opened.path, "select text from activity_texts where text like '% client'");
  expect(epochs().length).toBeGreaterThan(20);
  expect((await opened.log.query({ limit: 1_000, token: 'laptop' })).rows).toHaveLength(200);
  await opened.log.prune();
  expect(new Set(epochs().map(({ text }) => text))).toEqual(new Set(['a new client']));
  expect(epochs().length).toBeLessThan(16);
  const { rows } = await opened.log.query({ limit: 1_000, token: 'laptop' });
  expect(rows.length).toBeGreaterThan(85);
  expect(new Set(rows.map(({ client }) => client))).toEqual(new Set(['a new client']));
  expect((await opened.log.verify()).findings).toEqual([]);
  await opened.close();
});
