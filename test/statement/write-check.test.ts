/**
 * What happens to the rows reserved for a write that ends meanwhile, or whose reservation can't be
 * stored.
 */

import { expect, test } from '@jest/globals';
import type { ChangedRowsPorts } from '../../daemon/statement/changed-rows.ts';
import { changedRows } from '../../daemon/statement/changed-rows.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { writeCheck } from '../../daemon/statement/write-check.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker } from '../activity/unrecorded.ts';
import { saidOf } from '../clients/mcp/said.ts';

const changes = {
  tables: [{ table: 't', updated: 900, deleted: 0, isEmptied: false, isChangedWhole: false }],
  uncounted: null,
};
const reached = {
  connection: connectionWith({}),
  access: { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false },
} as const;
const asking = { reached, asker: someAsker };

/** @returns how each write is checked, with the account of the earlier ones. */
function checksThat(keep: ChangedRowsPorts['keep']) {
  const clocks = () => ({ wall: Date.now(), uptime: performance.now() });
  const account = changedRows({ kept: { time: null, spent: [] }, clocks, keep, report: () => {} });
  return () => writeCheck({ changedRows: account, limits: () => defaultQueryLimits }, asking, { isDml: true });
}

test('a write that ended while its rows were being stored isn’t committed, and gives them back', async () => {
  let isKept = (): void => {};
  const check = checksThat(
    () =>
      new Promise(resolve => {
        isKept = resolve;
      }),
  );
  const ending = check();
  const mayCommit = ending.mayCommit(changes);
  ending.ended({ kind: 'cancelled' });
  isKept();
  expect(await mayCommit).toBe(false);
  const next = check().mayCommit(changes);
  isKept();
  expect(await next).toBe(true);
});

test('rows that can’t be stored are undone, with a sentence that offers no approval', async () => {
  const check = checksThat(() => Promise.reject(new Error('no room')))();
  expect(await check.mayCommit(changes)).toBe(false);
  const refusal = check.refusalOf({ kind: 'not_committed', remains: [] });
  expect(refusal === null ? null : saidOf(refusal)).toMatch(/^denied: Nothing was changed, because how many rows/);
});
