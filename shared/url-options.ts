/** What may stand after `?` in a URL, or as a key of libpq's pairs: what it sets, what has no effect here, and which is refused. */

import type { TlsModeWord } from './control-commands.ts';
import { absolutePath, decoded, type ParsedTls, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';

/** By the names of PostgreSQL's, MySQL's, JDBC's, Prisma's, Go's and node-postgres's URLs. */
const optionNames = {
  host: 'host',
  port: 'port',
  user: 'user',
  password: 'password',
  dbname: 'database',
  socket: 'socket',
  unix_socket: 'socket',
  sslmode: 'tlsMode',
  sslMode: 'tlsMode',
  'ssl-mode': 'tlsMode',
  tls: 'tlsMode',
  sslaccept: 'tlsMode',
  ssl: 'tlsWish',
  useSSL: 'tlsWish',
  sslrootcert: 'caFile',
  'ssl-ca': 'caFile',
  ca: 'caFile',
  sslcert: 'certificateFile',
  'ssl-cert': 'certificateFile',
  sslkey: 'keyFile',
  'ssl-key': 'keyFile',
  target_session_attrs: 'targetServers',
} as const;
/** `tlsWish` says less than `tlsMode`, and gives way to it. */
type Option = (typeof optionNames)[keyof typeof optionNames];
export type Given = Partial<Record<Option, string>>;

/** Each tunes a driver or a pool, or names what a call names itself. None makes what is dialled, or as whom, another. */
const withoutEffect = new Set(
  `application_name fallback_application_name channel_binding client_encoding connect_timeout connection_limit currentSchema encoding
   gssencmode keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname options pgbouncer pool pool_timeout
   prepareThreshold schema search_path sslcompression ssl_max_protocol_version ssl_min_protocol_version sslsni
   statement_cache_size supa tcp_user_timeout
   allowPublicKeyRetrieval autoReconnect autocommit characterEncoding charset collation connectTimeout connectionLimit
   connectionTimeZone loc maxAllowedPacket multiStatements parseTime pool_recycle readTimeout serverTimezone
   socketTimeout timeout timezone tinyInt1isBit useLegacyDatetimeCode useUnicode verifyServerCertificate writeTimeout
   zeroDateTimeBehavior`.split(/\s+/),
);

export function optionNamed(name: string): Option | undefined {
  return Object.hasOwn(optionNames, name) ? optionNames[name as keyof typeof optionNames] : undefined;
}

export function hasNoEffect(name: string): boolean {
  return withoutEffect.has(name);
}

/** libpq's `sslpassword`; ours is kept apart, in the secret store. */
export function isKeyPassphrase(name: string | null | undefined): boolean {
  return name === 'sslpassword';
}

export function refusedKeyPassphrase(): RefusedUrl {
  return refusedUrl(
    "The passphrase of a client key doesn't stand in a URL: leave sslpassword out, save the connection, and give it with sallyport connections set NAME --key-passphrase-stdin.",
  );
}

interface Read {
  readonly given: Given;
  /** The names of those that were left out. */
  readonly ignored: readonly string[];
}

export function readOptions(query: string, encodingHint: string): Read | RefusedUrl {
  // The rest of a password with a bare ? in it: what looks like an option's name must not be repeated.
  if (query.includes('@')) return refusedUrl(`The URL has a bare ? before its last @; ${encodingHint}.`);
  const given: Given = {};
  const ignored: string[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    // No form encoding: a + is a +, as the databases' own clients read it.
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1));
    const option = name === null ? undefined : optionNamed(name);
    if (option === undefined) {
      if (name !== null && hasNoEffect(name)) {
        ignored.push(name);
        continue;
      }
      if (isKeyPassphrase(name)) return refusedKeyPassphrase();
      // The rest of a password with a bare & in it looks like one.
      const shown = equals === -1 || given.password !== undefined ? shownName(null) : shownName(name);
      const known = Object.keys(optionNames).join(', ');
      return refusedUrl(`The URL has an option Sallyport doesn't know, ${shown}; it knows ${known}.`);
    }
    if (value === null || value === '') return refusedUrl(`The URL's option ${name} has no readable value.`);
    if (given[option] !== undefined)
      return refusedUrl(`The URL's option ${name} says again what another one said; remove one.`);
    given[option] = value;
  }
  return { given, ignored };
}

/** A name as options have them, or nothing: a stray piece of a password must not be repeated. */
function shownName(name: string | null): string {
  return name !== null && /^[a-z][a-z_-]{0,39}$/i.test(name) ? name : 'whose name is unusual';
}

/** PostgreSQL's words, ours, MySQL's, Prisma's and Go's. `allow` is missing on purpose: it tries clear text first. */
const tlsModes: Readonly<Record<string, TlsModeWord>> = {
  disable: 'disable',
  disabled: 'disable',
  false: 'disable',
  '0': 'disable',
  prefer: 'prefer',
  preferred: 'prefer',
  require: 'require',
  required: 'require',
  'skip-verify': 'require',
  'accept-invalid-certs': 'require',
  '{"rejectunauthorized":false}': 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  'verify-identity': 'verify-full',
  strict: 'verify-full',
  true: 'verify-full',
  '1': 'verify-full',
  '{"rejectunauthorized":true}': 'verify-full',
};

export function tlsOf(given: Given, base: PathBase): ParsedTls | RefusedUrl {
  const word = (given.tlsMode ?? given.tlsWish)?.toLowerCase().replaceAll('_', '-').replaceAll(' ', '');
  const mode = word !== undefined && Object.hasOwn(tlsModes, word) ? tlsModes[word] : undefined;
  if (word !== undefined && mode === undefined) {
    return refusedUrl('The TLS mode in the URL is not one of disable, prefer, require, verify-ca, verify-full.');
  }
  // PostgreSQL's word for the system's own certificate authorities, which are ours without a file.
  const isSystems = given.caFile === undefined || given.caFile === 'system';
  const caFile = isSystems ? null : absolutePath(given.caFile ?? '', base);
  if (!isSystems && caFile === null) return refusedUrl('The path of the CA file must be written out.');
  const tls = { mode: mode ?? null, caFile };
  if (given.certificateFile === undefined && given.keyFile === undefined) return tls;
  if (given.certificateFile === undefined || given.keyFile === undefined)
    return refusedUrl('sslcert and sslkey belong together; name both files.');
  const certificateFile = absolutePath(given.certificateFile, base);
  const keyFile = absolutePath(given.keyFile, base);
  if (certificateFile === null || keyFile === null)
    return refusedUrl('The paths of sslcert and sslkey must be written out.');
  return { ...tls, clientCertificate: { certificateFile, keyFile } };
}
