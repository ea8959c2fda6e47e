/**
 * For tests of other things: logs and a list of access requests that keep nothing, and a count of
 * changed rows that starts anew with each file.
 */

import type { UsedAccess } from '../../daemon/access/access-in-use.ts';
import { accessRequestLimits, openAccessRequests } from '../../daemon/access/requests/access-requests.ts';
import type { Attempt } from '../../daemon/activity.ts';
import type { ToolPorts } from '../../daemon/clients/mcp/tools/tool-ports.ts';
import type { Asker } from '../../daemon/statement/call.ts';
import { type ChangedRows, changedRows } from '../../daemon/statement/changed-rows.ts';
import type { RecordPorts } from '../../daemon/statement/record.ts';

/** A count that ends with the process. */
export function unkeptAccount(): ChangedRows {
  return changedRows({
    kept: { time: null, spent: [] },
    clocks: () => ({ wall: Date.now(), uptime: performance.now() }),
    keep: async () => {},
    report: error => {
      throw error;
    },
  });
}

export const unrecorded: RecordPorts & Pick<ToolPorts, 'changedRows' | 'accessRequests' | 'unknownHostKey'> = {
  accessRequests: openAccessRequests({
    ...{ now: Date.now, newId: () => 'r', programOf: async () => null },
    limits: { ...accessRequestLimits, waiting: 0 },
  }),
  changedRows: unkeptAccount(),
  unknownHostKey: () => null,
  activity: {
    record: () => {},
    attempt: async (intent): Promise<Attempt> => ({ number: 1, intent }),
    outcome: async () => {},
    problem: () => null,
  },
  history: { record: () => {} },
};

/** For a call without a listener: nobody withdraws the access that it uses. */
const unwatched: UsedAccess = {
  principal: () => {
    throw new Error('Nobody asks for it without a door.');
  },
  signal: new AbortController().signal,
  reached: () => {},
  uses: () => [],
  writes: () => {},
  connectionNow: () => null,
  withdrawn: () => null,
  end: () => {},
};

export const unheard = { took: () => 0, recorded: () => {}, access: unwatched } as const;

export const someAsker: Asker = {
  tool: 'a tool',
  principal: 'p',
  account: 'p',
  tokenName: 't',
  requestId: 'r',
  ...unheard,
};
