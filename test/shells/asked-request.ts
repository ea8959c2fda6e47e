/** An access request as a client makes one, for the statement in the control socket's samples. */

import type { AccessRequests } from '../../daemon/access/requests/access-requests.ts';
import type { Principal } from '../../daemon/access/tokens/token.ts';
import { type Taken, takesNothing } from '../../daemon/engines/count/taken.ts';
import { principalWith } from '../access/principals.ts';

const connection = { id: 'c1', name: 'Shop', tags: ['prod'], colour: 'red' } as const;

/** @returns true if it was accepted. */
export async function askForAccess(
  requests: AccessRequests,
  change: {
    readonly text?: string;
    readonly client?: string;
    readonly principal?: Partial<Principal>;
    readonly runsBy?: 'client' | 'owner';
  } = {},
): Promise<boolean> {
  const statement = { text: change.text ?? 'UPDATE t SET n = $1', parameters: ['x'], schema: 'public', database: null };
  const asked = {
    principal: principalWith({ isBridge: true, ...change.principal }),
    client: change.client ?? 'Claude',
    tool: 'execute_query',
    connectionId: connection.id,
    statement,
  };
  const waits = await requests.ask(
    asked,
    { revision: 1, level: 'readOnly' },
    {
      connection,
      lacks: 'connection_level',
      runsBy: change.runsBy ?? 'client',
      means: null,
      classified: {
        class: 'write',
        reason: 'UPDATE changes the rows its WHERE picks.',
        reasonParts: [],
        tables: ['t'],
      },
    },
  );
  return waits !== 'not kept';
}

export const shownTakes = {
  words: { lines: ['changes 3 rows of public.t'], note: 'Its trigger was not counted.' },
  figures: takesNothing,
};

/** An access request that its person has opened. */
export async function askOpened(requests: AccessRequests<Taken>): Promise<void> {
  await askForAccess(requests);
  requests.open(requests.waiting().at(-1)?.id ?? '', shownTakes);
}
