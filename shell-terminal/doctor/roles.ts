/** Connections that sign in as an administrator. No problem: it works, and whose role it is the person knows. Dials nothing. */

import type { ConnectionView } from '../../shared/control-commands.ts';
import { administratorAdvice } from '../administrators.ts';
import type { ControlClient } from '../control-client.ts';
import { type Check, ok } from './check.ts';

export async function checkRoles(client: Pick<ControlClient, 'ask'>): Promise<Check[]> {
  const all: ConnectionView[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: { readonly connections: readonly ConnectionView[]; readonly next: number | null } = await client.ask(
      'connections.list',
      { from },
    );
    all.push(...page.connections);
    from = page.next;
  }
  return all.map(administratorAdvice).flatMap(advice => (advice === null ? [] : [ok('role', advice)]));
}
