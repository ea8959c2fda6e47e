/** Reads the URL of a database server: host or socket, user, database, TLS. Part of `connection-url.ts`, and as silent about secrets. */

import type { TlsModeWord } from './control-commands.ts';
import { absolutePath, type ConnectionUrl, decoded, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';

type Engine = 'postgres' | 'mysql';

/** What may stand after `?`, and what it sets. */
const optionNames: Readonly<Record<string, Option>> = {
  host: 'host',
  port: 'port',
  user: 'user',
  password: 'password',
  dbname: 'database',
  socket: 'socket',
  sslmode: 'tlsMode',
  'ssl-mode': 'tlsMode',
  tls: 'tlsMode',
  sslrootcert: 'caFile',
  'ssl-ca': 'caFile',
  ca: 'caFile',
};
type Option = 'host' | 'port' | 'user' | 'password' | 'database' | 'socket' | 'tlsMode' | 'caFile';
export type Given = Partial<Record<Option, string>>;

export function optionNamed(name: string): Option | undefined {
  return Object.hasOwn(optionNames, name) ? optionNames[name] : undefined;
}

/** PostgreSQL's words, ours and MySQL's. `allow` is missing on purpose: it tries clear text first. */
const tlsModes: Readonly<Record<string, TlsModeWord>> = {
  disable: 'disable',
  disabled: 'disable',
  prefer: 'prefer',
  preferred: 'prefer',
  require: 'require',
  required: 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  'verify-identity': 'verify-full',
};

const encodingHint =
  'in a user name or password the characters : / ? # [ ] @ and % are written as %3A %2F %3F %23 %5B %5D %40 %25';

export function readServerUrl(engine: Engine, text: string, base: PathBase): ConnectionUrl {
  const shape = /^[a-z]+:\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(#.*)?$/is.exec(text);
  if (shape === null) return refusedUrl(`After the scheme // is expected, as in ${engine}://user@host/database.`);
  const [, authority = '', path = '', query = '', fragment] = shape;
  if (fragment !== undefined) return refusedUrl(`The URL has a bare # in it; ${encodingHint}.`);
  // What follows a space was pasted along, as a password may be.
  if (/\s/.test(text)) return refusedUrl('The URL has a space in it; remove it, or write it %20.');

  if (path.includes('@')) return refusedUrl(`The URL has a bare / before its last @; ${encodingHint}.`);
  const place = readAuthority(authority);
  if ('kind' in place) return place;
  const options = readOptions(query);
  if ('kind' in options) return options;
  const pathDatabase = decoded(path.slice(1));
  if (pathDatabase === null || path.slice(1).includes('/')) {
    return refusedUrl('After the host one database name is expected; a / in it is written %2F, a % as %25.');
  }

  const merged: Given = { ...options.given };
  for (const [option, value] of Object.entries({ ...place, database: pathDatabase }) as [Option, string][]) {
    if (value === '') continue;
    if (merged[option] !== undefined) return refusedUrl(`The URL gives its ${option} twice; remove one.`);
    merged[option] = value;
  }
  return connectionOf(engine, merged, base);
}

/** Of what was given for each option, in a URL or in pairs. */
export function connectionOf(engine: Engine, given: Given, base: PathBase): ConnectionUrl {
  if (given.host?.includes(',')) return refusedUrl('The URL names several hosts; one is expected.');
  const port = given.port === undefined ? null : Number(given.port);
  if (port !== null && !(/^\d{1,5}$/.test(given.port ?? '') && port >= 1 && port <= 65_535)) {
    return refusedUrl(`The port in the URL is not a number from 1 to 65535; ${encodingHint}.`);
  }
  // The way PostgreSQL's own clients name a socket: its folder, in the host's place.
  const hostIsPath = given.host?.startsWith('/') === true;
  if (hostIsPath && given.socket !== undefined) return refusedUrl('The URL names two sockets; remove one.');
  const socket = hostIsPath ? given.host : given.socket;
  const host = hostIsPath ? null : (given.host ?? null);
  if (socket !== undefined && host !== null) return refusedUrl('The URL names a host and a socket; remove one.');
  if (socket === undefined && host === null) return refusedUrl('The URL names no host; one is expected after //.');
  const socketPath = socket === undefined ? null : socketPathOf(engine, socket, port, base);
  if (socket !== undefined && socketPath === null) return refusedUrl('The path of the socket must be written out.');

  const tls = tlsOf(given, base);
  if ('kind' in tls) return tls;
  for (const part of [host, given.user, given.database, given.password]) {
    if (part != null && /\p{Cc}/u.test(part))
      return refusedUrl('The URL has an encoded control character in it; remove it.');
  }
  return {
    kind: 'parsed',
    endpoint: {
      engine,
      host,
      port,
      socketPath,
      filePath: null,
      database: given.database ?? null,
      user: given.user ?? null,
    },
    tls,
    password: given.password ?? null,
  };
}

type Authority = Readonly<Record<'user' | 'password' | 'host' | 'port', string>>;

function readAuthority(authority: string): Authority | RefusedUrl {
  const at = authority.lastIndexOf('@');
  const account = authority.slice(0, Math.max(at, 0));
  const place = authority.slice(at + 1);
  if (account.includes('@')) return refusedUrl(`The URL has more than one @ before the host; ${encodingHint}.`);
  const colon = account.indexOf(':');
  const user = decoded(colon === -1 ? account : account.slice(0, colon));
  const password = decoded(colon === -1 ? '' : account.slice(colon + 1));
  if (user === null || password === null)
    return refusedUrl(`A % in the URL is not followed by two hexadecimal digits; ${encodingHint}.`);

  const bracketed = /^\[([0-9a-f:.]+)\](?::(.*))?$/i.exec(place);
  if (bracketed !== null) return { user, password, host: bracketed[1] ?? '', port: bracketed[2] ?? '' };
  const plain = /^([^:[\]]*)(?::([^:]*))?$/.exec(place);
  const host = decoded(plain?.[1] ?? '');
  if (plain === null || host === null) {
    return refusedUrl(`The host in the URL can't be read: an IPv6 address stands in brackets, and ${encodingHint}.`);
  }
  return { user, password, host, port: plain[2] ?? '' };
}

function readOptions(query: string): { readonly given: Given } | RefusedUrl {
  // The rest of a password with a bare ? in it: what looks like an option's name must not be repeated.
  if (query.includes('@')) return refusedUrl(`The URL has a bare ? before its last @; ${encodingHint}.`);
  const given: Given = {};
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    // No form encoding: a + is a +, as the databases' own clients read it.
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1));
    const option = name === null ? undefined : optionNamed(name);
    if (option === undefined) {
      // The rest of a password with a bare & in it looks like one.
      const shown = equals === -1 || given.password !== undefined ? shownName(null) : shownName(name);
      return refusedUrl(
        `The URL has an option Sallyport doesn't know, ${shown}; it knows ${Object.keys(optionNames).join(', ')}.`,
      );
    }
    if (value === null || value === '') return refusedUrl(`The URL's option ${name} has no readable value.`);
    if (given[option] !== undefined)
      return refusedUrl(`The URL's option ${name} says again what another one said; remove one.`);
    given[option] = value;
  }
  return { given };
}

/** A name as options have them, or nothing: a stray piece of a password must not be repeated. */
function shownName(name: string | null): string {
  return name !== null && /^[a-z][a-z_-]{0,39}$/i.test(name) ? name : 'whose name is unusual';
}

function tlsOf(
  given: Given,
  base: PathBase,
): { readonly mode: TlsModeWord | null; readonly caFile: string | null } | RefusedUrl {
  const word = given.tlsMode?.toLowerCase().replaceAll('_', '-');
  const mode = word !== undefined && Object.hasOwn(tlsModes, word) ? tlsModes[word] : undefined;
  if (word !== undefined && mode === undefined) {
    return refusedUrl('The TLS mode in the URL is not one of disable, prefer, require, verify-ca, verify-full.');
  }
  // PostgreSQL's word for the system's own certificate authorities, which are ours without a file.
  if (given.caFile === undefined || given.caFile === 'system') return { mode: mode ?? null, caFile: null };
  const caFile = absolutePath(given.caFile, base);
  if (caFile === null) return refusedUrl('The path of the CA file must be written out.');
  return { mode: mode ?? null, caFile };
}

/** PostgreSQL's sockets are named by their folder and the port. */
function socketPathOf(engine: Engine, socket: string, port: number | null, base: PathBase): string | null {
  const path = absolutePath(socket, base);
  if (path === null || engine === 'mysql' || /\/\.s\.PGSQL\.\d+$/.test(path)) return path;
  return `${path === '/' ? '' : path}/.s.PGSQL.${port ?? 5432}`;
}
