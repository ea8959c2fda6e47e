/** `clients.list` (spec §11): who is connected now, as the HTTP door counts them. */

import type { ClientView } from '../../../shared/control-commands.ts';
import type { PresentClient } from '../../access/limits/present-clients.ts';
import { command, done } from '../command.ts';
import * as messages from '../messages/clients.ts';
import { nothing } from './shapes.ts';

/** Who has a request or a session open, or asked something within the last ten minutes. */
export const clientsList = command('clients.list', {
  shape: nothing,
  result: messages.clientList,
  widens: 'never',
  records: 'refusals',
  run: (_, { ports }) => done({ clients: ports.clients().map(client => clientView(client, ports.now())) }),
});

function clientView(present: PresentClient, now: number): ClientView {
  const { id, client, tokenId, tokenName, isBridge, protocol, openRequests, sessions } = present;
  const ago = (milliseconds: number): string => new Date(now - milliseconds).toISOString();
  return {
    id,
    client,
    token: isBridge ? null : { id: tokenId, name: tokenName },
    transport: isBridge ? 'bridge' : 'http',
    protocol,
    since: ago(present.sinceMilliseconds),
    lastSeen: ago(present.seenMilliseconds),
    openRequests,
    sessions,
  };
}
