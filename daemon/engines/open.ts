/** Picks the engine's adapter for a connection. Each loads its driver at the first call, not here. */

import type { Connection } from '../access/connection.ts';
import type { Database, DatabasePorts } from './engine.ts';
import { openMysql } from './mysql/open.ts';
import { openPostgres } from './postgres/open.ts';
import type { RefuseFile } from './sqlite/dial.ts';
import { openSqlite } from './sqlite/open.ts';

interface AllDatabasePorts extends DatabasePorts {
  /** Of the client key. */
  readonly keyPassphrase: () => Promise<string | null>;
  readonly refuseFile: RefuseFile;
}

export function openDatabase(saved: Connection, ports: AllDatabasePorts): Database {
  const connection = { ...saved, tls: { ...saved.tls, keyPassphrase: ports.keyPassphrase } };
  switch (connection.engine) {
    case 'sqlite':
      return openSqlite(connection, { ...ports, workerCommand: null });
    case 'postgres':
      return openPostgres(connection, ports);
    case 'mysql':
      return openMysql(connection, ports);
  }
}
