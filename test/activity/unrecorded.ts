/** Logs that keep nothing, for tests that look at something else. */

import type { Attempt } from '../../daemon/activity.ts';
import type { Asker, RecordPorts } from '../../daemon/query/record.ts';

export const unrecorded: RecordPorts = {
  activity: {
    record: () => {},
    attempt: async (intent): Promise<Attempt> => ({ number: 1, intent }),
    outcome: async () => {},
    problem: () => null,
  },
  history: { record: () => {} },
};

export const unheard = { took: () => 0, recorded: () => {} } as const;

export const someAsker: Asker = { tool: 'a tool', principal: 'p', tokenName: 't', requestId: 'r', ...unheard };
