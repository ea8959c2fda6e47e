/**
 * `connections.role`: plans a login role with just the rights of a connection's level. If told to,
 * it makes the role with the present role's rights, tries it, and moves the connection to it.
 */

import type { Connection } from '../../access/connection.ts';
import type { CallContext, PlannedRole, WantedRole } from '../../engines/engine.ts';
import { planDigest } from '../../engines/role.ts';
import { type CommandContext, type CommandOutcome, command, done, looking, refused } from '../command.ts';
import { type RoleView, roleView } from '../messages/connections.ts';
import { standingOf, unknownConnection } from './connection-view.ts';
import { problemOf } from './connections.ts';
import { makeAndMove } from './role-move.ts';
import { moveNotes, type RoleParams, roleIncrease, roleShape, wantedRole } from './role-wanted.ts';

/** Per step: other changes wait meanwhile. */
const stepSeconds = 15;

/** Plans the role; with `apply` makes it and moves the connection to it. Dials. */
export const connectionsRole = command('connections.role', {
  shape: roleShape,
  result: roleView,
  privilegeIncrease: roleIncrease,
  records: {
    action: 'connection.role',
    done: ({ id, name, role, access, applied }, _, ports) => ({
      connection: { id, name },
      ...(applied ? standingOf(id, ports, `moved to ${role}, ${access}; `) : { reason: 'shown' }),
    }),
  },
  run: (asked, context) =>
    asked.apply === undefined
      ? looking(planOrMake(asked, context, context.signal))
      : context.changes(() => apply(asked, context)),
});

/** Once begun it is finished or undone, even if the requester leaves. */
function apply(asked: RoleParams, context: CommandContext): Promise<CommandOutcome<RoleView>> {
  return planOrMake(asked, context, new AbortController().signal);
}

async function planOrMake(
  asked: RoleParams,
  context: CommandContext,
  signal: AbortSignal,
): Promise<CommandOutcome<RoleView>> {
  const { ports } = context;
  const connection = ports.connections.find(asked.connection);
  if (connection === null) return unknownConnection(asked.connection);
  ports.tunnels.retry(connection, null);
  const wanted = wantedRole(connection, asked, context);
  const call = callContext(signal);
  const planned = await ports.databases.of(connection).planRole(call, wanted);
  if (planned.kind !== 'done')
    return refused('database_failed', problemOf(planned, connection), { connection: connection.name });
  const plan = planned.value;
  const shown = view(connection, wanted, plan);
  if (asked.apply === undefined) return done(shown);
  if (asked.apply !== shown.digest) return refused('changed_since', `${changedMeanwhile} Nothing was changed.`);
  const problem = await makeAndMove(connection, wanted, plan, call, context);
  return problem ?? done({ ...shown, applied: true });
}

/** A string, not a text: the app makes no role. */
const changedMeanwhile: string = 'The role would now get other rights than you were shown: ask for it again.';

function view(connection: Connection, wanted: WantedRole, plan: PlannedRole): RoleView {
  const { id, name, engine } = connection;
  const { name: role, access } = wanted;
  const notes = [...plan.notes, ...moveNotes(connection, access)];
  const digest = planDigest(connection, plan);
  const { steps, mayMake } = plan;
  return { id, name, engine, role, access, steps, notes, mayMake, digest, applied: false };
}

function callContext(signal: AbortSignal): CallContext {
  const at = { principal: null, client: 'connections role', database: null, schema: null };
  return { ...at, timeoutSeconds: stepSeconds, signal };
}
