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
  const sections = sectionsOf(textOf(path) ?? '', unquoted);
  return together(
    sections.map(([name, values]) =>
      values.host === undefined ? nothingFound : read(ofService(values), path, name, base),
    ),
  );
}

function ofService(values: Values): Values {
  const { host, port, dbname, user, password, sslmode, sslrootcert, sslcert, sslkey, target_session_attrs } = values;
  return { host, port, dbname, user, password, sslmode, sslrootcert, sslcert, sslkey, target_session_attrs };
}

function read(pairs: Values, from: string, name: string | null, base: PathBase): Found {
  const connection = parseConnectionUrl(keyValues(pairs), base);
  if (connection.kind === 'refused') return { candidates: [], unreadable: [{ from, problem: connection.problem }] };
  const called = name ?? connection.endpoint.database ?? connection.endpoint.host ?? 'postgres';
  return { candidates: [{ name: called, from, connection }], unreadable: [] };
}

/** MySQL's manual, "Using Option Files": the group [client], of which [mysql] may say otherwise. */
function inOptionFile(path: string, base: PathBase): Found {
  const groups = new Map(sectionsOf(textOf(path) ?? '', optionValue));
  const options = { ...groups.get('client'), ...groups.get('mysql') };
  const { host, socket, user, password, database } = options;
  if (host === undefined && socket === undefined && user === undefined) return nothingFound;
  const connection = parseConnectionUrl(urlOf(options), base);
  if (connection.kind === 'refused')
    return { candidates: [], unreadable: [{ from: path, problem: connection.problem }] };
  const candidate = {
    name: database ?? 'mysql',
    from: path,
    connection: { ...connection, password: password ?? null },
  };
  return { candidates: [candidate], unreadable: [] };
}

/** Without the password. As MySQL's own clients read it, the socket stands for `localhost` alone. */
function urlOf(options: Values): string {
  const { host = 'localhost', port, socket, user = '', database = '' } = options;
  const isSocket = socket !== undefined && host === 'localhost';
  const server = host === 'localhost' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const place = isSocket ? '' : port === undefined ? server : `${server}:${port}`;
  const further = [
    ['socket', isSocket ? socket : undefined],
    ...tlsNames.map(name => [name, options[name] ?? options[name.replace('-', '_')]]),
  ];
  const query = further.flatMap(([name, value = '']) => (value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]));
  return `mysql://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}?${query.join('&')}`;
}

const tlsNames = ['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key'] as const;

type Values = Readonly<Record<string, string | undefined>>;
type Section = [name: string, values: Values];

function sectionsOf(text: string, readTyped: (typed: string) => string): Section[] {
  const sections: [string, Record<string, string>][] = [];
  for (const line of text.split('\n').map(untrimmed => untrimmed.trim())) {
    const head = /^\[([^\]]+)\]$/.exec(line)?.[1];
    if (head !== undefined) sections.push([head, {}]);
    const at = line.indexOf('=');
    if (head !== undefined || /^[#;!]/.test(line) || at < 1) continue;
    const [, values = {}] = sections.at(-1) ?? [];
    values[line.slice(0, at).trim().toLowerCase()] = readTyped(line.slice(at + 1).trim());
  }
  return sections;
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', s: ' ' };

function optionValue(typed: string): string {
  const value = unquoted(beforeComment(typed).trim());
  return value.replace(/\\([ntrbs"'\\])/g, (_, letter: string) => escaped[letter] ?? letter);
}

/** What follows a # outside quotes is a comment, in the middle of a word too. */
function beforeComment(typed: string): string {
  let quote = '';
  for (let at = 0; at < typed.length; at += 1) {
    const character = typed.charAt(at);
    if (quote === '' && character === '#') return typed.slice(0, at);
    if (quote !== '' && character === '\\') at += 1;
    else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
  }
  return typed;
}
