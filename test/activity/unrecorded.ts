/** Logs that keep nothing, and an account of changed rows that begins anew with each file, for tests that look at something else. */

import type { Attempt } from '../../daemon/activity.ts';
import { type ChangedRows, changedRows } from '../../daemon/query/changed-rows.ts';
import type { Asker, RecordPorts } from '../../daemon/query/record.ts';
import type { RunPorts } from '../../daemon/query/run.ts';

/** An account that no restart knows of. */
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

export const unrecorded: RecordPorts & Pick<RunPorts, 'changedRows'> = {
  changedRows: unkeptAccount(),
  activity: {
    record: () => {},
    attempt: async (intent): Promise<Attempt> => ({ number: 1, intent }),
    outcome: async () => {},
    problem: () => null,
  },
  history: { record: () => {} },
};

export const unheard = { took: () => 0, recorded: () => {} } as const;

export const someAsker: Asker = {
  tool: 'a tool',
  principal: 'p',
  account: 'p',
  tokenName: 't',
  requestId: 'r',
  ...unheard,
};
