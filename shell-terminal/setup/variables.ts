/**
 * Databases in variables: those of this shell, or of a file that the person named. Looks at values
 * first, whatever the names.
 */

import { isConnectionText } from '../../shared/connection-url.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { isPlaceholder } from '../../shared/placeholders.ts';
import { parseTunnelledUrl } from '../../shared/ssh-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import {
  type Candidate,
  type FoundDatabases,
  mergeFound,
  nameFor,
  nothingFound,
  unsetVariable,
  unusable,
} from './candidate.ts';
import { isUnfilled, plainVariable, type Variables } from './expanded.ts';
import { inVariableParts } from './variable-parts.ts';

/**
 * `DATABASE_URL`, `SHOP_DATABASE_URL`, `POSTGRES_URL`: in these, an SQLite path or a reference
 * counts as a database too.
 */
const urlName = /(?:^|_)(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MARIADB|DATASOURCE|SQLITE)_(?:URL|URI|DSN)$/;
const sqliteFile = /^file:|\.(?:db|sqlite3?|s3db)$/i;

/** @param where ends the sentence that says where it was found: `in .env`. */
export function inVariables(variables: Variables, where: string, base: PathBase): FoundDatabases {
  const urls = Object.entries(variables).map(([name, value = '']) => {
    if (urlName.test(plainVariable(name)) && /^\$\{|^\$\(/.test(value.trim())) return unsetVariable(`${name} ${where}`);
    const isNamedSo = urlName.test(plainVariable(name));
    // Also a URL of another kind, which is then reported.
    const isUrl = isConnectionText(value.trim()) || (isNamedSo && value.includes('://'));
    if (!isUrl && !(isNamedSo && sqliteFile.test(value.trim().split('?')[0] ?? ''))) return nothingFound;
    // Symfony's word for the folder of its files.
    const url = value.replace('%kernel.project_dir%', () => encodeURI(base.cwd));
    return fromUrl(url, `${name} ${where}`, { ...companionsOf(name, variables), called: calledBy(name) }, base);
  });
  const endpoints = urls.flatMap(({ candidates }) => candidates.map(({ connection }) => connection.endpoint));
  const engineAt = new Map(endpoints.map(({ host, engine }) => [host, engine]));
  return mergeFound([
    ...urls,
    ofLibpq(variables, where, base),
    inVariableParts(variables, where, base, host => engineAt.get(host)),
  ]);
}

/** Databases that a server has from the start; the variable's name says more than theirs. */
const fromTheStart = new Set(['postgres', 'mysql', 'defaultdb']);

/** `SHOP_DATABASE_URL` gives `shop`. */
function calledBy(variable: string): string | null {
  const stem = /^(.+)_(?:DATABASE|DB)_(?:URL|URI)$/.exec(variable)?.[1];
  return stem === undefined ? null : stem.toLowerCase().replaceAll('_', '-');
}

interface Companions {
  /** Null if the variable's name says nothing. */
  readonly called: string | null;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** The user and password that belong to `SPRING_DATASOURCE_URL`. */
function companionsOf(name: string, variables: Variables): Omit<Companions, 'called'> {
  const stem = plainVariable(name).replace(/_(?:URL|URI|DSN)$/, '');
  const beside = new Map(Object.entries(variables).map(([key, value]) => [plainVariable(key), value]));
  // Quarkus names the URL's kind, and not the user's.
  const shorter = stem.replace(/_(?:JDBC|REACTIVE)$/, '');
  const above = shorter.includes('_DATASOURCE') ? shorter : stem;
  const filledIn = (key: string): string | undefined => {
    const value = beside.get(`${stem}_${key}`) ?? beside.get(`${above}_${key}`) ?? '';
    return value === '' || isUnfilled(value) || isPlaceholder(value) ? undefined : value;
  };
  return { user: filledIn('USERNAME') ?? filledIn('USER'), password: filledIn('PASSWORD') };
}

function fromUrl(url: string, from: string, { user, password, called }: Companions, base: PathBase): FoundDatabases {
  const read = parseTunnelledUrl(url, base);
  if (read.kind === 'refused') return unusable(from, read.problem);
  if (read.endpoint.filePath !== null && isUnfilled(read.endpoint.filePath)) return unsetVariable(from);
  const isBeside = !connectionsOf[read.endpoint.engine].isFile && read.endpoint.user === null && user !== undefined;
  const connection: Candidate['connection'] = isBeside
    ? { ...read, endpoint: { ...read.endpoint, user }, password: read.password ?? password ?? null }
    : read;
  const database = nameFor(connection.endpoint);
  const name = fromTheStart.has(database) ? (called ?? database) : database;
  return { candidates: [{ name, from, connection }], unreadable: [] };
}

/** libpq's own variables (PostgreSQL's manual, "Environment Variables"). */
function ofLibpq(variables: Variables, where: string, base: PathBase): FoundDatabases {
  const { PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD } = variables;
  if (!PGHOST && !PGDATABASE) return nothingFound;
  const from = `PGHOST and others ${where}`;
  if ([PGHOST, PGPORT, PGDATABASE, PGUSER].some(value => isUnfilled(value ?? ''))) return unsetVariable(from);
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
    require_auth: variables.PGREQUIREAUTH,
    channel_binding: variables.PGCHANNELBINDING,
  });
  return fromUrl(pairs, from, { user: undefined, password: undefined, called: null }, base);
}

/** In the form of libpq's connection strings. */
export function keyValues(given: Variables): string {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value = '']) => `${key}='${value.replace(/['\\]/g, '\\$&')}'`)
    .join(' ');
}
