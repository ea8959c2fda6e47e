/**
 * `connections.role`: plans a login role that fits what a connection's level needs; told to, makes it with the rights of the present
 * role, tries it, and moves the connection to it.
 */

import * as z from 'zod';
import type { RoleParams, RoleView } from '../../../shared/control-commands.ts';
import { shownText } from '../../../shared/shown-text.ts';
import type { Connection } from '../../access/connection.ts';
import { isUser } from '../../access/credential-forms.ts';
import type { CallContext, PlannedRole, WantedRole } from '../../engines/engine.ts';
import { planDigest } from '../../engines/role.ts';
import { type CommandContext, type CommandOutcome, command, done, refused } from '../command.ts';
import { unknownConnection } from './connection-view.ts';
import { problemOf } from './connections.ts';
import { makeAndMove } from './role-move.ts';
import { moveNotes, wantedRole } from './role-wanted.ts';
import { namedConnection, printable } from './shapes.ts';

/** Of each step: other changes wait meanwhile. */
const stepSeconds = 15;

const shape = namedConnection.extend({
  access: z.enum(['readOnly', 'readWrite'], 'one of readOnly, readWrite is expected').optional(),
  schemas: z
    .array(z.string('the name of a schema is expected').min(1, 'the name of a schema is expected').max(255))
    .min(1, 'the name of a schema is expected')
    .max(1_000, 'at most 1000 schemas are named')
    .optional(),
  role: printable(80)
    .refine(role => isUser(role) && shownText(role) === role, 'a name that can be shown is expected, and no password')
    .optional(),
  apply: z.string('the digest of a plan is expected').max(64, 'the digest of a plan is expected').optional(),
});

export const fitRole = command<'connections.role'>(shape, (asked, context) =>
  asked.apply === undefined ? planOrMake(asked, context, context.signal) : context.changes(() => apply(asked, context)),
);

/** Once begun it is brought to its end, or taken back, though who asked for it goes. */
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
  if (connection === null) return refused(unknownConnection(asked.connection));
  const wanted = wantedRole(connection, asked, context);
  const call = callContext(signal);
  const planned = await ports.databases.of(connection).planRole(call, wanted);
  if (planned.kind !== 'done') return refused(problemOf(planned, connection));
  const plan = planned.value;
  const shown = view(connection, wanted, plan);
  if (asked.apply === undefined) return done(shown);
  if (asked.apply !== shown.digest) return refused(`${changedMeanwhile} Nothing was changed.`);
  const problem = await makeAndMove(connection, wanted, plan, call, context);
  return problem ?? done({ ...shown, applied: true });
}

const changedMeanwhile = 'What the role would be given is not what was shown: ask for it anew.';

function view(connection: Connection, wanted: WantedRole, plan: PlannedRole): RoleView {
  const { id, name, engine } = connection;
  const { name: role, access } = wanted;
  const notes = [...plan.notes, ...moveNotes(connection, access)];
  const digest = planDigest(connection, plan);
  return { id, name, engine, role, access, steps: plan.steps, notes, digest, applied: false };
}

function callContext(signal: AbortSignal): CallContext {
  const at = { principal: null, client: 'connections role', database: null, schema: null };
  return { ...at, timeoutSeconds: stepSeconds, signal };
}
