/** Databases that DBeaver and TablePlus know. Passwords stay with them: these are encrypted, or in the keychain. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { isObject, parsedJson } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type Candidate, type Found, nothingFound, type Unreadable } from './candidate.ts';
import { textOf } from './servers-files.ts';

const folders: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '.local/share/DBeaverData',
  darwin: 'Library/DBeaverData',
};

/** DBeaver's manual, "Admin: Managing connections": one JSON file a project. */
export function inDBeaver(base: PathBase, platform: NodeJS.Platform = process.platform): Found {
  const folder = folders[platform];
  if (folder === undefined) return nothingFound;
  const path = join(base.home, folder, 'workspace6/General/.dbeaver/data-sources.json');
  const sources: unknown = parsedJson(textOf(path) ?? '{}');
  const connections = isObject(sources) && isObject(sources.connections) ? Object.values(sources.connections) : [];
  const candidates: Candidate[] = [];
  const unreadable: Unreadable[] = [];
  for (const source of connections) {
    if (!isObject(source) || !isObject(source.configuration)) continue;
    const url = urlOf(String(source.provider), source.configuration);
    if (url === null) continue;
    const connection = parseConnectionUrl(url, base);
    const name = typeof source.name === 'string' ? source.name : 'database';
    if (connection.kind === 'parsed') candidates.push({ name, from: 'DBeaver', connection });
    else unreadable.push({ from: `${name} of DBeaver`, problem: connection.problem });
  }
  return { candidates, unreadable };
}

function urlOf(provider: string, { host, port, database, user }: Record<string, unknown>): string | null {
  if (provider === 'sqlite') return typeof database === 'string' ? `sqlite:${encodeURI(database)}` : null;
  const scheme = { postgresql: 'postgres', mysql: 'mysql', mariadb: 'mysql' }[provider];
  if (scheme === undefined || typeof host !== 'string') return null;
  const text = (value: unknown): string => (typeof value === 'string' ? encodeURIComponent(value) : '');
  const who = text(user) === '' ? '' : `${text(user)}@`;
  return `${scheme}://${who}${host}${text(port) === '' ? '' : `:${text(port)}`}/${text(database)}`;
}

/** TablePlus keeps its connections in a property list, which the system's own `plutil` reads; their passwords are in the keychain. */
export function inTablePlus(base: PathBase, platform: NodeJS.Platform = process.platform): Found {
  if (platform !== 'darwin') return nothingFound;
  const path = join(base.home, 'Library/Application Support/com.tinyapp.TablePlus/Data/Connections.plist');
  const read = spawnSync('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path], { encoding: 'utf8' });
  return read.status === 0 ? ofTablePlus(parsedJson(read.stdout), base) : nothingFound;
}

const drivers: Readonly<Record<string, string>> = {
  PostgreSQL: 'postgresql',
  MySQL: 'mysql',
  MariaDB: 'mariadb',
  SQLite: 'sqlite',
};

/** @param listed a list of dictionaries, a connection each. */
function ofTablePlus(listed: unknown, base: PathBase): Found {
  const candidates: Candidate[] = [];
  for (const entry of Array.isArray(listed) ? listed.filter(isObject) : []) {
    const provider = drivers[String(entry.Driver)];
    const configuration = {
      ...{ host: entry.DatabaseHost, port: entry.DatabasePort, user: entry.DatabaseUser },
      database: provider === 'sqlite' ? entry.DatabasePath : entry.DatabaseName,
    };
    const url = provider === undefined ? null : urlOf(provider, configuration);
    const connection = url === null ? null : parseConnectionUrl(url, base);
    const name = typeof entry.ConnectionName === 'string' ? entry.ConnectionName : 'database';
    if (connection?.kind === 'parsed') candidates.push({ name, from: 'TablePlus', connection });
  }
  return { candidates, unreadable: [] };
}
