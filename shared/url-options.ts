/**
 * The options after `?` in a URL, or the keys of libpq's pairs: what each sets, and which are
 * refused (`refused-options.ts`). All others tune a driver or a pool and have no effect. Never
 * repeats a name that may be part of a password.
 */

import { isRefusable, plainName, refusedOption } from './refused-options.ts';
import { decoded, type RefusedUrl, refusedUrl } from './url-parts.ts';

/**
 * The options that Sallyport understands, by their names in URLs of PostgreSQL, MySQL, JDBC,
 * Prisma, Go, Python and node-postgres.
 */
const optionNames = {
  host: 'host',
  port: 'port',
  user: 'user',
  username: 'user',
  password: 'password',
  passwd: 'password',
  pwd: 'password',
  dbname: 'database',
  database: 'database',
  socket: 'socket',
  unixsocket: 'socket',
  unixsock: 'socket',
  localsocket: 'socket',
  socketpath: 'socket',
  sslmode: 'tlsMode',
  tls: 'tlsMode',
  sslaccept: 'tlsMode',
  ssl: 'tlsWish',
  usessl: 'tlsWish',
  requiressl: 'tlsRequired',
  ssldisabled: 'tlsDisabled',
  sslverifycert: 'verifiesCertificate',
  sslverifyservercert: 'verifiesCertificate',
  verifyservercertificate: 'verifiesCertificate',
  sslverifyidentity: 'verifiesName',
  sslcheckhostname: 'verifiesName',
  trustservercertificate: 'trustsServer',
  sslrootcert: 'caFile',
  sslca: 'caFile',
  ca: 'caFile',
  serversslcert: 'caFile',
  sslcert: 'certificateFile',
  sslkey: 'keyFile',
  targetsessionattrs: 'targetServers',
  targetservertype: 'serverType',
  requireauth: 'requireAuth',
  channelbinding: 'channelBinding',
  timezone: 'timeZone',
  options: 'sessionOptions',
} as const;
type Option = (typeof optionNames)[keyof typeof optionNames];
/** `tlsWish` and the verifying options say less than `tlsMode`, which wins over them. */
export type GivenOptions = Partial<Record<Option, string>>;

/**
 * Options without effect that libpq and pgx accept (a pair's key must be known), and names that
 * don't look like an option.
 */
const knownWithoutEffect = new Set(
  `applicationname fallbackapplicationname clientencoding connecttimeout gssdelegation gsslib keepalives keepalivescount
   keepalivesidle keepalivesinterval krbsrvname loadbalancehosts maxprotocolversion minprotocolversion sslcompression
   sslmaxprotocolversion sslnegotiation sslsni tcpusertimeout statementcachecapacity defaultqueryexecmode poolmaxconns poolminconns
   poolmaxconnlifetime poolmaxconnidletime poolhealthcheckperiod statementtimeout locktimeout tinyint1isbit servertimezone
   allowpublickeyretrieval useunicode characterencoding autoreconnect zerodatetimebehavior`.split(/\s+/),
);

/** Replaces the name of an option that may be part of the password before it. */
const behindPassword = 'an option after the password (write & in the password as %26)';

export function optionNamed(name: string): Option | undefined {
  const plain = plainName(name);
  return Object.hasOwn(optionNames, plain) && !name.startsWith('__')
    ? optionNames[plain as keyof typeof optionNames]
    : undefined;
}

export function isKnownWithoutEffect(name: string): boolean {
  return knownWithoutEffect.has(plainName(name));
}

/** libpq's `sslpassword`; Sallyport keeps the key's passphrase in the secret store. */
export function isKeyPassphrase(name: string | null | undefined): boolean {
  return name != null && plainName(name) === 'sslpassword';
}

export function refusedKeyPassphrase(): RefusedUrl {
  return refusedUrl(
    "The passphrase of a client key doesn't belong in a URL: leave sslpassword out, save the connection, and give it with sallyport connections set NAME --key-passphrase-stdin.",
  );
}

interface Read {
  readonly given: GivenOptions;
  /** Names of the options that were left out. */
  readonly ignored: readonly string[];
}

/** @param holdsAccount true if this is the only place for an account, as in JDBC's URLs. */
export function readOptions(query: string, encodingHint: string, holdsAccount: boolean): Read | RefusedUrl {
  const elsewhere = holdsAccount ? query.replace(/(^|&)(?:user|password)=[^&]*/gi, '') : query;
  // The rest of a password with a bare ? in it. It looks like an option's name, so it must not be
  // repeated.
  if (elsewhere.includes('@')) return refusedUrl(`The URL has a bare ? before its last @; ${encodingHint}.`);
  const given: GivenOptions = {};
  const setBy = new Map<Option, string>();
  const ignored: string[] = [];
  for (const { name, value, hasValue } of pairsIn(query)) {
    const option = name === null ? undefined : optionNamed(name);
    if (name === null || option === undefined) {
      if (isKeyPassphrase(name)) return refusedKeyPassphrase();
      if (name === null || !looksLikeOption(name, hasValue)) return unknownOption();
      const refused = value === null ? null : refusedOption('server', name, value);
      if (refused !== null) return refused;
      const isKnown = isKnownWithoutEffect(name) || isRefusable(name);
      ignored.push(isKnown || given.password === undefined ? name : behindPassword);
      continue;
    }
    if (value === null) return refusedUrl(`The URL's option ${name} has no readable value.`);
    // Drivers treat an empty value as not given.
    if (value === '') continue;
    const isAgain = given[option] !== undefined && (given[option] !== value || setBy.get(option) !== name);
    if (isAgain) return refusedUrl(`The URL's option ${name} repeats another one; remove one.`);
    given[option] = value;
    setBy.set(option, name);
  }
  return { given, ignored };
}

interface QueryItem {
  /** Null if it can't be read. */
  readonly name: string | null;
  readonly value: string | null;
  readonly hasValue: boolean;
}

/** No form encoding: a + is a +, as for the databases' own clients. */
export function pairsIn(query: string): readonly QueryItem[] {
  return query
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const equals = pair.indexOf('=');
      return {
        name: decoded(equals === -1 ? pair : pair.slice(0, equals)),
        value: decoded(equals === -1 ? '' : pair.slice(equals + 1)),
        hasValue: equals !== -1,
      };
    });
}

/**
 * False for a stray piece of a password, as after a bare &: it mostly has no = and often a digit.
 */
function looksLikeOption(name: string, hasValue: boolean): boolean {
  if (isKnownWithoutEffect(name) || isRefusable(name)) return true;
  return hasValue && /^[a-z][a-z._-]{0,39}$/i.test(name);
}

function unknownOption(): RefusedUrl {
  return refusedUrl(
    "The URL has an option Sallyport doesn't know, whose name is unusual; remove it, or write an & of the password as %26.",
  );
}
