/**
 * Which counts of changed rows may be committed, and what is remembered of them within the hour.
 */

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TableChange } from '../../daemon/engines/engine.ts';
import { type AccountTime, accountTime, type Clocks } from '../../daemon/statement/account-time.ts';
import { type RowQuota, type RowQuotaPorts, rowQuota } from '../../daemon/statement/row-quota.ts';

const minute = 60_000;
let clocks: Clocks = { wall: 0, uptime: 0 };
/** As a store keeps it. */
let kept: RowQuotaPorts['kept'] = { time: null, spent: [] };
let isWritable = true;
let account: RowQuota;

function start(): void {
  account = rowQuota({
    kept,
    clocks: () => clocks,
    async keep(time, spent, oldestMinute) {
      if (!isWritable) throw new Error('no room');
      kept = { time, spent: [...kept.spent, ...spent].filter(each => each.minute >= oldestMinute) };
    },
    report: () => {},
  });
}
function wait(milliseconds: number): void {
  clocks = { wall: clocks.wall + milliseconds, uptime: clocks.uptime + milliseconds };
}
beforeEach(() => {
  clocks = { wall: Date.UTC(2026, 10, 27), uptime: 90 * minute };
  kept = { time: null, spent: [] };
  isWritable = true;
  start();
});

const change = (given: Partial<TableChange>): TableChange => ({
  table: 'public.orders',
  updated: 0,
  deleted: 0,
  isEmptied: false,
  isChangedWhole: false,
  ...given,
});
const holder = { account: 'token', connectionId: 'shop' };
function reserve(tables: readonly TableChange[], given: Partial<typeof holder> = {}, uncounted: string | null = null) {
  return account.reserve({ ...holder, ...given }, { tables, uncounted }, 1_000);
}
async function why(...asked: Parameters<typeof reserve>): Promise<string | null> {
  const reservation = await reserve(...asked);
  return reservation.kind === 'refused' ? reservation.why : null;
}

test('a table emptied, or changed entirely, is refused however small it is', async () => {
  expect(await why([change({ deleted: 1_204, isEmptied: true, isChangedWhole: true })])).toBe(
    'it would have emptied "public.orders" (1,204 rows deleted)',
  );
  expect(await why([change({ table: 't' }), change({ updated: 1, deleted: 3, isChangedWhole: true })])).toBe(
    'it would have changed every row of "public.orders" (1 row updated, 3 rows deleted)',
  );
});

test('a name is quoted as SQL quotes it', async () => {
  expect(await why([change({ table: 'we"ird', deleted: 2, isEmptied: true })])).toBe(
    'it would have emptied "we""ird" (2 rows deleted)',
  );
});

test('an uncountable change is refused', async () => {
  expect(await why([], {}, 'the trigger t_log runs SQL from a string')).toBe(
    'not all that it changes can be counted, because the trigger t_log runs SQL from a string',
  );
});

test('the limit applies to one token’s changes in one table within the hour', async () => {
  expect(await why([change({ updated: 600, deleted: 100 })])).toBeNull();
  expect(await why([change({ deleted: 301 })])).toBe(
    'it would have changed too many rows of "public.orders" (301 rows deleted): a token may change 1,000 rows of a table in an hour, and 700 rows were changed already',
  );
  expect(await why([change({ deleted: 300 })])).toBeNull();
  expect(await why([change({ updated: 1 })])).toMatch(/and 1,000 rows were changed already$/);
  expect(await why([change({ table: 'public.items', updated: 1_000 })])).toBeNull();
  expect(await why([change({ updated: 1_000 })], { account: 'another' })).toBeNull();
  expect(await why([change({ updated: 1_000 })], { connectionId: 'another' })).toBeNull();
});

test('rows leave the account when they are an hour old, and not before', async () => {
  expect(await why([change({ updated: 400 })])).toBeNull();
  wait(30 * minute);
  expect(await why([change({ updated: 600 })])).toBeNull();
  wait(30 * minute);
  expect(await why([change({ updated: 400 })])).toMatch(/1,000 rows were changed already/);
  wait(minute);
  expect(await why([change({ updated: 401 })])).toMatch(/600 rows were changed already/);
  expect(await why([change({ updated: 400 })])).toBeNull();
});

test('uncommitted rows are given back, and a refusal takes nothing', async () => {
  const reserved = await reserve([change({ updated: 900 })]);
  expect(await why([change({ updated: 101 })])).toMatch(/900 rows were changed already/);
  if (reserved.kind === 'reserved') reserved.giveBack();
  expect(await why([change({ table: 'public.items', updated: 5 }), change({ updated: 1_001 })])).toMatch(
    /too many rows/,
  );
  expect(await why([change({ table: 'public.items', updated: 1_000 }), change({ updated: 1_000 })])).toBeNull();
});

test('the account of one token is limited: what it can’t hold is refused, and others keep theirs', async () => {
  for (let number = 0; number < 2_000; number++)
    expect(await why([change({ table: `t${number}`, updated: 1 })])).toBeNull();
  expect(await why([change({ table: 'one more', updated: 1 })])).toMatch(
    /has changed rows of 2000 tables within the hour/,
  );
  expect(await why([change({ table: 't0', updated: 1 })])).toBeNull();
  expect(await why([change({ table: 'one more', updated: 1 })], { account: 'another' })).toBeNull();
  wait(61 * minute);
  expect(await why([change({ table: 'one more', updated: 1 })])).toBeNull();
});

test('a statement that only asks isn’t counted', async () => {
  const asked = (rows: number) =>
    account.refusal(holder, { tables: [change({ updated: rows })], uncounted: null }, 1_000);
  expect(asked(1_000)).toBeNull();
  expect(asked(1_001)).toMatch(/too many rows/);
  expect(kept.spent).toEqual([]);
  expect(await why([change({ updated: 1_000 })])).toBeNull();
});

test('rows count as soon as they are requested, and stay if two writes share a minute', async () => {
  const both = [reserve([change({ updated: 600 })]), reserve([change({ updated: 600 })])];
  expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['reserved', 'refused']);
});

test('rows that can’t be stored aren’t committed, and don’t count', async () => {
  isWritable = false;
  expect((await reserve([change({ updated: 900 })])).kind).toBe('unkept');
  expect((await reserve([change({ table: 'public.items' })])).kind).toBe('reserved');
  isWritable = true;
  expect((await reserve([change({ updated: 1_000 })])).kind).toBe('reserved');
});

describe('after a start', () => {
  beforeEach(async () => {
    expect(await why([change({ updated: 900 })])).toBeNull();
  });
  const left = async () => (await why([change({ updated: 101 })])) === null;

  test('earlier changes count, until they are an hour old', async () => {
    start();
    expect(await left()).toBe(false);
    wait(60 * minute);
    start();
    expect(await left()).toBe(false);
    wait(minute);
    start();
    expect(await left()).toBe(true);
  });

  test('given back rows don’t count', async () => {
    const reserved = await reserve([change({ deleted: 100 })]);
    if (reserved.kind === 'reserved') reserved.giveBack();
    start();
    expect(await why([change({ deleted: 100 })])).toBeNull();
  });

  test.each([
    ['the wall clock was set forward', { wall: 999 * minute, uptime: 0 }],
    ['the wall clock was set back', { wall: -999 * minute, uptime: 0 }],
    ['the uptime is shown greater', { wall: 0, uptime: 999 * minute }],
    ['the machine was started again, and its clock is wrong', { wall: 999 * minute, uptime: -80 * minute }],
  ])('no row is free because %s', async (_, { wall, uptime }) => {
    clocks = { wall: clocks.wall + wall, uptime: clocks.uptime + uptime };
    start();
    expect(await left()).toBe(false);
    wait(30 * minute);
    expect(await left()).toBe(false);
    // Whatever the clocks say, it isn't kept for ever either.
    wait(31 * minute);
    expect(await left()).toBe(true);
  });

  test('the same within a run', async () => {
    for (const step of [999 * minute, -999 * minute]) {
      clocks = { wall: clocks.wall + step, uptime: clocks.uptime + 10 };
      expect(await left()).toBe(false);
    }
  });

  test('a store with an unreadable time treats the rows as new', async () => {
    kept = { time: null, spent: kept.spent };
    start();
    expect(await left()).toBe(false);
  });
});

test('many looks in a second lose none of it', async () => {
  let time: AccountTime = { passed: 0, wall: 0, uptime: 0 };
  // Uptime is known to a hundredth of a second.
  for (let at = 0; at <= 60_000; at += 3) time = accountTime(time, { wall: at, uptime: at - (at % 10) });
  expect(time.passed).toBeGreaterThan(58_000);
});

test('rows that are added have a limit of their own, fifty times that of changed ones', async () => {
  const add = async (rows: number, table = 'public.orders') => {
    const counts = { tables: [], uncounted: null, added: [{ table, rows }] };
    return account.reserve(holder, counts, 1_000);
  };
  const first = await add(30_000);
  expect(first.kind).toBe('reserved');
  expect(kept.spent).toEqual([]);
  expect(await add(20_001)).toEqual({
    kind: 'refused',
    why: 'it would have added too many rows to "public.orders" (20,001 rows): a token may add 50,000 rows to a table in an hour, and 30,000 rows were added already',
  });
  expect((await add(50_000, 'public.others')).kind).toBe('reserved');
  expect(await why([change({ updated: 1_000 })])).toBeNull();
  if (first.kind === 'reserved') first.giveBack();
  expect((await add(50_000)).kind).toBe('reserved');
  wait(61 * minute);
  expect((await add(50_000)).kind).toBe('reserved');
});
