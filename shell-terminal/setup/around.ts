/**
 * Finds databases nearby: SQLite files in the folder, and servers of this machine on their usual
 * ports and sockets.
 */

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import { account } from '../../shared/account.ts';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type Candidate, type FoundDatabases, mergeFound, nothingFound } from './candidate.ts';

const mostFiles = 20;
/**
 * A new file may be empty; any other begins with these bytes (SQLite's "Database File Format",
 * 1.3).
 */
const firstBytes = 'SQLite format 3\0';

export function filesIn(base: PathBase): FoundDatabases {
  const candidates: Candidate[] = [];
  for (const name of namesIn(base.cwd)) {
    if (candidates.length === mostFiles) break;
    if (!isSqliteFile(join(base.cwd, name))) continue;
    const connection = parseConnectionUrl(`./${name}`, base);
    if (connection.kind !== 'parsed') continue;
    candidates.push({
      name: name.slice(0, name.length - extname(name).length) || name,
      from: 'this folder',
      connection,
    });
  }
  return { candidates, unreadable: [] };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function isSqliteFile(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const read = Buffer.alloc(firstBytes.length);
      return readSync(file, read, 0, read.length, 0) === read.length && read.toString('latin1') === firstBytes;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

const lookMilliseconds = 300;
const usualSockets = {
  postgres: ['/var/run/postgresql/.s.PGSQL.5432', '/tmp/.s.PGSQL.5432'],
  mysql: ['/run/mysqld/mysqld.sock', '/tmp/mysql.sock'],
};

/** Only checks that they listen; sends them nothing. */
export async function serversHere(base: PathBase, sockets = usualSockets): Promise<FoundDatabases> {
  const { name } = account();
  const user = name === null ? '' : `${encodeURIComponent(name)}@`;
  const [postgres, mysql] = await Promise.all([listens(5432), listens(3306)]);
  const [postgresSocket, mysqlSocket] = [sockets.postgres.find(existsSync), sockets.mysql.find(existsSync)];
  const folder = postgresSocket === undefined ? '' : encodeURIComponent(postgresSocket.replace(/\/[^/]*$/, ''));
  return mergeFound([
    postgresSocket === undefined ? nothingFound : at('postgres', `postgres://${user}/postgres?host=${folder}`, base),
    postgres ? at('postgres', `postgres://${user}127.0.0.1:5432/postgres`, base) : nothingFound,
    mysqlSocket === undefined
      ? nothingFound
      : at('mysql', `mysql://${user}/?socket=${encodeURIComponent(mysqlSocket)}`, base),
    mysql ? at('mysql', `mysql://${user}127.0.0.1:3306/`, base) : nothingFound,
  ]);
}

function at(name: string, url: string, base: PathBase): FoundDatabases {
  const connection = parseConnectionUrl(url, base);
  if (connection.kind !== 'parsed') return nothingFound;
  return { candidates: [{ name, from: 'a server that listens here', connection }], unreadable: [] };
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(lookMilliseconds, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
