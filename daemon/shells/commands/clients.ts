/** `clients.list` (spec §11): the connected clients, as the HTTP door counts them. */

import type { PresentClient } from '../../access/limits/present-clients.ts';
import { command, done, looks } from '../command.ts';
import { type ClientView, clientList } from '../messages/clients.ts';
import { nothing } from './shapes.ts';

/** Clients with an open request or session, or a request within the last ten minutes. */
export const clientsList = command('clients.list', {
  shape: nothing,
  result: clientList,
  ...looks,
  run: (_, { ports }) => done({ clients: ports.clients().map(client => viewOf(client, ports.now())) }),
});

function viewOf(present: PresentClient, now: number): ClientView {
  const { id, client, tokenId, tokenName, isBridge, isBox, protocol, openRequests, sessions } = present;
  const ago = (milliseconds: number): string => new Date(now - milliseconds).toISOString();
  return {
    id,
    client,
    token: isBridge ? null : { id: tokenId, name: tokenName },
    ...(isBox && { isBox }),
    transport: isBridge ? 'bridge' : 'http',
    protocol,
    since: ago(present.sinceMilliseconds),
    lastSeen: ago(present.seenMilliseconds),
    openRequests,
    sessions,
  };
}
