/**
 * One home with its daemon and three private databases for a whole run: each fault meets what the
 * earlier ones left.
 */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { EndpointView } from '../../shared/control-commands.ts';
import { RealHome } from '../bridge/real-home.ts';
import { type MariadbServer, mariadbUnavailable, startMariadb } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../servers/postgres.ts';
import { executeOn } from '../sqlite-file.ts';
import { beginUnattended } from '../unattended-home.mjs';
import { Daemon } from './daemon.ts';
import { Known } from './known.ts';
import { Ledger } from './ledger.ts';
import { Owner } from './owner.ts';

export interface World {
  readonly home: RealHome;
  readonly daemon: Daemon;
  readonly owner: Owner;
  readonly ledger: Ledger;
  readonly postgres: PostgresServer;
  readonly mariadb: MariadbServer;
  readonly sqliteFile: string;
  readonly connectionNames: { readonly postgres: string; readonly mysql: string; readonly sqlite: string };
  readonly postgresEndpoint: EndpointView;
  readonly url: string;
  /** This token may write. */
  readonly token: string;
  /** True if the home is a file system of its own, which can be filled and made read-only. */
  readonly hasOwnFileSystem: boolean;
  readonly undo: (() => Promise<unknown>)[];
}

/** As people run MariaDB: committed data survives the server's death. */
export const mariadbOptions = ['--innodb-flush-log-at-trx-commit=2'];
const homeMegabytes = 96;
const connectionNames = { postgres: 'Pg', mysql: 'Maria', sqlite: 'File' } as const;

/** Null, or the sentence that says what is missing. */
export function worldUnavailable(): string | null {
  if (process.platform !== 'linux') return 'processes are looked at as Linux shows them';
  const postgres = findPostgres();
  return 'unavailable' in postgres ? postgres.unavailable : mariadbUnavailable();
}

/** @param undo what `endWorld` has to do, even if this function throws in the middle. */
export async function startWorld(undo: World['undo']): Promise<World> {
  const binaries = findPostgres();
  if ('unavailable' in binaries) throw new Error(binaries.unavailable);
  const postgres = await startPostgres(binaries);
  undo.push(() => postgres.stop());
  // A server that forgets commits when it dies would look like Sallyport's fault.
  await postgres.psql('alter system set synchronous_commit = on; select pg_reload_conf()').catch(async () => {
    await postgres.psql('alter system set synchronous_commit = on');
    await postgres.psql('select pg_reload_conf()');
  });
  await postgres.psql('create database shop');
  await postgres.psql('create table kept (k text)', 'shop');
  const mariadb = await startMariadb(mariadbOptions);
  undo.push(() => mariadb.stop());
  await mariadb.client('CREATE DATABASE shop; CREATE TABLE shop.kept (k varchar(64)) ENGINE = InnoDB');
  const home = new RealHome();
  undo.push(() => home.clean());
  const hasOwnFileSystem = mountHome(home.home);
  if (hasOwnFileSystem) undo.push(async () => execFileSync('umount', ['--lazy', home.home]));
  const sqliteFile = join(home.folder, 'shop.db');
  executeOn(sqliteFile, 'pragma journal_mode = wal; create table kept (k text)');

  const daemon = new Daemon(home);
  const owner = new Owner(home.home);
  // Before the file system is removed, which is busy while it runs.
  undo.push(async () => {
    owner.close();
    await daemon.end('SIGKILL');
  });
  await daemon.start();
  const port = await freePort();
  await owner.ask('settings.set', { key: 'port', value: port });
  for (const key of ['limits.requestsPerMinute', 'limits.concurrentRequests'])
    await owner.ask('settings.set', { key, value: 0 });
  const ledger = new Ledger();
  for (const key of ['results.maxRows', 'results.maxCellBytes']) {
    const { value } = await owner.ask('settings.get', { key });
    ledger.settings.set(key, new Known(Number(value)));
  }
  const nowhere = { host: null, port: null, socketPath: null, filePath: null, database: null, user: null };
  const at = ({ port }: { readonly port: number }) => ({ ...nowhere, host: '127.0.0.1', port, database: 'shop' });
  const postgresEndpoint: EndpointView = { ...at(postgres), engine: 'postgres', user: postgres.superuser };
  const file: EndpointView = { ...nowhere, engine: 'sqlite', filePath: sqliteFile };
  const readWrite = { externalClients: { level: 'readWrite' } } as const;
  const stored = (value: string) => ({ password: { kind: 'stored', value } }) as const;
  await owner.ask('connections.save', {
    ...{ name: connectionNames.postgres, endpoint: postgresEndpoint },
    ...{ ...stored(postgres.password), ...readWrite },
  });
  await owner.ask('connections.save', {
    ...{ name: connectionNames.mysql, endpoint: { ...at(mariadb), engine: 'mysql', user: mariadb.user } },
    ...{ ...stored(mariadb.password), ...readWrite },
  });
  await owner.ask('connections.save', { name: connectionNames.sqlite, endpoint: file, ...readWrite });
  await owner.ask('connections.save', {
    ...{ name: 'File for reading', endpoint: file },
    externalClients: { level: 'readOnly' },
  });
  const terms = { scope: 'readWrite', connections: 'all', expires: 'never', confirmInClient: false } as const;
  const { token } = await owner.ask('tokens.mint', { name: 'load', ...terms });
  return {
    ...{ home, daemon, owner, ledger, postgres, mariadb, sqliteFile, connectionNames, postgresEndpoint },
    ...{ url: `http://127.0.0.1:${port}/mcp`, token, hasOwnFileSystem, undo },
  };
}

export async function endWorld(undo: World['undo']): Promise<void> {
  for (const step of undo.splice(0).reverse())
    await step().catch(error => process.stderr.write(`Left behind: ${error.message}\n`));
}

/** Only root may. */
function mountHome(home: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${homeMegabytes}m,mode=0700`, 'tmpfs', home], { stdio: 'pipe' });
    beginUnattended(home);
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
