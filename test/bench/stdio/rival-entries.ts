/**
 * How a client starts each rival, as its README says: told to read only if it can be told, and with
 * writes allowed.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf, type Rival, toolbox } from '../rivals-folder.ts';
import type { Entry, Place } from './place.ts';

/** How far it may go. */
export type Access = 'reads' | 'writes';

/** @returns null if it doesn't know the engine. */
export function entryOf(rival: Rival, place: Place, access: Access): Entry | null {
  const { engine, host, user, password, database } = place;
  const port = String(place.port);
  const node = (args: readonly string[], env = {}) => ({
    command: process.execPath,
    args: [programOf(rival), ...args],
    env,
  });
  if (rival === 'dbhub') return node(['--transport', 'stdio', '--config', dbhubFile(place, access)]);
  if (rival === 'MCP Toolbox') {
    const prefix = engine.toUpperCase();
    const env = {
      [`${prefix}_HOST`]: host,
      [`${prefix}_PORT`]: port,
      [`${prefix}_USER`]: user,
      [`${prefix}_PASSWORD`]: password,
      [`${prefix}_DATABASE`]: database,
      ...(engine === 'postgres' && { POSTGRES_QUERY_PARAMS: '{ sslmode: disable }' }),
    };
    return { command: toolbox, args: ['--prebuilt', engine, '--stdio', '--disable-version-check'], env };
  }
  if (rival === 'server-postgres') return engine === 'postgres' ? node([urlOf(place)]) : null;
  if (engine !== 'mysql') return null;
  const allowed = access === 'writes' ? { ALLOW_DELETE_OPERATION: 'true', ALLOW_UPDATE_OPERATION: 'true' } : {};
  const account = { MYSQL_USER: user, MYSQL_PASS: password, MYSQL_DB: database };
  return node([], { MYSQL_HOST: host, MYSQL_PORT: port, ...account, ...allowed });
}

/** Its own file is where it takes `readonly`. */
function dbhubFile(place: Place, access: Access): string {
  const file = join(place.folder, `dbhub-${place.engine}-${access}.toml`);
  const tool = (name: string, more = '') => `[[tools]]\nname = "${name}"\nsource = "shop"\n${more}\n`;
  const tools = tool('execute_sql', access === 'reads' ? 'readonly = true\n' : '') + tool('search_objects');
  writeFileSync(file, `[[sources]]\nid = "shop"\ndsn = "${urlOf(place)}"\n\n${tools}`, { mode: 0o600 });
  return file;
}

function urlOf({ engine, host, port, user, password, database }: Place): string {
  return `${engine}://${user}:${password}@${host}:${port}/${database}?sslmode=disable`;
}
