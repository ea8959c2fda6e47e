/** The databases of the benchmark: private servers and a file, with equal contents. */

import { join } from 'node:path';
import { mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { findPostgres, startPostgres } from '../../servers/postgres.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import type { Undo } from './targets/target.ts';
import { accountColumns, accountCount } from './workloads.ts';

export const engineNames = ['postgres', 'mariadb', 'sqlite'] as const;
export type EngineName = (typeof engineNames)[number];

/** @param names separated by commas; all if it is empty or undefined. */
export function wantedEngines(names: string | undefined): readonly EngineName[] {
  const engines = engineNames.filter(name => !names || names.split(',').includes(name));
  if (engines.length === 0) throw new Error(`ENGINES names none of ${engineNames.join(', ')}.`);
  return engines;
}

export interface Database {
  readonly engine: EngineName;
  /** Engine and version, for the report: `PostgreSQL 15.14`. */
  readonly title: string;
  /** '' and 0 for a file. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Its name, or the path of the file. */
  readonly database: string;
}

const account = { user: 'bench', password: 'bench-only' };
/** @param series gives `n` from 1 on. */
const everyRow = (series: string, filler: string) =>
  `INSERT INTO accounts SELECT n, floor((n - 1) / 10000), 1000 - n % 1999, ${filler} FROM ${series}`;

/** @throws if an engine is missing, with how to get it. */
export function startDatabase(engine: EngineName, folder: string, undo: Undo): Promise<Database> {
  return { postgres: startFilledPostgres, mariadb: startFilledMariadb, sqlite: makeSqlite }[engine](folder, undo);
}

async function startFilledPostgres(_: string, undo: Undo): Promise<Database> {
  const binaries = findPostgres();
  if ('unavailable' in binaries) throw new Error(binaries.unavailable);
  const server = await startPostgres(binaries);
  undo.push(() => server.stop());
  await server.psql(`CREATE ROLE ${account.user} LOGIN PASSWORD '${account.password}'`);
  await server.psql(`CREATE DATABASE bench OWNER ${account.user}`);
  await server.psql(
    `SET ROLE ${account.user}; CREATE TABLE accounts (${accountColumns});
     ${everyRow(`generate_series(1, ${accountCount}) AS n`, "lpad(n::text, 84, '0')")}`,
    'bench',
  );
  await server.psql('VACUUM ANALYZE accounts', 'bench');
  const title = `PostgreSQL ${(await server.psql('SHOW server_version')).split(' ')[0]}`;
  return { engine: 'postgres', title, host: server.host, port: server.port, ...account, database: 'bench' };
}

async function startFilledMariadb(_: string, undo: Undo): Promise<Database> {
  const unavailable = mariadbUnavailable();
  if (unavailable !== null) throw new Error(unavailable);
  const server = await startMariadb();
  undo.push(() => server.stop());
  const { user, password } = account;
  const series = `(SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_${accountCount}) AS series`;
  await server.client(
    `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}'; CREATE DATABASE bench;
     GRANT ALL ON bench.* TO ${user}@'127.0.0.1'; USE bench; CREATE TABLE accounts (${accountColumns}) ENGINE = InnoDB;
     ${everyRow(series, "lpad(n, 84, '0')")};
     ANALYZE TABLE accounts`,
  );
  const title = `MariaDB ${(await server.ask('SELECT version()')).split('-')[0]}`;
  return { engine: 'mariadb', title, host: server.host, port: server.port, ...account, database: 'bench' };
}

async function makeSqlite(folder: string): Promise<Database> {
  const file = join(folder, 'bench.db');
  const sqlite = new SqliteFile(file);
  const series = `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s LIMIT ${accountCount}) SELECT n FROM s)`;
  sqlite.exec('pragma journal_mode = wal');
  sqlite.exec(`CREATE TABLE accounts (${accountColumns}); ${everyRow(series, "printf('%084d', n)")}`);
  const version = sqlite.value('SELECT sqlite_version()');
  sqlite.close();
  const title = `SQLite ${version}`;
  return { engine: 'sqlite', title, host: '', port: 0, user: '', password: '', database: file };
}
