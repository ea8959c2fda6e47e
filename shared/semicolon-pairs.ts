/**
 * Reads connection strings of ADO.NET and ODBC, `Server=h;Port=5432;Database=d;User Id=u`, as
 * Npgsql, MySqlConnector, Microsoft.Data.Sqlite and the ODBC drivers write them. It is a part of
 * `connection-url.ts`, and repeats no secret in what it says.
 */

import type { Engine } from './engine.ts';
import { isRefusable, plainName, refusedOption } from './refused-options.ts';
import { connectionOf } from './server-url.ts';
import { sqliteFile } from './sqlite-url.ts';
import {
  type GivenOptions,
  isKeyPassphrase,
  isKnownWithoutEffect,
  optionNamed,
  refusedKeyPassphrase,
} from './url-options.ts';
import { type ConnectionUrl, type PathBase, refusedUrl } from './url-parts.ts';
import { notSupported } from './url-schemes.ts';

/** Keys that name a place. Before one there may be the key of a JSON file, and a quote. */
const place = /(?:^|[;"'])\s?(?:server|host|data ?source|addr|address|network ?address|driver|provider|dsn) ?=/i;
const other =
  /(?:^|[;"'])\s?(?:database|initial catalog|uid|user ?id|user|user ?name|pwd|password|port|ssl ?mode|encrypt|integrated security|trusted[ _]connection|version) ?=/i;

/** True if a text looks like such a string. */
export function isSemicolonPairs(text: string): boolean {
  return /^ *(?:data ?source|filename) *=/i.test(text) || (text.includes(';') && place.test(text) && other.test(text));
}

/**
 * PHP's PDO and Perl's DBI write the driver before the pairs: `pgsql:host=h;dbname=d`.
 * @returns the pairs, with the driver as one; for PostgreSQL perhaps libpq's. Null for other texts.
 */
export function pairsOfPdo(text: string): string | null {
  const [, driver, pairs = ''] = /^(?:dbi:)?(pgsql|pg|mysql|mariadb):([a-z_]+=.*)$/is.exec(text) ?? [];
  if (driver === undefined) return null;
  const isLibpqs = /^pg/i.test(driver);
  return isLibpqs && !pairs.includes(';') ? pairs : `Driver=${isLibpqs ? 'postgres' : 'mysql'};${pairs}`;
}

/** Names that URLs don't have, in the form of {@link plainName} without blanks. */
const names: Readonly<Record<string, string>> = {
  server: 'host',
  datasource: 'host',
  addr: 'host',
  address: 'host',
  networkaddress: 'host',
  servername: 'host',
  initialcatalog: 'database',
  db: 'database',
  userid: 'user',
  uid: 'user',
  rootcertificate: 'sslrootcert',
  cacertificatefile: 'sslrootcert',
  sslcertificate: 'sslcert',
  targetsessionattributes: 'targetsessionattrs',
};

const unreadable = refusedUrl(
  "The ODBC or ADO.NET string can't be read: write KEY=VALUE;KEY=VALUE, and a value with a semicolon in double quotes.",
);

type Pair = readonly [key: string, value: string];

export function readSemicolonPairs(text: string, base: PathBase): ConnectionUrl {
  const pairs = pairsOf(text);
  if (pairs === null) return unreadable;
  const value = (plain: string): string | undefined => pairs.find(([key]) => plainKey(key) === plain)?.[1];
  const told = engineOf(pairs, value);
  const engine = told ?? engineByHabit(pairs);
  if (typeof engine === 'object') return engine;
  if (engine === 'sqlite') return readFile(pairs, base);
  const given: GivenOptions = {};
  const ignored: string[] = [];
  for (const [key, written] of pairs) {
    const plain = plainKey(key);
    const name = Object.hasOwn(names, plain) ? (names[plain] ?? plain) : plain;
    if (isDriver.test(plain)) continue;
    const option = optionNamed(name);
    if (option === undefined) {
      if (isKeyPassphrase(name)) return refusedKeyPassphrase();
      const refused = refusedOption('server', name, written);
      if (refused !== null) return refused;
      // The protocol of MySQL's drivers is a way to connect. psqlODBC's is a version.
      if (engine === 'mysql' && /^(?:connection)?protocol$/.test(plain) && !isTaken.test(written)) return otherWay;
      const mayBeOfPassword = given.password !== undefined && !isKnownWithoutEffect(name) && !isRefusable(name);
      ignored.push(mayBeOfPassword ? 'an option after the password' : key);
    } else {
      if (given[option] !== undefined) return refusedUrl('One of the keys is there twice; remove one.');
      // A semicolon is missing: the next pair, perhaps the password, would be shown.
      if (isShown.test(option) && written.includes('=')) return unreadable;
      if (written !== '') given[option] = option === 'host' ? hostsIn(written) : written;
    }
  }
  if (given.tlsMode !== undefined) given.tlsMode = tlsModeOf(given.tlsMode, given.trustsServer);
  if (given.host === undefined && given.socket === undefined) return refusedUrl('The key Server is missing.');
  const read = connectionOf(engine, given, ignored, base);
  return told === null && read.kind === 'parsed' ? { ...read, isEngineGuessed: true } : read;
}

const hostsIn = (written: string): string =>
  written
    .split(',')
    .map(host => host.trim())
    .join(',');
const isDriver = /^(?:driver|provider)$/;
const isShown = /^(?:host|socket|user|database)$/;
const isTaken = /^(?:tcp|sockets?|unix(?:socket)?)$/i;
const otherWay = refusedUrl('Only TCP is read in an ODBC or ADO.NET string; name a host, or the path of a socket.');

/** Older Npgsql verifies with `Require` too, unless it is told to trust the server. */
function tlsModeOf(written: string, trustsServer: string | undefined): string {
  if (/^none$/i.test(written)) return 'disable';
  if (/^required?$/i.test(written) && trustsServer?.toLowerCase() === 'false') return 'verify-full';
  return written.replace(/^verify(?=[a-z])/i, 'verify-');
}

/** Both brands write most keys alike; a driver, a port or a key of one alone tells which it is. */
function engineOf(pairs: readonly Pair[], value: (plain: string) => string | undefined): Engine | ConnectionUrl | null {
  const keys = new Set(pairs.map(([key]) => plainKey(key)));
  const driver = value('driver') ?? value('provider') ?? '';
  if (/postgres|psqlodbc|npgsql/i.test(driver)) return 'postgres';
  if (/mysql|mariadb/i.test(driver)) return 'mysql';
  if (/sqlite/i.test(driver)) return 'sqlite';
  if (driver !== '' || keys.has('dsn'))
    return refusedUrl('That ODBC string names a driver or a data source of this machine; name the server itself.');
  const server = value('server') ?? value('host') ?? value('datasource') ?? '';
  const areOthers = sqlServers.some(key => keys.has(key));
  if (areOthers || /^tcp:|^\(local|,\d+$|\\/i.test(server)) return refusedUrl(notSupported('SQL Server'));
  const isAlone = !['user', 'userid', 'uid', 'username', 'database', 'initialcatalog', 'port'].some(key =>
    keys.has(key),
  );
  if (keys.has('filename') || (keys.has('datasource') && isAlone)) return 'sqlite';
  if (value('port') === '5432' || keys.has('targetsessionattributes') || keys.has('rootcertificate')) return 'postgres';
  if (value('port') === '3306' || keys.has('sslca')) return 'mysql';
  return null;
}

/** The engine whose own pages write the string so. Programs of both engines take either form. */
function engineByHabit(pairs: readonly Pair[]): Engine | ConnectionUrl {
  const keys = new Set(pairs.map(([key]) => plainKey(key)));
  if (keys.has('host') && keys.has('username')) return 'postgres';
  if (keys.has('server') && keys.has('uid')) return 'mysql';
  return refusedUrl(
    'That ADO.NET string may be of PostgreSQL or MySQL: add Port=5432 or Port=3306, or write it as postgres://user@host:port/database or mysql://user@host:port/database.',
  );
}

/** Keys of SQL Server alone. */
const sqlServers = [
  'trustedconnection',
  'integratedsecurity',
  'encrypt',
  'multipleactiveresultsets',
  'multisubnetfailover',
  'applicationintent',
  'attachdbfilename',
  'failoverpartner',
];

function readFile(pairs: readonly Pair[], base: PathBase): ConnectionUrl {
  const ignored: string[] = [];
  let path = '';
  for (const [key, written] of pairs) {
    const plain = plainKey(key);
    if (plain === 'datasource' || plain === 'filename' || plain === 'database') path = written;
    else if (isDriver.test(plain)) continue;
    else {
      const refused = refusedOption('sqlite', plain, written.replace(/^ReadWrite(?:Create)?$/i, 'rwc'));
      if (refused !== null) return refused;
      ignored.push(key);
    }
  }
  if (/^file:|\||\\/i.test(path)) return refusedUrl('Write the path of the SQLite file alone.');
  return sqliteFile(path, base, ignored);
}

const plainKey = (key: string): string => plainName(key).replaceAll(' ', '');

/** The pairs of a string. @returns null if a key can't be one: it may be part of a password. */
function pairsOf(typed: string): readonly Pair[] | null {
  const text = typed.trim();
  const pairs: Pair[] = [];
  for (let at = 0; at < text.length; ) {
    const equals = text.indexOf('=', at);
    const key = text.slice(at, Math.max(equals, at)).trim();
    if (!/^[a-z][a-z _.-]{0,39}$/i.test(key)) return null;
    const value = valueAt(text, equals + 1);
    if (value === null) return null;
    pairs.push([key, value.text]);
    at = value.end + 1;
  }
  return pairs;
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '{': '}' };

/**
 * The value at a place. In quotes or braces, a closing one that is part of the value is written
 * twice.
 */
function valueAt(text: string, from: number): { readonly text: string; readonly end: number } | null {
  const semicolon = text.indexOf(';', from);
  const plainEnd = semicolon === -1 ? text.length : semicolon;
  const begin = from + text.slice(from).search(/\S|$/);
  const closing = closings[text.charAt(begin)];
  if (closing === undefined || begin >= plainEnd) return { text: text.slice(from, plainEnd).trim(), end: plainEnd };
  let value = '';
  for (let at = begin + 1; at < text.length; at += 1) {
    const isClosing = text.charAt(at) === closing;
    if (isClosing && text.charAt(at + 1) !== closing) {
      const next = text.indexOf(';', at);
      const end = next === -1 ? text.length : next;
      return text.slice(at + 1, end).trim() === '' ? { text: value, end } : null;
    }
    value += text.charAt(at);
    if (isClosing) at += 1;
  }
  return null;
}
