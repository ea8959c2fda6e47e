/**
 * What a reset of the owner passphrase takes back (spec §11): everything beyond reading that the
 * forgotten one may have allowed.
 */

import type { Connection } from '../../access/connection.ts';
import { askerWords } from '../asker-words.ts';
import type { CommandContext } from '../command.ts';

export async function takeBackWhatWasAllowed(context: CommandContext): Promise<void> {
  const { connections, tokens, standings, activity } = context.ports;
  const note = {
    category: 'admin',
    outcome: 'success',
    requestId: context.requestId,
    client: await askerWords(context),
  } as const;
  for (const connection of connections.list()) {
    if (connection.externalClients.level !== 'readWrite') continue;
    const lowered = readOnly(connection);
    await connections.save(lowered);
    const { id, name } = lowered;
    const reason = standings.ofConnection(lowered);
    activity.record({ ...note, action: 'access.state', connection: { id, name }, reason });
  }
  for (const { id, name, scope, confirmInClient, revokedAt } of tokens.list()) {
    if (revokedAt !== null || (scope === 'readOnly' && !confirmInClient)) continue;
    await tokens.revoke(id);
    activity.record({ ...note, action: 'token.revoke', principal: id, tokenName: name });
  }
  await activity.flush();
}

function readOnly(connection: Connection): Connection {
  return { ...connection, externalClients: { level: 'readOnly', writeUntil: null } };
}
