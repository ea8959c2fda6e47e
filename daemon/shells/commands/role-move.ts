/**
 * Makes a planned role, tries it, and moves its connection to it. If anything fails, the role is
 * removed and the connection stays. The password is generated here and goes only to the server and
 * the secret store.
 */

import { randomBytes } from 'node:crypto';
import type { Connection } from '../../access/connection.ts';
import type { CallContext, PlannedRole, WantedRole } from '../../engines/engine.ts';
import { type CommandContext, type CommandOutcome, refused } from '../command.ts';
import { problemOf } from './connections.ts';
import { saveConnection } from './connections-save.ts';
import { movedTo } from './role-wanted.ts';

/**
 * Null once the connection has moved. Otherwise it is unchanged, and the sentence says what is left
 * on the server.
 */
export async function makeAndMove(
  connection: Connection,
  wanted: WantedRole,
  plan: PlannedRole,
  call: CallContext,
  context: CommandContext,
): Promise<CommandOutcome<never> | null> {
  // 192 bits, in letters without a meaning in any server's syntax.
  const password = randomBytes(24).toString('base64url');
  const made = await plan.make(password);
  if (made.kind === 'failed') {
    const { failure, stays } = made;
    if (failure.kind !== 'outcome_unknown') return notMade(problemOf(failure, connection), stays);
    return notMade(`whether the role was made is not known, as ${failure.reason}`, stays);
  }
  const { knownServers } = context.ports;
  const moved: Connection = { ...connection, user: wanted.name, password: { kind: 'stored' } };
  let problem: string | null;
  try {
    // The server is the one that it was, and its person is here.
    await knownServers.take(knownServers.of(connection), moved);
    problem = await knownServers.whilePinning(connection.id, () =>
      tried(moved, plan, password, call, context.ports.databases),
    );
    if (problem === null) {
      const saved = await saveConnection(movedTo(connection, wanted.name, password), context);
      if (saved.kind === 'done') return null;
      problem = saved.error.message;
    }
  } catch (error) {
    await knownServers.forget(moved).catch(() => {});
    await plan.remove();
    throw error;
  }
  await knownServers.forget(moved);
  return notMade(problem, (await plan.remove()).stays);
}

function notMade(problem: string, stays: string | null): CommandOutcome<never> {
  const reason = problem.replaceAll('\n', ' ').replace(/\.$/, '');
  return refused(
    'role_not_made',
    stays === null
      ? `No role was made, and the connection stays as it was: ${reason}.`
      : `The connection stays as it was: ${reason}; ${stays}.`,
  );
}

/** Signs in as the new role before anything relies on it. @returns what is wrong with it. */
async function tried(
  moved: Connection,
  plan: PlannedRole,
  password: string,
  call: CallContext,
  databases: CommandContext['ports']['databases'],
): Promise<string | null> {
  const database = databases.tryOut(moved, password);
  try {
    const excess = await plan.excess(database, call);
    if (excess.kind !== 'done') return `the new role could not sign in or look around: ${problemOf(excess, moved)}`;
    return excess.value === null ? null : `the new role can do more than it should, as ${excess.value}`;
  } finally {
    await database.close();
  }
}
