/**
 * A fault behind the gate is in the activity log under the id that the daemon's log and the answer
 * use.
 */

import { expect, test } from '@jest/globals';
import type { ActivityEntry } from '../../daemon/activity.ts';
import { recordRefusal } from '../../daemon/clients/http/record-refusal.ts';
import { refuse } from '../../daemon/clients/http/refuse.ts';
import { principalWith } from '../access/principals.ts';

test('under one id everywhere, with the requesting principal', () => {
  const recorded: ActivityEntry[] = [];
  const activity = { record: (entry: ActivityEntry) => void recorded.push(entry), tally() {} };
  const principal = principalWith();
  const fault = { kind: 'internal', requestId: '9f8e7d6c-0000-4000-8000-000000000002' } as const;
  recordRefusal({ activity, now: Date.now }, { principal, refusedToken: null }, fault);
  expect(recorded).toEqual([
    {
      category: 'access',
      action: 'request',
      outcome: 'error',
      reason: 'internal_failure',
      principal: principal.id,
      tokenName: principal.tokenName,
      requestId: fault.requestId,
    },
  ]);
  expect(String(refuse(fault).body)).toContain(fault.requestId);
});
