/**
 * What may stand after `?` in a URL, or as a key of libpq's pairs: what it sets, and what is
 * refused (`refused-options.ts`). All else tunes a driver or a pool and has no effect here. A name
 * that may be a piece of a password is never repeated.
 */

import { isRefusable, plainName, refusedOption } from './refused-options.ts';
import { decoded, type RefusedUrl, refusedUrl } from './url-parts.ts';

/**
 * What is understood, by the names of PostgreSQL's, MySQL's, JDBC's, Prisma's, Go's, Python's and
 * node-postgres's URLs.
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
  timezone: 'timeZone',
  options: 'sessionOptions',
} as const;
type Option = (typeof optionNames)[keyof typeof optionNames];
/** `tlsWish` and what verifies say less than `tlsMode`, and give way to it. */
export type Given = Partial<Record<Option, string>>;

/**
 * Those without effect that libpq and pgx themselves take, which a key of a pair must be; and names
 * that don't look like an option's.
 */
const knownWithoutEffect = new Set(
  `applicationname fallbackapplicationname channelbinding clientencoding connecttimeout gssdelegation gsslib keepalives keepalivescount
   keepalivesidle keepalivesinterval krbsrvname loadbalancehosts maxprotocolversion minprotocolversion sslcompression
   sslmaxprotocolversion sslnegotiation sslsni tcpusertimeout statementcachecapacity defaultqueryexecmode poolmaxconns poolminconns
   poolmaxconnlifetime poolmaxconnidletime poolhealthcheckperiod statementtimeout locktimeout tinyint1isbit servertimezone
   allowpublickeyretrieval useunicode characterencoding autoreconnect zerodatetimebehavior`.split(/\s+/),
);

/** What stands for the name of an option that may be a piece of the password before it. */
const behindPassword = 'an option behind the password (an & of the password itself is written %26)';

export function optionNamed(name: string): Option | undefined {
  const plain = plainName(name);
  return Object.hasOwn(optionNames, plain) && !name.startsWith('__')
    ? optionNames[plain as keyof typeof optionNames]
    : undefined;
}

export function isKnownWithoutEffect(name: string): boolean {
  return knownWithoutEffect.has(plainName(name));
}

/** libpq's `sslpassword`; ours is kept apart, in the secret store. */
export function isKeyPassphrase(name: string | null | undefined): boolean {
  return name != null && plainName(name) === 'sslpassword';
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

/** @param holdsAccount whether an account stands here alone, as in JDBC's URLs. */
export function readOptions(query: string, encodingHint: string, holdsAccount: boolean): Read | RefusedUrl {
  const elsewhere = holdsAccount ? query.replace(/(^|&)(?:user|password)=[^&]*/gi, '') : query;
  // The rest of a password with a bare ? in it: what looks like an option's name must not be
  // repeated.
  if (elsewhere.includes('@')) return refusedUrl(`The URL has a bare ? before its last @; ${encodingHint}.`);
  const given: Given = {};
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
    // As drivers take it: not given.
    if (value === '') continue;
    const isAgain = given[option] !== undefined && (given[option] !== value || setBy.get(option) !== name);
    if (isAgain) return refusedUrl(`The URL's option ${name} says again what another one said; remove one.`);
    given[option] = value;
    setBy.set(option, name);
  }
  return { given, ignored };
}

interface QueryItem {
  /** Null where it can't be read. */
  readonly name: string | null;
  readonly value: string | null;
  readonly hasValue: boolean;
}

/** No form encoding: a + is a +, as the databases' own clients read it. */
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
 * A stray piece of a password, as behind a bare & in it, is nothing of the kind: it mostly has no =
 * and often a digit.
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
