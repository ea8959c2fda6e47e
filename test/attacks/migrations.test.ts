/**
 * What a person is asked while a migration runs; each question costs them a passphrase. A statement
 * that only adds asks nothing. One that asks is then run directly, as after an approval, since
 * later ones need it.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { type Migration, inUse as mysqlInUse, migrations as onMysql } from './migrations-mysql-statements.ts';
import { migrations as onSqlite, inUse as sqliteInUse } from './migrations-sqlite-statements.ts';
import { writingClient } from './write-as-a-client.ts';

const missing = mariadbUnavailable();
let server: MariadbServer;
let mysql: Database;
let sqlite: Database;
let folder = '';
const file = (): string => join(folder, 'moves.db');
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-moves-'));
  withDriver(file(), driver => driver.exec(sqliteInUse));
  sqlite = openFile(file());
  if (missing !== null) return;
  server = await lendMariadb();
  await server.client(mysqlInUse);
  mysql = openMysql(endpointOf(server, { database: 'moves', user: 'root' }), portsOf(server));
}, 120_000);
afterAll(async () => {
  await sqlite.close();
  rmSync(folder, { recursive: true, force: true });
  await server?.client('drop database if exists moves');
  await mysql?.close();
  await server?.stop();
}, 60_000);

/**
 * @param beside runs a statement as after an approval.
 * @returns the statements that asked, and the errors.
 */
async function move(
  { statements }: Migration,
  client: (sql: string) => Promise<string>,
  beside: (sql: string) => Promise<void>,
): Promise<{ readonly asked: string[]; readonly failed: string[] }> {
  const [asked, failed]: [string[], string[]] = [[], []];
  for (const sql of statements) {
    const end = await client(sql);
    if (end.startsWith('denied: ')) {
      asked.push(sql);
      await beside(sql);
    } else if (end !== 'done') failed.push(`${sql}: ${end}`);
  }
  return { asked, failed };
}

const engines = [
  {
    engine: 'MySQL and MariaDB',
    migrations: onMysql,
    lacks: missing,
    client: () => writingClient(() => mysql, { database: 'moves', databases: 'all' }),
    beside: (sql: string) => server.client(`use moves; ${sql}`),
  },
  {
    engine: 'SQLite',
    migrations: onSqlite,
    lacks: null,
    client: () => writingClient(() => sqlite, { filePath: file() }),
    beside: async (sql: string) => withDriver(file(), driver => driver.exec(sql)),
  },
];

for (const { engine, migrations, lacks, client, beside } of engines)
  describe(engine, () => {
    for (const migration of migrations)
      needs(lacks).test(
        `${migration.tool} ${migration.does}: ${migration.ask.length} of ${migration.statements.length} ask`,
        async () => {
          const { asked, failed } = await move(migration, client(), async sql => void (await beside(sql)));
          expect(failed).toEqual([]);
          expect(asked).toEqual(migration.ask.map(beginning => expect.stringContaining(beginning)));
        },
      );
  });
