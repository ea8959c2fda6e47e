/**
 * How a client starts each rival, as its README says: told to read only if it can be told, and with
 * writes allowed.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf, type Rival, toolbox } from '../rivals-folder.ts';
import type { Access, Entry, Place } from './place.ts';

/** @returns null if it doesn't know the engine, or has no such access. */
export function entryOf(rival: Rival, place: Place, access: Access): Entry | null {
  const made = entries[rival](place, access);
  return made === null ? null : { ...made, env: { HOME: place.folder, ...made.env } };
}

const entries: Readonly<Record<Rival, (place: Place, access: Access) => Entry | null>> = {
  dbhub: (place, access) => node('dbhub', ['--transport', 'stdio', '--config', dbhubFile(place, access)]),
  'MCP Toolbox': (place, access) => ({
    command: toolbox,
    args: ['--prebuilt', place.engine, '--stdio', '--disable-version-check'],
    env: toolboxEnvironment(place, access),
  }),
  'server-postgres': (place, access) =>
    place.engine === 'postgres' && access === 'reads' ? node('server-postgres', [urlOf(place)]) : null,
  'mcp-server-mysql': ({ engine, host, port, user, password, database }, access) => {
    if (engine !== 'mysql') return null;
    const allowed = access === 'writes' ? { ALLOW_DELETE_OPERATION: 'true' } : {};
    const account = { MYSQL_USER: user, MYSQL_PASS: password, MYSQL_DB: database };
    return node('mcp-server-mysql', [], { MYSQL_HOST: host, MYSQL_PORT: String(port), ...account, ...allowed });
  },
};

function node(rival: Rival, args: readonly string[], env: Entry['env'] = {}): Entry {
  return { command: process.execPath, args: [programOf(rival), ...args], env };
}

/**
 * Its `readOnly` is for Google's clouds. PostgreSQL itself can be asked to begin transactions
 * that only read; for MySQL it has nothing.
 */
function toolboxEnvironment(place: Place, access: Access): Entry['env'] {
  const only = access === 'reads' ? ', default_transaction_read_only: "on"' : '';
  return {
    ...toolboxAccount(place.engine, place),
    ...(place.engine === 'postgres' && { POSTGRES_QUERY_PARAMS: `{ sslmode: disable${only} }` }),
  };
}

export function toolboxAccount(
  engine: Place['engine'],
  { host, port, user, password, database }: Omit<Place, 'engine' | 'folder'>,
): Entry['env'] {
  const prefix = engine.toUpperCase();
  return {
    [`${prefix}_HOST`]: host,
    [`${prefix}_PORT`]: String(port),
    [`${prefix}_USER`]: user,
    [`${prefix}_PASSWORD`]: password,
    [`${prefix}_DATABASE`]: database,
  };
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
