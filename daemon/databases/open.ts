/** Picks the engine's adapter for a connection. Each loads its driver at the first call, not here. */

import type { Connection } from '../access/connection.ts';
import type { Database, DatabasePorts } from '../query/database.ts';
import { openMysql } from './mysql/open.ts';
import { openPostgres } from './postgres/open.ts';
import type { RefuseFile } from './sqlite/file.ts';
import { openSqlite } from './sqlite/open.ts';

interface AllDatabasePorts extends DatabasePorts {
  readonly refuseFile: RefuseFile;
}

export function openDatabase(connection: Connection, ports: AllDatabasePorts): Database {
  switch (connection.engine) {
    case 'sqlite':
      return openSqlite(connection, { ...ports, workerCommand: null });
    case 'postgres':
      return openPostgres(connection, ports);
    case 'mysql':
      return openMysql(connection, ports);
  }
}
