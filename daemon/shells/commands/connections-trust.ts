/**
 * `connections.trust`: forgets what the connection's servers have shown at sign-ins, then tests the
 * connection, so that whatever answers now counts as its server. Whoever answers may get the
 * password, so this is a privilege increase.
 */

import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Connection } from '../../access/connection.ts';
import {
  fact,
  type IncreaseFact,
  type PrivilegeIncrease,
  quoted,
} from '../../access/privilege-increases/increase-words.ts';
import { authorityText, placeFacts } from '../../access/privilege-increases/place-increase.ts';
import type { MethodClass } from '../../access/server-identity.ts';
import { command, done } from '../command.ts';
import { connectionTestResult } from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';
import { standingOf, unknownConnection } from './connection-view.ts';
import { testConnection } from './connections.ts';
import { heldTo, heldToNothing, readNow, shownWith } from './held-to.ts';
import { namedConnection } from './shapes.ts';

export const connectionsTrust = command('connections.trust', {
  shape: namedConnection,
  result: connectionTestResult,
  privilegeIncrease: async ({ connection: asked }, context) => {
    const connection = context.ports.connections.find(asked);
    if (connection === null) return null;
    const { tls, tunnel } = connection;
    const now = await readNow({ caFile: tls.caFile, tunnel }, context);
    return trustIncrease(shownWith(heldToNothing(connection), now ?? undefined), context.ports);
  },
  records: {
    action: 'connection.trust',
    done: ({ reachable, name }, _, ports) => {
      const id = ports.connections.find(name)?.id;
      if (id === undefined) return { connection: null };
      // The former server is forgotten whether or not one answers.
      return {
        connection: { id, name },
        ...standingOf(id, ports, reachable ? '' : "it can't be reached; "),
      };
    },
  },
  refuses: ({ connection: asked }, { ports }) =>
    ports.connections.find(asked) === null ? unknownConnection(asked) : null,
  run: async ({ connection: asked }, context) => {
    const { ports } = context;
    const trusted = await context.changes(async () => {
      const connection = ports.connections.find(asked);
      if (connection === null) return null;
      // The connection may lead to another server now. Its new revision ends what was approved.
      const { tls, tunnel } = connection;
      const seen = await readNow({ caFile: tls.caFile, tunnel }, context);
      const again = (now: Connection): Connection | null =>
        now.tls.caFile === tls.caFile && isSameTunnel(now.tunnel, tunnel)
          ? { ...heldTo(heldToNothing(now), seen ?? undefined), revision: now.revision + 1 }
          : null;
      const saved = await ports.connections.edit(connection.id, again);
      if (saved.kind !== 'saved') return null;
      await ports.databases.forget(connection.id);
      await ports.knownServers.forget(connection);
      return saved.connection;
    });
    return trusted === null ? unknownConnection(asked) : done(await testConnection(trusted, null, context));
  },
});

function isSameTunnel(one: Connection['tunnel'], other: Connection['tunnel']): boolean {
  if (one === undefined || other === undefined) return one === other;
  return tunnelText(one) === tunnelText(other);
}

function trustIncrease(connection: Connection, { knownServers }: CommandPorts): PrivilegeIncrease {
  const known = knownServers.of(connection).map(({ server, isEncrypted, method }): IncreaseFact => {
    return fact(`Until now at ${server}`, `${methodWords[method]}${isEncrypted ? ', over TLS' : ''}`);
  });
  const { tls } = connection;
  const certificates = tls.caFile === null ? [] : [fact('CA file', authorityText(tls))];
  return {
    phrase: `takes whoever answers now for the server of ${quoted(connection.name)}, and signs in to it`,
    facts: [
      fact('Connection', connection.name),
      ...placeFacts(connection, connection, false),
      ...certificates,
      ...known,
    ],
  };
}

const methodWords: Readonly<Record<MethodClass, string>> = {
  asks_nothing: 'asks for no password',
  reveals: 'takes the password itself',
  legacy: 'takes a proof of the password, by SHA-1',
  guessable: 'takes a proof of the password',
  proves: 'proves itself (SCRAM)',
  proves_line: 'proves itself and its TLS line',
};
