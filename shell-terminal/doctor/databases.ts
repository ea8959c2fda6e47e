/**
 * Checks whether each connection's database answers, and whether its role can do more than it
 * needs.
 */

import type { ConnectionView } from '../../shared/control-commands.ts';
import { administratorAdvice } from '../administrators.ts';
import type { ControlClient } from '../control-client.ts';
import { askOfEach, everyConnection } from '../every-connection.ts';
import { anyServerAdvice, proofLine } from '../server-proof.ts';
import { advice, type Check, ok, problem } from './check.ts';

type Asking = Pick<ControlClient, 'ask'>;

/** A test of one connection may take 15 s more. */
const mostSeconds = 45;

/** @param told what it is at, for the person who waits. */
export async function checkDatabases(client: Asking, told: (says: string) => void): Promise<Check[]> {
  const connections = await everyConnection(client);
  const all = connections.length;
  const checks = await askOfEach(connections, connection => checkDatabase(client, connection), {
    milliseconds: mostSeconds * 1_000,
    told: answered => told(`${answered} of ${all} databases`),
  });
  return [...checks.flat(), ...notTested(all - checks.length)];
}

function notTested(count: number): readonly Check[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 connection was' : `${count} connections were`;
  const says = `${what} not tested, as others took ${mostSeconds} s; \`sallyport connections test NAME\` tests one.`;
  return [advice('database', says)];
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

function anyServer(connection: ConnectionView): readonly Check[] {
  const says = anyServerAdvice(connection);
  return says === null ? [] : [advice('identity', says)];
}
