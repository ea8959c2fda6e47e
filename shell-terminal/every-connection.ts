/** All saved connections, of which the daemon gives a page at a time. */

import type { ConnectionView, ControlCommands } from '../shared/control-commands.ts';
import type { ControlClient } from './control-client.ts';

export async function everyConnection(client: Pick<ControlClient, 'ask'>): Promise<readonly ConnectionView[]> {
  const all: ConnectionView[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: ControlCommands['connections.list']['result'] = await client.ask('connections.list', { from });
    all.push(...page.connections);
    from = page.next;
  }
  return all;
}
