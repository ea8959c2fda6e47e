/** Databases that the own files of PostgreSQL's and MySQL's clients name: `.pgpass`, `pg_service.conf`, `.my.cnf`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type Found, nothingFound, together } from './candidate.ts';
import { keyValues } from './variables.ts';

/** @param environment where PGPASSFILE and PGSERVICEFILE may name others. */
export function inServersFiles(base: PathBase, environment: Readonly<Record<string, string | undefined>>): Found {
  const { PGPASSFILE, PGSERVICEFILE } = environment;
  return together([
    inPasswordFile(PGPASSFILE || join(base.home, '.pgpass'), base),
    inServiceFile(PGSERVICEFILE || join(base.home, '.pg_service.conf'), base),
    inOptionFile(join(base.home, '.my.cnf'), base),
  ]);
}

/** Null where it isn't there or isn't ours to read. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** PostgreSQL's manual, "The Password File": host:port:database:user:password, `*` for any; a backslash takes what comes next as it is. */
function inPasswordFile(path: string, base: PathBase): Found {
  const lines = (textOf(path) ?? '').split('\n').filter(line => line.trim() !== '' && !line.startsWith('#'));
  return together(
    lines.map(line => {
      const [host, port, database, user, password] = fieldsOf(line);
      // A line that fits any server names none.
      if (password === undefined || host === '*' || host === '' || user === '*') return nothingFound;
      const named = (value: string | undefined): string | undefined => (value === '*' ? undefined : value);
      return read({ host, port: named(port), dbname: named(database), user, password }, path, null, base);
    }),
  );
}

function fieldsOf(line: string): string[] {
  const fields = [''];
  for (const [, escaped, character = ''] of line.matchAll(/\\(.)|(.)/gsu)) {
    if (escaped === undefined && character === ':' && fields.length < 5) fields.push('');
    else fields.push(`${fields.pop()}${escaped ?? character}`);
  }
  return fields;
}

/** PostgreSQL's manual, "The Connection Service File": an INI file, a section a service. */
function inServiceFile(path: string, base: PathBase): Found {
  return together(
    sectionsOf(textOf(path) ?? '').map(([name, { host, port, dbname, user, password, sslmode, sslrootcert }]) =>
      host === undefined
        ? nothingFound
        : read({ host, port, dbname, user, password, sslmode, sslrootcert }, path, name, base),
    ),
  );
}

function read(
  pairs: Readonly<Record<string, string | undefined>>,
  from: string,
  name: string | null,
  base: PathBase,
): Found {
  const connection = parseConnectionUrl(keyValues(pairs), base);
  if (connection.kind === 'refused') return { candidates: [], unreadable: [{ from, problem: connection.problem }] };
  const called = name ?? connection.endpoint.database ?? connection.endpoint.host ?? 'postgres';
  return { candidates: [{ name: called, from, connection }], unreadable: [] };
}

/** MySQL's manual, "Using Option Files": the group [client], of which [mysql] may say otherwise. */
function inOptionFile(path: string, base: PathBase): Found {
  const groups = new Map(sectionsOf(textOf(path) ?? ''));
  const { host, port, socket, user, password, database } = { ...groups.get('client'), ...groups.get('mysql') };
  if (host === undefined && socket === undefined && user === undefined) return nothingFound;
  const url = new URL(`mysql://${host ?? '127.0.0.1'}`);
  Object.assign(url, { port: port ?? '', username: user ?? '', pathname: database ?? '' });
  if (socket !== undefined) url.searchParams.set('socket', socket);
  const connection = parseConnectionUrl(url.href, base);
  if (connection.kind === 'refused')
    return { candidates: [], unreadable: [{ from: path, problem: connection.problem }] };
  const candidate = {
    name: database ?? 'mysql',
    from: path,
    connection: { ...connection, password: password ?? null },
  };
  return { candidates: [candidate], unreadable: [] };
}

type Section = [name: string, values: Readonly<Record<string, string | undefined>>];

function sectionsOf(text: string): Section[] {
  const sections: [string, Record<string, string>][] = [];
  for (const line of text.split('\n').map(untrimmed => untrimmed.trim())) {
    const head = /^\[([^\]]+)\]$/.exec(line)?.[1];
    if (head !== undefined) sections.push([head, {}]);
    const at = line.indexOf('=');
    if (head !== undefined || /^[#;!]/.test(line) || at < 1) continue;
    const value = line.slice(at + 1).trim();
    const [, values = {}] = sections.at(-1) ?? [];
    values[line.slice(0, at).trim().toLowerCase()] = /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
  }
  return sections;
}
