/**
 * What a reset of the owner passphrase takes back (spec §11): everything beyond reading that the
 * forgotten one may have allowed.
 */

import type { Connection } from '../../access/connection.ts';
import type { CommandContext } from '../command.ts';
import { takingBack } from '../taking-back.ts';

export async function takeBackWhatWasAllowed(context: CommandContext): Promise<void> {
  const { connections, tokens } = context.ports;
  const taking = await takingBack(context);
  for (const connection of connections.list()) {
    if (connection.externalClients.level === 'readWrite') await taking.lower(connection.id, readOnly);
  }
  for (const { id, scope, confirmInClient, revokedAt } of tokens.list()) {
    if (revokedAt === null && (scope !== 'readOnly' || confirmInClient)) await taking.revoke(id);
  }
  await taking.done();
}

function readOnly(connection: Connection): Connection {
  return { ...connection, externalClients: { level: 'readOnly', writeUntil: null } };
}
