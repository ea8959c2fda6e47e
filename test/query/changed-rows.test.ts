/** Which counts of changed rows may be committed, and what is remembered of them within the hour. */

import { beforeEach, expect, test } from '@jest/globals';
import { type ChangedRows, changedRows } from '../../daemon/query/changed-rows.ts';
import type { TableChange } from '../../daemon/query/database.ts';

const minute = 60_000;
let now = 0;
let account: ChangedRows = changedRows(() => now);
beforeEach(() => {
  now = 0;
  account = changedRows(() => now);
});

const change = (given: Partial<TableChange>): TableChange => ({
  ...{ table: 'public.orders', updated: 0, deleted: 0, isEmptied: false, isChangedWhole: false },
  ...given,
});
const holder = { tokenId: 'token', connectionId: 'shop' };
function reserve(tables: readonly TableChange[], given: Partial<typeof holder> = {}, uncounted: string | null = null) {
  return account.reserve({ ...holder, ...given }, { tables, uncounted }, 1_000);
}
function why(...asked: Parameters<typeof reserve>): string | null {
  const reservation = reserve(...asked);
  return reservation.kind === 'refused' ? reservation.why : null;
}

test('a table emptied, or changed whole, is refused however small it is', () => {
  expect(why([change({ deleted: 1_204, isEmptied: true, isChangedWhole: true })])).toBe(
    'it would have emptied "public.orders" (1,204 rows deleted)',
  );
  expect(why([change({ table: 't' }), change({ updated: 1, deleted: 3, isChangedWhole: true })])).toBe(
    'it would have changed every row of "public.orders" (1 row updated, 3 rows deleted)',
  );
});

test('a name is quoted as SQL quotes it', () => {
  expect(why([change({ table: 'we"ird', deleted: 2, isEmptied: true })])).toBe(
    'it would have emptied "we""ird" (2 rows deleted)',
  );
});

test('what cannot be counted is refused', () => {
  expect(why([], {}, 'the trigger t_log runs SQL from a string')).toBe(
    'not all that it changes can be counted, because the trigger t_log runs SQL from a string',
  );
});

test('the limit holds for what one token changed in one table within the hour', () => {
  expect(why([change({ updated: 600, deleted: 100 })])).toBeNull();
  expect(why([change({ deleted: 301 })])).toBe(
    'it would have changed too many rows of "public.orders" (301 rows deleted): a token may change 1,000 rows of a table in an hour, and 700 rows were changed already',
  );
  expect(why([change({ deleted: 300 })])).toBeNull();
  expect(why([change({ updated: 1 })])).toMatch(/and 1,000 rows were changed already$/);
  expect(why([change({ table: 'public.items', updated: 1_000 })])).toBeNull();
  expect(why([change({ updated: 1_000 })], { tokenId: 'another' })).toBeNull();
  expect(why([change({ updated: 1_000 })], { connectionId: 'another' })).toBeNull();
});

test('rows leave the account when they are an hour old, and not before', () => {
  expect(why([change({ updated: 400 })])).toBeNull();
  now += 30 * minute;
  expect(why([change({ updated: 600 })])).toBeNull();
  now += 30 * minute;
  expect(why([change({ updated: 400 })])).toMatch(/1,000 rows were changed already/);
  now += minute;
  expect(why([change({ updated: 401 })])).toMatch(/600 rows were changed already/);
  expect(why([change({ updated: 400 })])).toBeNull();
});

test('what was not committed is given back, and a refusal takes nothing', () => {
  const reserved = reserve([change({ updated: 900 })]);
  expect(why([change({ updated: 101 })])).toMatch(/900 rows were changed already/);
  if (reserved.kind === 'reserved') reserved.giveBack();
  expect(why([change({ table: 'public.items', updated: 5 }), change({ updated: 1_001 })])).toMatch(/too many rows/);
  expect(why([change({ table: 'public.items', updated: 1_000 }), change({ updated: 1_000 })])).toBeNull();
});

test('the account of one token is bounded: what it cannot hold is refused, and others keep theirs', () => {
  for (let number = 0; number < 2_000; number++) expect(why([change({ table: `t${number}`, updated: 1 })])).toBeNull();
  expect(why([change({ table: 'one more', updated: 1 })])).toMatch(/has changed rows of 2000 tables within the hour/);
  expect(why([change({ table: 't0', updated: 1 })])).toBeNull();
  expect(why([change({ table: 'one more', updated: 1 })], { tokenId: 'another' })).toBeNull();
  now += 61 * minute;
  expect(why([change({ table: 'one more', updated: 1 })])).toBeNull();
});
