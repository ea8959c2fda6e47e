/**
 * Checks whether each connection's database answers, and whether its role can do more than it
 * needs.
 */

import { shellWord } from '../../shared/client-configs.ts';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { administratorAdvice } from '../administrators.ts';
import type { ControlClient } from '../control-client.ts';
import { askOfEach, everyConnection } from '../every-connection.ts';
import { proofLine } from '../server-proof.ts';
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
  const proof = proofLine(tested);
  const proved = proof === null ? '' : ` It is proved by ${proof}.`;
  return [
    ok('database', `${tested.name} answers: ${tested.serverVersion}.${proved}`),
    ...anyServer(connection),
    ...roles,
  ];
}

function anyServer({ name, identity, password }: ConnectionView): readonly Check[] {
  if (identity !== 'any' || password.kind === 'none') return [];
  return [
    advice(
      'identity',
      `${name} signs in to whatever answers at its address; \`sallyport connections set ${shellWord(name)} --identity known\` ends that.`,
    ),
  ];
}
