/** How the tests reach their private server through the adapter. */

import type { Endpoint } from '../../../daemon/access/connection.ts';
import type { DatabasePorts } from '../../../daemon/engines/engine.ts';
import type { MariadbServer } from '../../servers/mariadb.ts';

export function endpointOf(
  server: Pick<MariadbServer, 'host' | 'port' | 'user'>,
  changes: Partial<Endpoint> = {},
): Endpoint {
  return {
    engine: 'mysql',
    host: server.host,
    port: server.port,
    socketPath: null,
    filePath: null,
    database: null,
    databases: 'all',
    user: server.user,
    tls: { mode: 'disable', caFile: null },
    password: { kind: 'stored' },
    timeZone: null,
    ...changes,
  };
}

export function portsOf(server: Pick<MariadbServer, 'password'>): DatabasePorts {
  return { password: async () => server.password, now: () => performance.now() };
}
