/**
 * A call whose statement has a row gets its own row only if it ended differently, so no two rows
 * say the same.
 */

import { expect, test } from '@jest/globals';
import * as z from 'zod';
import type { ActivityEntry, ActivityResult } from '../../daemon/activity.ts';
import { beginClock, dispatch } from '../../daemon/clients/mcp/dispatch.ts';
import { refused, success, type ToolCall, type ToolOutcome } from '../../daemon/clients/mcp/tool.ts';
import { buildCatalog } from '../../daemon/clients/mcp/tool-catalog.ts';
import { toolError } from '../../daemon/refusal.ts';
import { principalWith } from '../access/principals.ts';
import { nothingInUse } from '../clients/http/admission-for-tests.ts';

const denied = refused(toolError('denied', 'It may only read.'));
const deniedRow: ActivityResult = { outcome: 'denied', reason: 'denied: It may only read.', durationMilliseconds: 1 };

async function rowsOf(run: (call: ToolCall) => Promise<ToolOutcome>): Promise<ActivityEntry[]> {
  const rows: ActivityEntry[] = [];
  const tool = {
    name: 'execute_query',
    title: 'Run',
    description: 'Runs',
    scope: 'readOnly' as const,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: z.strictObject({}),
    output: z.object({}),
    run,
  };
  let now = 0;
  const ports = {
    catalog: buildCatalog([tool]),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    activity: { record: (entry: ActivityEntry) => void rows.push(entry) },
    accessInUse: nothingInUse,
    elapsed: () => ++now,
  };
  const call = {
    principal: principalWith({ scope: 'readOnly' }),
    client: 'a client',
    requestId: 'r',
    clock: beginClock(ports),
    progress: null,
    signal: new AbortController().signal,
    channel: { kind: 'none' } as const,
    elicitationReply: null,
  };
  await dispatch(ports, call, 'execute_query', {});
  return rows;
}

test.each<[string, ActivityResult, ToolOutcome]>([
  ['succeeded', { outcome: 'success', rows: 3, durationMilliseconds: 1 }, success({})],
  ['was refused', deniedRow, denied],
])('a statement that %s is the call’s only row', async (_, result, outcome) => {
  const rows = await rowsOf(async call => {
    expect(call.clock.took()).toBeGreaterThan(0);
    call.recorded(result);
    return outcome;
  });
  expect(rows).toEqual([]);
});

test.each<[string, ActivityResult | null, () => ToolOutcome, object]>([
  ['without a statement', null, () => success({}), { outcome: 'success' }],
  ['refused for another reason', deniedRow, () => refused({ kind: 'cancelled' }), { reason: 'cancelled' }],
  ['whose statement ran before it was refused', { outcome: 'success' }, () => denied, { outcome: 'denied' }],
  [
    'that broke after its statement ran',
    { outcome: 'success' },
    () => {
      throw new Error('broken');
    },
    { outcome: 'error', reason: expect.stringMatching(/^internal_failure/) },
  ],
])('a call %s has a row of its own', async (_, result, outcome, said) => {
  const rows = await rowsOf(async call => {
    if (result !== null) call.recorded(result);
    return outcome();
  });
  expect(rows).toMatchObject([{ category: 'tool', action: 'execute_query', client: 'a client', ...said }]);
  expect(rows[0]?.durationMilliseconds).toBeGreaterThan(0);
});
