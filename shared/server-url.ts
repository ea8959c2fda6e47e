/**
 * Reads the URL of a database server: host or socket, user, database, TLS. It is a part of
 * `connection-url.ts`, and repeats no secret in what it says.
 */

import { connectionsOf, type Engine } from './engine.ts';
import { hasUnknownWord } from './jdbc-forms.ts';
import { holdsPlaceholder, isPlaceholder, withPlainPlaceholders } from './placeholders.ts';
import { refusedSessionOptions } from './refused-options.ts';
import { hostsIn, hostsText, mostHosts, namesSocketFile } from './server-hosts.ts';
import { type TargetServersWord, targetServersWords } from './target-servers.ts';
import { type GivenOptions, readOptions } from './url-options.ts';
import { absolutePath, type ConnectionUrl, decoded, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';
import { signInMethodsOf } from './url-sign-in.ts';
import { tlsOf } from './url-tls.ts';

const encodingHint =
  'in a user name or password the characters : / ? # [ ] @ and % are written as %3A %2F %3F %23 %5B %5D %40 %25';

/** @param typed the whole URL, as a person or a file wrote it. */
export function readServerUrl(engine: Engine, typed: string, base: PathBase): ConnectionUrl {
  const text = withPlainPlaceholders(typed);
  const shape = /^(?:jdbc:)?[a-z0-9+._-]+:\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(#.*)?$/is.exec(text);
  if (shape === null && hasUnknownWord(text))
    return refusedUrl("Sallyport doesn't know the word behind the driver's name; leave it out.");
  if (shape === null) return refusedUrl(`Write // after the scheme, as in ${engine}://user@host/database.`);
  const [, authority = '', path = '', query = '', fragment] = shape;
  if (fragment !== undefined) return refusedUrl(`The URL has a bare # in it; ${encodingHint}.`);
  // Text after a space was pasted along by mistake; it may be a password.
  if (/\s/.test(text)) return refusedUrl('The URL has a space in it; remove it, or write it %20.');

  if (path.includes('@')) return refusedUrl(`The URL has a bare / before its last @; ${encodingHint}.`);
  const server = authority.slice(authority.lastIndexOf('@') + 1);
  if (holdsPlaceholder(server) || holdsPlaceholder(server.replace(/:\d*$/, ''))) return unfilled('host');
  const place = readAuthority(authority);
  if ('kind' in place) return place;
  const options = readOptions(
    /^[^:]*\+/.test(text) ? withOneOf('host', withOneOf('port', query)) : query,
    encodingHint,
    /^jdbc:/i.test(text) && !authority.includes('@'),
  );
  if ('kind' in options) return options;
  const pathDatabase = decoded(path.slice(1));
  if (pathDatabase === null || path.slice(1).includes('/')) {
    return refusedUrl('Write one database name after the host; in it, write / as %2F and % as %25.');
  }

  const merged: GivenOptions = { ...options.given };
  for (const [option, value] of Object.entries({ ...place, database: pathDatabase }) as [
    keyof GivenOptions,
    string,
  ][]) {
    if (value === '') continue;
    // The socket form of libpq and Prisma: a dummy host in the URL, and the real folder in
    // `?host=`.
    if (option === 'host' && value === 'localhost' && merged.host?.startsWith('/')) continue;
    if (merged[option] !== undefined) return refusedUrl(`The URL gives its ${option} twice; remove one.`);
    merged[option] = value;
  }
  // libpq reads `postgres:///shop` as a server on this machine, through a socket. Its folder can be
  // given only by ?host=, so without that it is localhost.
  if (authority === '' && path.length > 1 && merged.host === undefined && merged.socket === undefined)
    merged.host = 'localhost';
  return connectionOf(engine, merged, options.ignored, base);
}

/** SQLAlchemy names several servers by as many options; libpq would take the last. */
function withOneOf(name: 'host' | 'port', query: string): string {
  const named = query.split('&').filter(pair => pair.startsWith(`${name}=`));
  const others = query.split('&').filter(pair => !pair.startsWith(`${name}=`));
  const values = named.map(pair => pair.slice(name.length + 1));
  return [...others, ...(named.length === 0 ? [] : [`${name}=${values.join(',')}`])].join('&');
}

/** Combines the options given in a URL or in pairs. */
export function connectionOf(
  engine: Engine,
  given: GivenOptions,
  ignored: readonly string[],
  base: PathBase,
): ConnectionUrl {
  const place = given.host?.includes(',') ? severalHosts(given.host, given.port) : given;
  if ('kind' in place) return place;
  const port = place.port === undefined ? null : Number(place.port);
  if (port !== null && !isPort(place.port)) return refusedUrl(notAPort);
  // PostgreSQL's own clients give a socket by its folder, as the host.
  const hostIsPath = place.host?.startsWith('/') === true;
  if (hostIsPath && given.socket !== undefined) return refusedUrl('The URL names two sockets; remove one.');
  const socket = hostIsPath ? place.host : given.socket;
  // MySQL's own clients take localhost for the socket.
  const isSockets =
    hostIsPath || (!connectionsOf[engine].hasSocketFolder && given.socket !== undefined && place.host === 'localhost');
  const host = isSockets ? null : (place.host ?? null);
  if (socket !== undefined && host !== null) return refusedUrl('The URL names a host and a socket; remove one.');
  if (socket === undefined && host === null) return refusedUrl('The URL names no host; write one after //.');
  const socketPath = socket === undefined ? null : socketPathOf(engine, socket, port, base);
  if (socket !== undefined && socketPath === null) return refusedUrl('Write the whole path of the socket.');

  if (given.sessionOptions !== undefined) {
    const refused = refusedSessionOptions(given.sessionOptions, host);
    if (refused !== null) return refused;
  }
  if (given.user !== undefined && holdsPlaceholder(given.user)) return unfilled('user');
  if (given.database !== undefined && isPlaceholder(given.database)) return unfilled('database');
  const isUnfilled = given.password !== undefined && isPlaceholder(given.password);
  const servers = targetServers(engine, given.targetServers ?? ofJdbc(given.serverType));
  if (typeof servers === 'object' && servers !== null) return servers;
  const methods = signInMethodsOf(given.requireAuth, given.channelBinding);
  if (methods !== null && 'kind' in methods) return methods;
  if (methods !== null && !connectionsOf[engine].isLibpqs)
    return refusedUrl('require_auth and channel_binding work only with PostgreSQL.');
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
    ...(servers === null ? {} : { targetServers: servers }),
    ...(methods === null ? {} : { signInMethods: [...methods] }),
    tls,
    password: isUnfilled ? null : (given.password ?? null),
    ...(isUnfilled ? { passwordIsPlaceholder: true as const } : {}),
    ...timeZoneOf(given.timeZone),
    ignored: given.sessionOptions === undefined ? ignored : [...ignored, 'options'],
  };
}

function unfilled(part: string): RefusedUrl {
  return refusedUrl(`The URL has a placeholder for its ${part}; write your own.`);
}

/** A driver's `local` means the server's zone; `Z` means UTC. */
function timeZoneOf(typed: string | undefined): { readonly timeZone?: string } {
  if (typed === undefined || /^(?:local|system)$/i.test(typed)) return {};
  return { timeZone: /^z$/i.test(typed) ? 'UTC' : typed.replace(/^'(.*)'$/, '$1') };
}

const notAPort = `The port in the URL is not a number from 1 to 65535; ${encodingHint}.`;

function isPort(typed = ''): boolean {
  return /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 65_535;
}

/**
 * Hosts with their ports: each host has its own, or the ports are apart as in libpq, `host=h1,h2
 * port=1,2`, or one port is for all.
 */
function severalHosts(typed: string, typedPorts: string | undefined): Pick<GivenOptions, 'host' | 'port'> | RefusedUrl {
  if (typed.includes('/')) {
    return refusedUrl("A socket can't be one of several servers; name only the socket, or only hosts.");
  }
  const hosts = hostsIn(typed);
  if (hosts === null) {
    return refusedUrl(`The hosts in the URL can't be read: at most ${mostHosts}, as h1:5432,h2 or [::1]:5432,h2.`);
  }
  if (!typedPorts?.includes(',')) {
    return { host: hostsText(hosts), ...(typedPorts === undefined ? {} : { port: typedPorts }) };
  }
  const ports = typedPorts.split(',');
  if (ports.length !== hosts.length) return refusedUrl('The URL names more ports than hosts, or fewer.');
  if (ports.some(port => port !== '' && !isPort(port))) return refusedUrl(notAPort);
  return {
    host: hostsText(hosts.map(({ host, port }, at) => ({ host, port: ports[at] ? Number(ports[at]) : port }))),
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

  // RFC 6874 encodes the % before a link's name; people don't.
  const several = decoded(place.replace(/\[[^[\]]*\]/g, address => address.replace(/%(?!25)/, '%25')));
  if (several?.includes(',') && !/[()=]/.test(several)) return { user, password, host: several, port: '' };
  const bracketed = /^\[([0-9a-f:.]+(?:%(?:25)?[\w.-]+)?)\](?::(.*))?$/i.exec(place);
  // RFC 6874: an address of one link has the link's name behind %25.
  if (bracketed !== null)
    return { user, password, host: (bracketed[1] ?? '').replace('%25', '%'), port: bracketed[2] ?? '' };
  const plain = /^([^:[\]()]*)(?::([^:]*))?$/.exec(place);
  const host = decoded(plain?.[1] ?? '');
  if (plain === null || host === null) {
    return refusedUrl(`The host in the URL can't be read: an IPv6 address stands in brackets, and ${encodingHint}.`);
  }
  return { user, password, host, port: plain[2] ?? '' };
}

/** The word of libpq for JDBC's `targetServerType`. */
function ofJdbc(typed: string | undefined): string | undefined {
  const word = typed?.replace(/^prefer(?=S)/, 'prefer-').toLowerCase();
  return word?.replace(/master/, 'primary').replace(/slave|secondary/, 'standby');
}

/** Null if any server will do. URLs of MySQL have no such option. */
function targetServers(engine: Engine, typed: string | undefined): TargetServersWord | null | RefusedUrl {
  if (typed === undefined || typed === 'any') return null;
  const word = targetServersWords.find(known => known === typed);
  if (connectionsOf[engine].isLibpqs && word !== undefined) return word;
  return refusedUrl(
    `target_session_attrs must be any, ${targetServersWords.join(', ')}, and works only with PostgreSQL.`,
  );
}

function socketPathOf(engine: Engine, socket: string, port: number | null, base: PathBase): string | null {
  const path = absolutePath(socket, base);
  const { hasSocketFolder, port: usual } = connectionsOf[engine];
  if (path === null || !hasSocketFolder || namesSocketFile(path)) return path;
  return `${path === '/' ? '' : path}/.s.PGSQL.${port ?? usual}`;
}
