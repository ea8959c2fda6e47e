/** MCP Toolbox with its prebuilt tools: no token; it may do whatever the account may. */

import { toolbox } from '../../rivals-folder.ts';
import { toolboxAccount } from '../../stdio/rival-entries.ts';
import type { Database } from '../databases.ts';
import { freePort, startServer } from './server-process.ts';
import type { Target, Undo } from './target.ts';

export async function startToolbox(database: Database, undo: Undo): Promise<Target> {
  const port = await freePort();
  const prebuilt = database.engine === 'mariadb' ? 'mysql' : database.engine;
  const listening = ['--address', '127.0.0.1', '--port', String(port)];
  // By default it writes a line for each request.
  const quiet = ['--disable-version-check', '--log-level', 'ERROR'];
  const command = [toolbox, '--prebuilt', prebuilt, ...listening, ...quiet];
  const pid = await startServer(command, port, environmentOf(database), undo);
  return {
    name: 'MCP Toolbox',
    engine: database.engine,
    era: '2025-11-25',
    port,
    path: '/mcp',
    tokens: [],
    pid,
    call: ({ sql }) => ({ tool: 'execute_sql', args: { sql } }),
    // One text per row.
    rowsOf: ({ content = [] }) => content.map(({ text }) => Object.values(JSON.parse(text)).map(String)),
  };
}

function environmentOf(database: Database): Record<string, string> {
  const { engine } = database;
  if (engine === 'sqlite') return { SQLITE_DATABASE: database.database };
  return {
    ...toolboxAccount(engine === 'mariadb' ? 'mysql' : engine, database),
    ...(engine === 'postgres' && { POSTGRES_QUERY_PARAMS: '{ sslmode: disable }' }),
  };
}
