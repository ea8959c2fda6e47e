/** What answers behind each connection, and where its role can do more than it needs. */

import type { ConnectionView } from '../../shared/control-commands.ts';
import { administratorAdvice } from '../administrators.ts';
import type { ControlClient } from '../control-client.ts';
import { askOfEach, everyConnection } from '../every-connection.ts';
import { advice, type Check, ok, problem } from './check.ts';

type Asking = Pick<ControlClient, 'ask'>;

export async function checkDatabases(client: Asking): Promise<Check[]> {
  const checks = await askOfEach(await everyConnection(client), connection => checkDatabase(client, connection));
  return checks.flat();
}

async function checkDatabase(client: Asking, connection: ConnectionView): Promise<readonly Check[]> {
  if (connection.password.kind === 'command') {
    // It may want a fingerprint, for which nobody asked.
    const says = administratorAdvice(connection);
    return says === null ? [] : [advice('role', says)];
  }
  const tested = await client.ask('connections.test', { connection: connection.id });
  if (!tested.reachable)
    return [
      problem(
        'database',
        `${tested.name} can't be reached: ${tested.problem}`,
        `start that server${connection.tunnel === undefined ? '' : ' or its tunnel'}, or fix the connection`,
      ),
    ];
  // No problem: it works, and whose role it is the person knows.
  const roles = tested.warnings.length === 0 ? [] : [advice('role', `${tested.name}: ${tested.warnings.join(' ')}`)];
  return [ok('database', `${tested.name} answers: ${tested.serverVersion}.`), ...roles];
}
