/** What a reset of the owner passphrase takes back (spec §11): whatever the forgotten one may have allowed beyond reading. */

import type { Connection } from '../../access/connection.ts';
import type { CommandPorts } from '../ports.ts';

export async function takeBackWhatWasAllowed(ports: CommandPorts): Promise<void> {
  const { connections, tokens, standings, activity } = ports;
  for (const connection of connections.list()) {
    if (connection.externalClients.level !== 'readWrite') continue;
    const lowered = readOnly(connection);
    await connections.save(lowered);
    const { id, name } = lowered;
    const reason = standings.ofConnection(lowered);
    activity.record({
      ...{ category: 'admin', action: 'access.state', outcome: 'success', connection: { id, name }, reason },
    });
  }
  for (const { id, scope, confirmInClient, revokedAt } of tokens.list()) {
    if (revokedAt === null && (scope !== 'readOnly' || confirmInClient)) await tokens.revoke(id);
  }
}

function readOnly(connection: Connection): Connection {
  return { ...connection, externalClients: { level: 'readOnly', writeUntil: null } };
}
