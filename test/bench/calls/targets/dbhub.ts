/** dbhub: one statement at a time, read-only, as its own configuration file sets it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dbhub } from '../../rivals-folder.ts';
import type { Database } from '../databases.ts';
import { rowsOfObjects } from '../workloads.ts';
import { freePort, startServer } from './server-process.ts';
import type { Target, Undo } from './target.ts';

export async function startDbhub(database: Database, folder: string, undo: Undo): Promise<Target> {
  const port = await freePort();
  const file = join(folder, `dbhub-${database.engine}.toml`);
  const source = `[[sources]]\nid = "bench"\ndsn = "${dsnOf(database)}"\n`;
  const tool = '[[tools]]\nname = "execute_sql"\nsource = "bench"\nreadonly = true\nmax_rows = 10000\n';
  writeFileSync(file, `${source}\n${tool}`, { mode: 0o600 });
  const command = [process.execPath, dbhub, '--transport', 'http', '--port', String(port), '--config', file];
  const pid = await startServer(command, port, { HOST: '127.0.0.1' }, undo);
  return {
    ...{ name: 'dbhub, read-only', engine: database.engine, era: '2025-11-25', port, path: '/mcp', tokens: [], pid },
    call: ({ sql }) => ({ tool: 'execute_sql', args: { sql } }),
    rowsOf({ content }) {
      const { data } = JSON.parse(content?.[0]?.text ?? '{}');
      return rowsOfObjects(data.statements[0].rows);
    },
  };
}

function dsnOf({ engine, user, password, host, port, database }: Database): string {
  if (engine === 'sqlite') return `sqlite://${database}`;
  return `${engine}://${user}:${password}@${host}:${port}/${database}?sslmode=disable`;
}
