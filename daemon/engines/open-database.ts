/**
 * Picks the engine's adapter for a connection. Each loads its driver at the first call, not here.
 */

import type { Engine } from '../../shared/engine.ts';
import type { Connection, Line } from '../access/connection.ts';
import type { Database, DatabasePorts } from './engine.ts';
import { inSight } from './in-sight.ts';
import { masked } from './masked.ts';
import { openMysql } from './mysql/database.ts';
import { openPostgres } from './postgres/database.ts';
import { openSqlite } from './sqlite/database.ts';
import type { RefuseFile } from './sqlite/dial.ts';

export interface EnginePorts extends DatabasePorts {
  /** The passphrase of the client's key; null if none is kept. */
  readonly keyPassphrase: () => Promise<string | null>;
  readonly refuseFile: RefuseFile;
  /** The line through the connection's tunnel; absent if it has none. */
  readonly line?: Line | undefined;
}

export { makeSqliteFile, sqliteFileProblem } from './sqlite/dial/saved-file.ts';

/** Opens nothing on the wire: the first call dials. */
export type OpenEngine = (connection: Connection, ports: EnginePorts) => Database;

/** A line for each engine. */
const engines: Readonly<Record<Engine, OpenEngine>> = {
  postgres: openPostgres,
  mysql: openMysql,
  sqlite: openSqlite,
};

export function openDatabase(saved: Connection, ports: EnginePorts): Database {
  const endpoint = { ...saved, line: ports.line, tls: { ...saved.tls, keyPassphrase: ports.keyPassphrase } };
  const { sight, masks = [] } = saved;
  return inSight(masked(engines[saved.engine](endpoint, ports), { columns: masks, show: sight?.show ?? [] }), sight);
}
