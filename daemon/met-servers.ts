/**
 * A line of the log for each server that a connection meets for the first time (spec §6). At a port
 * of this machine it has the user who listens there. Asks and refuses nothing.
 */

import type { Connection } from './access/connection.ts';
import type { Happenings } from './access/known-servers.ts';
import { isLoopback } from './engines/server-socket.ts';
import { portOwner } from './processes/port-owner.ts';
import type { OpenLog } from './storage/log/log.ts';

export function logOfMet(log: Pick<OpenLog, 'info'>): NonNullable<Happenings['met']> {
  return (connection, server, dialled) => {
    void ownerAt(connection, server, dialled).then(listener =>
      log.info(
        { connection: connection.id, ...(listener !== null && { listener }) },
        'a server was met for the first time',
      ),
    );
  };
}

/** uid; null for another machine, a socket, and a tunnel, whose near end is the user's own. */
async function ownerAt(
  { tunnel, socketPath }: Connection,
  server: string,
  dialled: string | null,
): Promise<number | null> {
  if (socketPath !== null || tunnel !== undefined) return null;
  const [, bracketed, host = bracketed, port] = /^(?:\[(.+)\]|(.+)):(\d+)$/.exec(server) ?? [];
  return host !== undefined && isLoopback(host) ? portOwner(dialled ?? host, Number(port)) : null;
}
