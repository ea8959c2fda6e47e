/** SQLite for the suite that loops over the engines: a file in a folder of its own. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openSqlite, type SqlitePorts } from '../../../daemon/engines/sqlite/database.ts';
import type { Engine } from '../../../shared/engine.ts';
import { programFile } from '../../../shared/programs.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { busyChildren } from './busy-children.ts';
import { endless, sqliteCases } from './cases.ts';

const ports: SqlitePorts = {
  password: async () => null,
  now: () => performance.now(),
  refuseFile: () => null,
  workerCommand: null,
};

export function openFile(filePath: string, changed: Partial<SqlitePorts> = {}): Database {
  const nothing = { host: null, port: null, socketPath: null, database: null, user: null } as const;
  const endpoint = {
    ...nothing,
    engine: 'sqlite',
    filePath,
    databases: 'own',
    tls: { mode: 'disable', caFile: null },
    password: { kind: 'none' },
    timeZone: null,
  } as const;
  return openSqlite(endpoint, { ...ports, ...changed });
}

export function engineUnderTest(): EngineUnderTest | { readonly engine: Engine; readonly unavailable: string } {
  if (!existsSync(programFile('sqlite-worker')))
    return { engine: 'sqlite', unavailable: 'the child program is not built: make build' };
  let folder = '';
  const file = () => join(folder, 'looped.db');
  const execute = async (sql: string) => {
    const database = new SqliteFile(file());
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  };
  return {
    engine: 'sqlite',
    async start() {
      folder = await mkdtemp(join(tmpdir(), 'sallyport-sqlite-'));
      await execute('create table written (id integer primary key, note text); insert into written values (1, null)');
    },
    async stop() {
      await rm(folder, { recursive: true, force: true });
    },
    open: () => openFile(file()),
    execute,
    cases: sqliteCases,
    runningStatements: async () => (await busyChildren()).map(pid => `${endless} (process ${pid})`),
  };
}
