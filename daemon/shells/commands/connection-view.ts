/**
 * A saved connection as shells see it: every field but the password, and its level at this moment.
 */

import type { Connection } from '../../access/connection.ts';
import { mayHoldPassword } from '../../access/credential-forms.ts';
import { levelNow } from '../../access/effective-access.ts';
import type { Stated } from '../../access/standing/standings.ts';
import { say } from '../../guard/reason.ts';
import { type CommandOutcome, refused } from '../command.ts';
import type { ConnectionView } from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';

export function viewOfConnection(
  connection: Connection,
  { now, knownServers, databases }: Pick<CommandPorts, 'now' | 'knownServers' | 'databases'>,
): ConnectionView {
  const { externalClients, password, tls, sshConfigurationDigest: ___, sshLines: ____, ...shown } = connection;
  const { caFileDigest: _, keyPassphrase: __, ...certificates } = tls;
  return {
    ...shown,
    tls: certificates,
    ...serversOf(connection, knownServers),
    ...(databases.lacksReadWall(connection) && { isReadWallMissing: true as const }),
    // Rebuilt from known members, so nothing from a later source of passwords can slip through.
    password: password.kind === 'command' ? { kind: 'command', command: password.command } : { kind: password.kind },
    externalClients: { ...externalClients, now: levelNow(connection, now()) },
  };
}

/** What its servers have shown, if one has. */
export function serversOf(
  connection: Connection,
  knownServers: CommandPorts['knownServers'],
): Pick<ConnectionView, 'knownServers'> {
  const known = knownServers.of(connection);
  return known.length === 0 ? {} : { knownServers: known.map(server => ({ ...server, keys: [...server.keys] })) };
}

/**
 * The connection's standing, for its row; the next start compares it (access/standing/). The
 * connection may be gone by now.
 * @param change what was changed, for people.
 */
export function standingOf(id: string, { connections, standings }: CommandPorts, change = ''): Partial<Stated> {
  const connection = connections.find(id);
  if (connection === null) return { reason: change };
  const { reason, standing } = standings.ofConnection(connection);
  return { reason: change + reason, standing };
}

export function unknownConnection(asked: string): CommandOutcome<never> {
  const connection = repeatable(asked);
  const sentence =
    connection === null
      ? say('There is no connection of that name; `sallyport connections list` shows all.')
      : say('There is no connection %@; `sallyport connections list` shows all.', JSON.stringify(asked));
  return refused('unknown_connection', sentence, { connection });
}

/** The name as asked, unless it may hold a password. */
export function named(asked: string): string {
  return mayHoldPassword(asked) ? 'of that name' : JSON.stringify(asked);
}

/** The same as a value. */
export function repeatable(asked: string): string | null {
  return mayHoldPassword(asked) ? null : asked;
}
