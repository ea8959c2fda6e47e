/**
 * PostgreSQL's `.pgpass` (its manual, "The Password File"): the databases it names, and its
 * passwords for other candidates.
 */

import { statSync } from 'node:fs';
import { account } from '../../shared/account.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type Candidate, type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { textOf } from './files.ts';
import { connectionOfParts } from './parts.ts';

type Line = readonly [host: string, port: string, database: string, user: string, password: string];

export interface PasswordFile {
  readonly path: string;
  readonly lines: readonly Line[];
  /** How many lines lack five fields. */
  readonly unreadable: number;
  /** libpq takes no password from a file that others may read. */
  readonly isOpen: boolean;
}

export function readPasswordFile(path: string): PasswordFile {
  if (isOpenToOthers(path)) return { path, lines: [], unreadable: 0, isOpen: true };
  const written = (textOf(path) ?? '').split(/\r?\n/).filter(line => line.trim() !== '' && !line.startsWith('#'));
  const lines = written.map(fieldsOf).filter(fields => fields.length === 5) as unknown as readonly Line[];
  return { path, lines, unreadable: written.length - lines.length, isOpen: false };
}

function isOpenToOthers(path: string): boolean {
  try {
    const found = statSync(path);
    // /dev/null, by which people switch it off, stays as it is.
    return found.isFile() && (found.mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

/** `host:port:database:user:password`, `*` for any; a backslash keeps the next character. */
function fieldsOf(line: string): string[] {
  const fields = [''];
  for (const [, escaped, character = ''] of line.matchAll(/\\(.)|(.)/gsu)) {
    if (escaped === undefined && character === ':' && fields.length < 5) fields.push('');
    else fields.push(`${fields.pop()}${escaped ?? character}`);
  }
  return fields;
}

/**
 * A line for any server or any user names no database; it only gives its password to databases
 * found elsewhere.
 */
export function inPasswordFile({ path, lines, unreadable, isOpen }: PasswordFile, base: PathBase): FoundDatabases {
  if (isOpen)
    return unusable(path, "Others may read it, so PostgreSQL's own clients pass over it; run `chmod 600` on it.");
  const named = lines.map(([host, port, database, user, password]): FoundDatabases => {
    if (host === '*' || host === '' || user === '*') return nothingFound;
    const known = (value: string): string | undefined => (value === '*' ? undefined : value);
    const place = host.startsWith('/') ? { socket: host } : { host };
    const parts = {
      engine: 'postgres',
      ...place,
      port: known(port),
      database: known(database),
      user,
      password,
    } as const;
    const connection = connectionOfParts(parts, base);
    if (connection.kind === 'refused') return unusable(path, connection.problem);
    return { candidates: [{ name: known(database) ?? host, from: path, connection }], unreadable: [] };
  });
  const problem = `${unreadable === 1 ? 'A line' : `${unreadable} lines`} of it can't be read.`;
  return mergeFound([...named, unreadable === 0 ? nothingFound : unusable(path, problem)]);
}

/** Like libpq, for a connection without a password: takes the first line that fits. */
export function withPasswordFrom({ path, lines }: PasswordFile, candidate: Candidate): Candidate {
  const { endpoint, password } = candidate.connection;
  if (endpoint.engine !== 'postgres' || password !== null) return candidate;
  const user = endpoint.user ?? account().name ?? '';
  const { hosts, port } = placeOf(endpoint);
  const asked = [hosts, [port], [endpoint.database ?? user], [user]];
  const line = lines.find(fields =>
    asked.every((values, at) => fields[at] === '*' || values.includes(fields[at] ?? '')),
  );
  if (line === undefined) return candidate;
  const connection = { ...candidate.connection, password: line[4] };
  return { ...candidate, connection, passwordFrom: path };
}

/** Where sockets are if nobody says otherwise; a line for `localhost` is for these too. */
const usualSocketFolders = ['/tmp', '/run/postgresql', '/var/run/postgresql'];

/** As the file names a server: a socket by its folder and the port that its name ends with. */
function placeOf({ host, port, socketPath }: Candidate['connection']['endpoint']): {
  readonly hosts: readonly string[];
  readonly port: string;
} {
  if (socketPath === null) return { hosts: [host ?? 'localhost'], port: `${port ?? 5432}` };
  const [, folder = socketPath, ofName] = /^(.*)\/\.s\.PGSQL\.(\d+)$/.exec(socketPath) ?? [];
  const isUsual = usualSocketFolders.includes(folder);
  return { hosts: isUsual ? [folder, 'localhost'] : [folder], port: ofName ?? `${port ?? 5432}` };
}

/** True if another candidate says better what a line for all databases of a server says. */
export function isCovered({ connection: { endpoint } }: Candidate, others: readonly Candidate[]): boolean {
  return (
    endpoint.database === null &&
    others.some(({ connection: { endpoint: other } }) => {
      return (
        other.engine === 'postgres' &&
        other.host === endpoint.host &&
        other.socketPath === endpoint.socketPath &&
        (other.port ?? 5432) === (endpoint.port ?? 5432) &&
        other.user === endpoint.user
      );
    })
  );
}
