import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../home-for-tests.ts';
import { entryNumber, homeIn, openTestLog } from './log-for-tests.ts';

const folder = temporaryFolder();

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
  expect((await opened.log.verify()).intact).toBe(true);
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

test('each edit of a value is reported, whatever type it then has, and the list still shows the row', async () => {
  const opened = await openTestLog(homeIn(folder));
  const edits = [
    "category = x'09'",
    "category = 'none'",
    "kind = x'09'",
    "duration_milliseconds = x'00ffff'",
    "statement_hash = x'01'",
    "statement_hash = 'select 1'",
    'statement_hash = 5',
    // Not the same name, though a query for a text would compare it as one.
    'token_name = cast(token_name as blob)',
    "client = client || char(0) || 'x'",
    'rows = 9223372036854775807',
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
