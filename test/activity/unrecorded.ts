/**
 * For tests of other things: logs and a list of access requests that keep nothing, and a count of
 * changed rows that starts anew with each file.
 */

import type { UsedAccess } from '../../daemon/access/access-in-use.ts';
import { openAccessRequests } from '../../daemon/access/requests/access-requests.ts';
import type { Attempt } from '../../daemon/activity.ts';
import type { ToolPorts } from '../../daemon/clients/mcp/tools/tool-ports.ts';
import { CallClock } from '../../daemon/engines/call-clock.ts';
import type { StatementOrigin } from '../../daemon/statement/call.ts';
import type { RecordPorts } from '../../daemon/statement/record.ts';
import { type RowQuota, rowQuota } from '../../daemon/statement/row-quota.ts';
import { unknownOutcomes } from '../../daemon/statement/unknown-outcomes.ts';
import { deskForTests } from '../access/desk/desk-for-tests.ts';

/** A count that ends with the process. */
export function unkeptAccount(): RowQuota {
  return rowQuota({
    kept: { time: null, spent: [] },
    clocks: () => ({ wall: Date.now(), uptime: performance.now() }),
    keep: async () => {},
    report: error => {
      throw error;
    },
  });
}

export const unrecorded: RecordPorts & Pick<ToolPorts, 'rowQuota' | 'accessRequests' | 'unknownHostKey'> = {
  accessRequests: openAccessRequests({
    desk: deskForTests({ request: { inAll: 0 } }).desk,
    starterOf: async () => ({ program: null, lineage: [] }),
  }),
  rowQuota: unkeptAccount(),
  unknownHostKey: () => null,
  activity: {
    record: () => {},
    attempt: async (intent): Promise<Attempt> => ({ number: 1, intent }),
    outcome: async () => {},
    problem: () => null,
  },
  history: { record: () => {} },
  unknownOutcomes: unknownOutcomes({
    left: [],
    keep: () => () => {},
    activity: { outcome: async () => {} },
    history: { settle: async () => {} },
    now: Date.now,
  }),
};

/** For a call without a listener: nobody withdraws the access that it uses. */
const unwatched: UsedAccess = {
  principal: () => {
    throw new Error('Nobody asks for it without a door.');
  },
  signal: new AbortController().signal,
  markUsed: () => {},
  uses: () => [],
  writes: () => {},
  connectionNow: () => null,
  withdrawn: () => null,
  end: () => {},
};

export const unheard = { clock: new CallClock(() => 0), recorded: () => {}, access: unwatched } as const;

export const someAsker: StatementOrigin = {
  tool: 'a tool',
  principal: 'p',
  account: 'p',
  tokenName: 't',
  requestId: 'r',
  ...unheard,
};
