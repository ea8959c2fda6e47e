/** Connections that sign in as an administrator. No problem: it works, and whose role it is the person knows. Dials nothing. */

import { administratorAdvice } from '../administrators.ts';
import type { ControlClient } from '../control-client.ts';
import { everyConnection } from '../every-connection.ts';
import { type Check, ok } from './check.ts';

export async function checkRoles(client: Pick<ControlClient, 'ask'>): Promise<Check[]> {
  const all = await everyConnection(client);
  return all.map(administratorAdvice).flatMap(advice => (advice === null ? [] : [ok('role', advice)]));
}
