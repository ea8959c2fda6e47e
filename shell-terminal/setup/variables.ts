/** Databases that environment variables name: those of this shell, or of a `.env` file that a person points at. */

import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type Found, nothingFound, together } from './candidate.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** `DATABASE_URL`, `SHOP_DATABASE_URL`, `POSTGRES_URL`: what frameworks and hosts call it. */
const urlName = /^(?:[A-Z0-9_]*_)?(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MARIADB)_(?:URL|URI)$/;

/** @param where ends the sentence that says where it was found: `in .env`. */
export function inVariables(variables: Variables, where: string, base: PathBase): Found {
  const urls = Object.entries(variables)
    .filter(([name, value]) => urlName.test(name) && value !== undefined && value !== '')
    .map(([name, value]) => fromUrl(value ?? '', `${name} ${where}`, nameFrom(name), base));
  return together([...urls, ofLibpq(variables, where, base)]);
}

function fromUrl(url: string, from: string, name: string | null, base: PathBase): Found {
  const read = parseConnectionUrl(url, base);
  if (read.kind === 'refused') return { candidates: [], unreadable: [{ from, problem: read.problem }] };
  const { database, filePath, host } = read.endpoint;
  const called = name ?? database ?? filePath?.split('/').at(-1) ?? host ?? 'database';
  return { candidates: [{ name: called, from, connection: read }], unreadable: [] };
}

/** `SHOP_DATABASE_URL` is of the shop. */
function nameFrom(variable: string): string | null {
  const before = /^(.+)_(?:DATABASE|DB)_(?:URL|URI)$/.exec(variable)?.[1];
  return before === undefined ? null : before.toLowerCase().replaceAll('_', '-');
}

/** libpq's own (PostgreSQL's manual, "Environment Variables"). */
function ofLibpq(variables: Variables, where: string, base: PathBase): Found {
  const { PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD } = variables;
  if (!PGHOST && !PGDATABASE) return nothingFound;
  const pairs = keyValues({
    host: PGHOST || '127.0.0.1',
    port: PGPORT,
    dbname: PGDATABASE,
    user: PGUSER,
    password: PGPASSWORD,
    sslmode: variables.PGSSLMODE,
    sslrootcert: variables.PGSSLROOTCERT,
    sslcert: variables.PGSSLCERT,
    sslkey: variables.PGSSLKEY,
    target_session_attrs: variables.PGTARGETSESSIONATTRS,
  });
  return fromUrl(pairs, `PGHOST and its like ${where}`, null, base);
}

/** As libpq's connection strings have them. */
export function keyValues(given: Variables): string {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value = '']) => `${key}='${value.replace(/['\\]/g, '\\$&')}'`)
    .join(' ');
}
