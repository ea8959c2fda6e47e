/** A call's reported progress only grows (MCP), whichever source reports next. */

import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { dispatch } from '../../../daemon/clients/mcp/dispatch.ts';
import { success, type Tool } from '../../../daemon/clients/mcp/tool.ts';
import { buildCatalog } from '../../../daemon/clients/mcp/tool-catalog.ts';
import { CallClock } from '../../../daemon/engines/call-clock.ts';
import { principalWith } from '../../access/principals.ts';
import { nothingInUse } from '../http/admission-for-tests.ts';

test('two waits for the user and then a run, each with its own count', async () => {
  const waitsTwice: Tool = {
    name: 'waits',
    title: 'Waits',
    description: 'Waits twice, then runs.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input: z.strictObject({}),
    output: z.object({}),
    async run({ progress }) {
      for (const value of [0, 1 / 2, 2 / 3, 0, 1 / 2, 1, 2, 3]) progress?.(value, null, 'still here');
      return success({});
    },
  };
  const said: number[] = [];
  const silent = () => {};
  await dispatch(
    {
      catalog: buildCatalog([waitsTwice]),
      log: { info: silent, warn: silent, error: silent },
      activity: { record: silent },
      accessInUse: nothingInUse,
      elapsed: () => 0,
    },
    {
      principal: principalWith(),
      client: 'test',
      signal: new AbortController().signal,
      progress: value => void said.push(value),
      requestId: 'r',
      clock: new CallClock(() => 0),
      channel: { kind: 'none' },
      elicitationReply: null,
    },
    'waits',
    {},
  );
  expect(said).toHaveLength(8);
  for (const [at, value] of said.entries()) expect(value).toBeGreaterThan(said[at - 1] ?? -1);
});
