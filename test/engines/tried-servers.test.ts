/**
 * What holds on each server that is here: forty honest reads, the wall before writes, the count of a
 * write, the time limit, a cancel. `WRITE=1` writes docs/servers.md's first table; a server that is
 * elsewhere keeps its row.
 */

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { readAsAClient } from '../attacks/read-as-a-client.ts';
import { writingClient } from '../attacks/write-as-a-client.ts';
import { writeInto } from '../docs/generated-part.ts';
import { needs } from '../needs.ts';
import { galeraUnavailable, startGalera } from '../servers/galera.ts';
import { type HonestDialect, honestReads, honestTables } from '../servers/honest-reads.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { pgbouncerUnavailable, startPgbouncer } from '../servers/pgbouncer.ts';
import { startPglite } from '../servers/pglite.ts';
import { pgpoolUnavailable, startPgpool } from '../servers/pgpool.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../servers/postgres.ts';
import { executeOn } from '../sqlite-file.ts';
import { call, collect } from './collecting-sink.ts';
import * as mysql from './mysql/endpoint.ts';
import * as postgres from './postgres/suite.ts';
import { openFile } from './sqlite/engine.ts';
import { libsqlFile } from './sqlite/libsql-file.ts';

interface Running {
  /** What is before the server, with its version: `PgBouncer 1.18.0`; null for nothing. */
  readonly before?: string;
  readonly database: Database;
  stop(): Promise<void>;
}

/** The cells behind the server's name. */
interface Tried {
  readonly reads: string;
  readonly wall: string;
  readonly counted: string;
  readonly limit: string;
  readonly cancel: string;
}

interface Server {
  readonly name: string;
  readonly dialect: HonestDialect;
  readonly missing: string | null;
  readonly start: () => Promise<Running>;
  /** What differs from {@link whole}. */
  readonly differs?: Partial<Tried>;
}

const whole: Tried = { reads: '40 of 40', wall: 'holds', counted: 'yes', limit: 'held', cancel: 'at once' };

const found = findPostgres();
const noPostgres = 'unavailable' in found ? found.unavailable : null;
const open = (server: PostgresServer, port = server.port) =>
  openPostgres(postgres.endpointOf(server, { port }), postgres.portsOf(server.password));
const setUp = (server: PostgresServer) => server.psql(honestTables.join(';'));
const saidVersion = (program: string): string => {
  const { stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? '';
};

async function behindPgbouncer(mode: string): Promise<Running> {
  const server = await lendPostgres();
  await setUp(server);
  const pooler = await startPgbouncer(server, [`pool_mode = ${mode}`]);
  return {
    before: `PgBouncer ${saidVersion('pgbouncer')}, \`pool_mode = ${mode}\``,
    database: open(server, pooler.port),
    async stop() {
      await pooler.stop();
      await server.stop();
    },
  };
}

async function onMariadb(server: MariadbServer, before?: string): Promise<Running> {
  await server.client(`create database honest; use honest; ${honestTables.join(';')}`);
  const database = openMysql(mysql.endpointOf(server, { database: 'honest' }), mysql.portsOf(server));
  return { ...(before !== undefined && { before }), database, stop: () => server.stop() };
}

const servers: readonly Server[] = [
  {
    name: 'PostgreSQL',
    dialect: 'postgres',
    missing: noPostgres,
    async start() {
      const server = await lendPostgres();
      await setUp(server);
      return { database: open(server), stop: () => server.stop() };
    },
  },
  ...['session', 'transaction', 'statement'].map(
    (mode): Server => ({
      name: `PgBouncer, ${mode} mode`,
      dialect: 'postgres',
      missing: noPostgres ?? pgbouncerUnavailable(),
      start: () => behindPgbouncer(mode),
      // Each statement has another session, so only what reads by itself runs.
      ...(mode === 'statement' && {
        differs: { wall: 'unsupported', counted: 'unsupported', limit: 'unsupported' },
      }),
    }),
  ),
  {
    name: 'pgpool-II',
    dialect: 'postgres',
    missing: noPostgres ?? pgpoolUnavailable(),
    async start() {
      if ('unavailable' in found) throw new Error(found.unavailable);
      const primary = await startPostgres(found);
      await setUp(primary);
      const standby = await startPostgres(found, primary);
      const pooler = await startPgpool(primary, standby);
      return {
        before: `pgpool-II ${saidVersion('pgpool')} with a standby`,
        database: open(primary, pooler.port),
        async stop() {
          await pooler.stop();
          await standby.stop();
          await primary.stop();
        },
      };
    },
  },
  {
    name: 'PGlite',
    dialect: 'postgres',
    missing: null,
    async start() {
      const server = await startPglite(honestTables);
      const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8'));
      const endpoint = { host: '127.0.0.1' as const, port: server.port, superuser: 'postgres' };
      return {
        before: `PGlite ${version}`,
        database: openPostgres(postgres.endpointOf(endpoint), postgres.portsOf(null)),
        stop: () => server.stop(),
      };
    },
    differs: { limit: 'our clock alone', cancel: 'after its end' },
  },
  {
    name: 'MariaDB or MySQL',
    dialect: 'mysql',
    missing: mariadbUnavailable(),
    start: async () => onMariadb(await lendMariadb()),
  },
  {
    name: 'Galera',
    dialect: 'mysql',
    missing: galeraUnavailable(),
    async start() {
      const cluster = await startGalera();
      return { ...(await onMariadb(cluster.nodes[0], 'Galera 4, three nodes')), stop: () => cluster.stop() };
    },
  },
  {
    name: 'SQLite',
    dialect: 'sqlite',
    missing: null,
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'sallyport-honest-'));
      executeOn(join(folder, 'honest.db'), honestTables.join(';'));
      return { database: openFile(join(folder, 'honest.db')), stop: async () => rmSync(folder, { recursive: true }) };
    },
  },
  {
    name: 'libSQL',
    dialect: 'sqlite',
    missing: null,
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'sallyport-honest-'));
      const file = join(folder, 'honest.db');
      copyFileSync(libsqlFile, file);
      executeOn(file, honestTables.join(';'));
      const database = openFile(file);
      return { before: 'a file of libSQL 0.5.29', database, stop: async () => rmSync(folder, { recursive: true }) };
    },
  },
];

const slow: Readonly<Record<HonestDialect, string>> = {
  postgres: 'select pg_sleep(4)',
  mysql: 'select sleep(4)',
  sqlite: 'with recursive c(x) as (select 1 union all select x + 1 from c where x < 40000000) select max(x) from c',
};
/** How many run, but for this question. */
const running: Readonly<Record<HonestDialect, string>> = {
  postgres: "select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'",
  mysql: "select count(*) from information_schema.processlist where info like 'select sleep(4)%'",
  sqlite: 'select 0',
};

async function tried(database: Database, dialect: HonestDialect): Promise<Tried> {
  const refused: string[] = [];
  for (const sql of honestReads(dialect)) {
    const said = await readAsAClient(database, sql);
    if (said !== 'done') refused.push(`${sql}: ${said}`);
  }
  const reads = honestReads(dialect).length;
  // Past the guard, so that the server itself must refuse.
  const written = await collect(database, "update customers set name = 'Di'", { session: 'read' });
  const counted = await writingClient(() => database)('update orders set total = total + 1 where id < 20');
  const began = performance.now();
  const late = await collect(database, slow[dialect], { session: 'read', timeoutSeconds: 1 });
  const tookMilliseconds = performance.now() - began;
  await idle(database, dialect);
  const stopping = AbortSignal.timeout(700);
  const cancelled = await collect(database, slow[dialect], { session: 'read', signal: stopping });
  const endsMilliseconds = await idle(database, dialect);
  return {
    reads: [`${reads - refused.length} of ${reads}`, ...refused].join('; '),
    wall: written.outcome.kind === 'read_only' ? 'holds' : named(written.outcome.kind),
    counted: /every row .*\(4 rows updated\)/.test(counted) ? 'yes' : (words[counted.split(':')[0] ?? ''] ?? counted),
    limit: tookMilliseconds > 3_000 ? 'none' : late.outcome.kind === 'timeout' ? 'held' : named(late.outcome.kind),
    cancel: cancelled.outcome.kind !== 'cancelled' ? 'no' : endsMilliseconds < 2_000 ? 'at once' : 'after its end',
  };
}

const words: Readonly<Record<string, string>> = { no_answer: 'our clock alone', unsupported: 'unsupported' };
const named = (kind: string): string => words[kind] ?? kind;

/** @returns milliseconds until no slow statement runs. */
async function idle(database: Database, dialect: HonestDialect): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { rows } = await collect(database, running[dialect], { session: 'read' });
    if (`${rows[0]?.[0]}` === '0' || performance.now() - began > 20_000) return performance.now() - began;
    await wait(100);
  }
}

const page = 'docs/servers.md';
const command = 'WRITE=1 make test JEST=test/engines/tried-servers';

function write(server: string, { reads, wall, counted, limit, cancel }: Tried): void {
  const text = readFileSync(page, 'utf8');
  const part = text.slice(text.indexOf(`<!-- ${command}`), text.indexOf('<!-- to here'));
  const [head = '', ...rows] = part.split('\n').filter(line => line.startsWith('| '));
  const isOther = (line: string) => !line.startsWith(`| ${server} |`);
  const today = new Date().toISOString().slice(0, 10);
  const row = `| ${[server, reads, wall, counted, limit, cancel, today].join(' | ')} |`;
  const rule = head.replaceAll(/[^|]+/g, '---');
  writeInto(page, command, ['', head, rule, ...[...rows.filter(isOther), row].toSorted(), ''].join('\n'));
}

// A machine that has MySQL has no Galera, and lacks nothing.
for (const { name, dialect, missing, start, differs } of servers.filter(one => one.name !== 'Galera' || !isMysql()))
  needs(missing).describe(name, () => {
    let running: Running;
    beforeAll(async () => {
      running = await start();
    }, 180_000);
    afterAll(async () => {
      await running?.database.close();
      await running?.stop();
    }, 60_000);

    test('forty honest reads are answered, a write in a read is refused, a count is exact, limits hold', async () => {
      const { database, before } = running;
      const status = await database.status(call);
      if (status.kind !== 'done') throw new Error(JSON.stringify(status));
      const seen = await tried(database, dialect);
      const server = [before, status.value.serverVersion].filter(word => word !== undefined).join(': ');
      if (process.env.WRITE === '1') write(server, seen);
      expect(seen).toEqual({ ...whole, ...differs });
      expect(status.value.isReadWallMissing ?? false).toBe(false);
    }, 180_000);
  });
