/**
 * Shared by the suites of SSH tunnels: the tunnels that one daemon would have, and connections
 * through them.
 */

import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { openTunnels, type Tunnels, tunnelsFolder } from '../../daemon/tunnels/tunnels.ts';
import type { SshTunnelView } from '../../shared/control-commands.ts';
import { connectionWith } from '../access/principals.ts';
import { endpointOf as mysqlEndpoint } from '../engines/mysql/endpoint.ts';
import { endpointOf as postgresEndpoint } from '../engines/postgres/suite.ts';
import type { MariadbServer } from '../servers/mariadb.ts';
import type { PostgresServer } from '../servers/postgres.ts';
import type { SshHome } from '../servers/sshd.ts';

export interface ThroughSsh {
  readonly tunnels: Tunnels;
  /** The folder that holds each tunnel's own folder. */
  readonly folder: string;
  /** The stored secrets; tests may change them. */
  readonly secrets: { sshPassphrase: string | null; sshPassword: string | null };
  agent: string | null;
  postgres(server: PostgresServer, tunnel: Partial<SshTunnelView>, changes?: Partial<Connection>): Database;
  mariadb(server: MariadbServer, tunnel: Partial<SshTunnelView>, changes?: Partial<Connection>): Database;
  /** Retries as a person does who looks at the connection that was opened last. */
  retry(hostKey: string | null): void;
  /** The paths of the present sockets. */
  sockets(): string[];
  close(): Promise<void>;
}

export function throughSsh(home: SshHome, systemsFile = '/etc/ssh/ssh_config'): ThroughSsh {
  const parent = mkdtempSync(join(home.folder, 'd-'));
  const folder = join(parent, tunnelsFolder);
  const secrets: ThroughSsh['secrets'] = { sshPassphrase: null, sshPassword: null };
  const opened: Database[] = [];
  let last: Connection = connectionWith();
  const tunnels = openTunnels({
    folder: () => folder,
    userHome: home.folder,
    systemsFile,
    agent: async () => through.agent,
    secretOf: async kind => secrets[kind],
  });
  const viewOf = (changes: Partial<SshTunnelView>): SshTunnelView => ({
    kind: 'ssh',
    destination: '',
    jumps: [],
    keyFile: null,
    ...changes,
  });
  const kept = (one: Connection, database: Database): Database => {
    opened.push(database);
    last = one;
    return database;
  };
  const now = (): number => performance.now();
  const through: ThroughSsh = {
    tunnels,
    folder,
    secrets,
    agent: null,
    postgres(server, tunnel, changes = {}) {
      const one: Connection = { ...connectionWith(), ...postgresEndpoint(server), tunnel: viewOf(tunnel), ...changes };
      const ports = { password: async () => server.password, now };
      return kept(one, openPostgres({ ...one, line: tunnels.lineOf(one) }, ports));
    },
    mariadb(server, tunnel, changes = {}) {
      const one: Connection = { ...connectionWith(), ...mysqlEndpoint(server), tunnel: viewOf(tunnel), ...changes };
      const ports = { password: async () => server.password, now };
      return kept(one, openMysql({ ...one, line: tunnels.lineOf(one) }, ports));
    },
    retry: hostKey => tunnels.retry(last, hostKey),
    sockets() {
      try {
        return readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isSocket())
          .map(entry => join(entry.parentPath, entry.name));
      } catch {
        return [];
      }
    },
    async close() {
      await Promise.all(opened.splice(0).map(database => database.close()));
      await tunnels.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
  return through;
}

/** Ids of the processes that run in the folders of tunnels. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}
