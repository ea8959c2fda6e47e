/**
 * Shared by the PostgreSQL suites: a private server per test file, a Database on it, and a way to
 * run a statement.
 */

import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import type { Endpoint } from '../../../daemon/access/connection.ts';
import type { Database, DatabasePorts, StatementRequest } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { until } from '../../waiting/until.ts';
import { type Collected, collect } from '../collecting-sink.ts';

export function endpointOf(
  server: Pick<PostgresServer, 'host' | 'port' | 'superuser'>,
  changes: Partial<Endpoint> = {},
): Endpoint {
  return {
    engine: 'postgres',
    host: server.host,
    port: server.port,
    socketPath: null,
    filePath: null,
    database: 'postgres',
    databases: 'own',
    user: server.superuser,
    tls: { mode: 'disable', caFile: null },
    password: { kind: 'stored' },
    timeZone: null,
    ...changes,
  };
}

export function portsOf(password: string | null): DatabasePorts {
  return { password: async () => password, now: () => performance.now() };
}

/** @param changes may have `maxRows`: after so many the sink refuses more. */
export function runOn(
  database: Database,
  sql: string,
  { maxRows, ...changes }: Partial<StatementRequest> & { readonly maxRows?: number } = {},
): Promise<Collected> {
  const limits = { cellBytes: 64 * 1024, wireBytes: 32 * 1024 * 1024 };
  return collect(database, sql, {
    ...contextOf(),
    limits,
    ...changes,
    ...(maxRows !== undefined && { most: maxRows }),
  });
}

export function contextOf(): Pick<
  StatementRequest,
  'principal' | 'client' | 'database' | 'schema' | 'timeoutSeconds' | 'signal'
> {
  return {
    principal: null,
    client: 'test',
    database: null,
    schema: null,
    timeoutSeconds: 20,
    signal: new AbortController().signal,
  };
}

export interface SuiteServer {
  readonly server: PostgresServer;
  /** Closed after the test. */
  open(changes?: Partial<Endpoint>, password?: string | null): Database;
}

/**
 * A `describe` with its own server, or a visibly skipped one that names the command to install
 * PostgreSQL.
 */
export function describeWithPostgres(name: string, tests: (suite: SuiteServer) => void): void {
  const found = findPostgres();
  if ('unavailable' in found) {
    needs(found.unavailable).describe(name, () =>
      tests({
        get server(): PostgresServer {
          throw new Error(found.unavailable);
        },
        open() {
          throw new Error(found.unavailable);
        },
      }),
    );
    return;
  }
  describe(name, () => {
    let server: PostgresServer | null = null;
    const opened: Database[] = [];
    const running = (): PostgresServer => {
      if (server === null) throw new Error('the server runs within tests only');
      return server;
    };
    beforeAll(async () => {
      server = await lendPostgres();
    }, 60_000);
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(database => database.close()));
    });
    afterAll(async () => {
      await server?.stop();
    }, 60_000);
    tests({
      get server() {
        return running();
      },
      open(changes = {}, password = running().password) {
        const database = openPostgres(endpointOf(running(), changes), portsOf(password));
        opened.push(database);
        return database;
      },
    });
  });
}

/** Polls until `probe` gives a wanted value; rejects with its last value. */
export async function eventually<T>(probe: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const seen: T[] = [];
  const isWanted = async () => {
    seen[0] = await probe();
    if (wanted(seen[0])) return true;
    throw new Error(`still ${JSON.stringify(seen[0])}`);
  };
  await until(isWanted, 'the value is a wanted one', 5);
  return seen[0] as T;
}
