/**
 * The role that `connections.role` is asked for, what moving to it changes, and what of that the
 * owner confirms.
 */

import * as z from 'zod';
import { connectionsOf } from '../../../shared/engine.ts';
import { shownText } from '../../../shared/shown-text.ts';
import type { Connection } from '../../access/connection.ts';
import { isUser } from '../../access/credential-forms.ts';
import { connectionIncrease } from '../../access/privilege-increases/connection-increase.ts';
import { noSecrets } from '../../access/privilege-increases/credentials-increase.ts';
import { fact, type PrivilegeIncrease, quoted } from '../../access/privilege-increases/increase-words.ts';
import type { WantedRole } from '../../engines/engine.ts';
import { accessOf, fittingRoleName } from '../../engines/role.ts';
import { queryLimitsOf } from '../../statement/query-limits.ts';
import type { CommandContext } from '../command.ts';
import type { Message } from '../messages/message.ts';
import { changeConnection } from './connection-change.ts';
import type { ConnectionSaveParams } from './connection-fields.ts';
import { namedConnection, printable } from './shapes.ts';

export const roleShape = namedConnection.extend({
  /** Left out: the connection's level at this moment. */
  access: z.enum(['readOnly', 'readWrite'], 'one of readOnly, readWrite is expected').optional(),
  /** Left out: every schema that the present role sees. On MySQL a schema is a database. */
  schemas: z
    .array(z.string('the name of a schema is expected').min(1, 'the name of a schema is expected').max(255))
    .min(1, 'the name of a schema is expected')
    .max(1_000, 'at most 1000 schemas are named')
    .optional(),
  /** Left out: made from the connection's name. */
  role: printable(80)
    .refine(role => isUser(role) && shownText(role) === role, 'a name that can be shown is expected, and no password')
    .optional(),
  /** Digest of the plan that was shown: it is carried out only if it is still the same. */
  apply: z.string('the digest of a plan is expected').max(64, 'the digest of a plan is expected').optional(),
});
export type RoleParams = Message<typeof roleShape>;

type Asked = Omit<RoleParams, 'connection' | 'apply'>;

export function wantedRole(
  connection: Connection,
  asked: Asked,
  { ports, at }: Pick<CommandContext, 'ports' | 'at'>,
): WantedRole {
  const access = asked.access ?? accessOf(connection, at);
  const { defaultSeconds } = queryLimitsOf(ports.settings.current());
  return {
    name: asked.role ?? fittingRoleName(connection.name, access),
    access,
    schemas: asked.schemas === undefined ? null : [...new Set(asked.schemas)],
    statementSeconds: connection.statementTimeoutSeconds ?? defaultSeconds,
  };
}

export function moveNotes({ password, user }: Connection, access: WantedRole['access']): string[] {
  const former = {
    none: [],
    stored: [`With --apply its password replaces the stored one${user === null ? '' : ` of ${user}`}.`],
    command: ['With --apply its password is stored, and no longer comes from a command.'],
  };
  const raised =
    "This role can't write, even if you raise the level to read-write; --access read-write creates one that can.";
  return [...former[password.kind], ...(access === 'readOnly' ? [raised] : [])];
}

/** The rest of the connection stays. */
export function movedTo({ id, ...endpoint }: Connection, user: string, value: string): ConnectionSaveParams {
  const { engine, host, port, socketPath, filePath, database } = endpoint;
  return {
    connection: id,
    endpoint: { engine, host, port, socketPath, filePath, database, user },
    password: { kind: 'stored', value },
  };
}

/**
 * It uses a privilege of the person's, and the connection changes its user: both are confirmed as
 * one.
 */
export function roleIncrease(
  asked: RoleParams,
  context: Pick<CommandContext, 'ports' | 'at'>,
): PrivilegeIncrease | null {
  const connection = context.ports.connections.find(asked.connection);
  if (asked.apply === undefined || connection === null || connectionsOf[connection.engine].isFile) return null;
  const wanted = wantedRole(connection, asked, context);
  const change = changeConnection(connection, movedTo(connection, wanted.name, 'new'), 'new', context.at);
  const given = { ...noSecrets, password: true };
  const moved = change.kind === 'changed' ? connectionIncrease(connection, change.connection, context.at, given) : null;
  const may = wanted.access === 'readOnly' ? 'read' : 'read and write';
  const phrase = `makes the role ${quoted(wanted.name)}, which may ${may}, with the rights of the present one`;
  return {
    phrase: moved === null ? phrase : `${phrase}, and ${moved.phrase}`,
    facts: [
      ...(moved?.facts ?? [fact('Connection', connection.name)]),
      fact('New role', wanted.name),
      fact('New role may', may),
      fact(
        'Schemas',
        wanted.schemas === null ? 'all that the present role may see' : wanted.schemas.map(quoted).join(', '),
      ),
    ],
  };
}
