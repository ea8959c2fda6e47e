/**
 * Checks whether each connection's database answers, and whether its role can do more than it
 * needs.
 */

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
    // A dial may ask for a fingerprint, and nobody asked for that.
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
  // Only advice: it works, and the person knows whose role it is.
  const roles = tested.warnings.length === 0 ? [] : [advice('role', `${tested.name}: ${tested.warnings.join(' ')}`)];
  return [ok('database', `${tested.name} answers: ${tested.serverVersion}.`), ...roles];
}
