/**
 * Options of a pasted connection that are refused by name. They change where it leads, the account,
 * the safety, or what a statement means or may do, in ways that Sallyport doesn't follow. Options
 * that are neither here nor understood have no effect.
 */

import { type RefusedUrl, refusedUrl } from './url-parts.ts';

/** Drivers write the same option as `ssl-ca`, `ssl_ca` and `sslCA`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]/g, '');
}

/**
 * Refused options by what they change, for libpq, JDBC, Go, Node and Python; names in the form of
 * {@link plainName}.
 */
const refusedOnServers = named({
  'where it leads': `hostaddr service servicefile socketfactory socketfactoryarg cloudsqlinstance unixsocketpath replication proxyhost
    socksproxyhost socksproxyport sshhost sshport sshuser sshpassword sshkey sshhostname sshusername sshkeyfile pqopt cluster dnssrv defaultsfile defaultsgroup readdefaultfile
    readdefaultgroup wrapperplugins`,
  'as whom it signs in': `passfile role sessionauthorization sslidentity defaultauth authplugin authenticationplugins
    authenticationpluginclassname defaultauthenticationplugin jaasapplicationname jaaslogin enableiamauth iamauth credentialtype
    sslcertmode certificatefile certificatestorelocation certificatethumbprint`,
  'how safely the server is reached': `requirepeer sslcrl sslcrldir checkcertificaterevocation gssencmode gssencryptionmode sslminprotocolversion sslkeylogfile
    allowcleartextpasswords allowcleartextpassword enablecleartextplugin allowfallbacktoplaintext allowoldpasswords sslfactory
    sslfactoryarg sslhostnameverifier sslcipher tlsciphersuites enabledsslciphersuites enabledtlsprotocols tlsversion tlsversions
    sslfp tlsfp truststore trustcertificatekeystoreurl keystore clientcertificatekeystoreurl sslpasswordcallback`,
  'what a statement means or may do': `searchpath schemasearchpath currentschema schema sqlmode oldmode ignorespace flags clientflag
    clientflags serversettings sessionvariables initcommand initsql initstatement initstmt connsettings connectioninitsql multistatements multiplestatements
    allowmultiqueries allowmultistatements localinfile allowlocalinfile allowloadlocalinfile allowloadlocalinfileinpath allowurlinlocalinfile allowallfiles infilewhitelist autodeserialize
    queryinterceptors statementinterceptors exceptioninterceptors connectionlifecycleinterceptors propertiestransform readonly
    defaulttransactionreadonly transactionreadonly txreadonly defaulttransactiondeferrable defaulttransactionisolation
    transactionisolation txisolation isolationlevel autocommit sessionreplicationrole rowsecurity standardconformingstrings backslashquote transformnullequals nobackslashescapes ansiquotes
    sqlsafeupdates sqlautoisnull foreignkeychecks uniquechecks checkconstraintchecks datestyle intervalstyle
    forceconnectiontimezonetosession sessionpreloadlibraries localpreloadlibraries defaulttextsearchconfig ginfuzzysearchlimit
    arraynulls byteaoutput xmlbinary xmloption lcmonetary lcnumeric lctime lctimenames defaultweekformat sqlselectlimit sqlbigselects
    maxjoinsize groupconcatmaxlen divprecisionincrement autoincrementincrement autoincrementoffset defaultstorageengine
    defaulttablespace temptablespaces defaulttableaccessmethod checkfunctionbodies eventtriggers locompatprivileges`,
});

const refusedOnSqlite = named({
  'how the file is opened': 'mode immutable vfs nolock',
  'how the file is decrypted': 'key hexkey textkey password cipher',
  'as whom it signs in': 'auth authuser authpass authcrypt authsalt',
  'what a statement means or may do': `loadextension extension extensions init pragma queryonly foreignkeys fk deferforeignkeys
    ignorecheckconstraints writableschema recursivetriggers casesensitivelike cslike securedelete`,
});

/** Extra advice for several options, beside "leave it out". */
const remedies: Readonly<Record<string, string>> = {
  hostaddr: 'name that address as the host',
  service: '`sallyport setup` reads the service file',
  servicefile: '`sallyport setup` reads the service file',
  passfile: '`sallyport setup` reads the password file',
  role: 'sign in as that role',
  searchpath: 'give the role that search path on the server, and leave it out here',
  schemasearchpath: 'give the role that search path on the server, and leave it out here',
  currentschema: 'give the role that search path on the server, and leave it out here',
  schema: 'give the role that search path on the server, and leave it out here',
  options: 'give the role those settings on the server, and leave it out here',
  serversettings: 'give the role those settings on the server, and leave it out here',
  cluster: 'name the cluster before the database, as CLUSTER.DATABASE',
  socketfactory: 'name a host, or the socket of a proxy on this machine',
  cloudsqlinstance: 'name a host, or the socket of a proxy on this machine',
  unixsocketpath: 'name a host, or the socket of a proxy on this machine',
  certificatefile: 'save the connection without it, and give a certificate and its key as PEM files with --client-cert',
};

const askForNothing = /^(?:|false|0|off|no|disabled?|default)$/i;
/** Values that only switch on what is on anyway. */
const isOnAnyway = /^(?:|true|1|on|yes|default)$/i;

/** One of the accepted versions, or nothing. */
const oldEnough = /^$|tlsv1(?:\.[0-2])?(?![.\d])/i;

/** Values that ask for what Sallyport does anyway. */
const harmlessValues: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    `rowsecurity standardconformingstrings foreignkeychecks uniquechecks checkconstraintchecks foreignkeys fk autocommit arraynulls
     checkfunctionbodies eventtriggers`
      .split(/\s+/)
      .map(name => [name, isOnAnyway]),
  ),
  schema: /^(?:|public)$/,
  currentschema: /^(?:|public)$/,
  searchpath: /^(?:|"\$user", ?public|public)$/,
  schemasearchpath: /^(?:|"\$user", ?public|public)$/,
  isolationlevel: /^(?:|default|autocommit)$/i,
  byteaoutput: /^(?:|hex)$/i,
  enabledtlsprotocols: oldEnough,
  tlsversion: oldEnough,
  tlsversions: oldEnough,
  gssencmode: /^(?:|disable|prefer)$/,
  gssencryptionmode: /^(?:|disable|prefer)$/i,
  sslcertmode: /^(?:|allow|disable)$/,
  sslminprotocolversion: /^(?:|tlsv1(?:\.[012])?)$/i,
  sslfactory: /^(?:|org\.postgresql\.ssl\.(?:DefaultJavaSSLFactory|LibPQFactory|jdbc4\.LibPQFactory))$/,
  sessionreplicationrole: /^(?:|origin)$/i,
  role: /^(?:|none)$/i,
  mode: /^(?:|rwc?)$/,
  vfs: /^$/,
  pragma:
    /^(?:|(?:busy_timeout|journal_mode|synchronous|cache_size|temp_store|mmap_size)\W\w+\W?|foreign_keys\W(?:1|on)\W?)$/i,
};

/** @returns null if the option isn't refused. Never repeats a name that isn't in the tables. */
export function refusedOption(kind: 'server' | 'sqlite', name: string, value: string): RefusedUrl | null {
  const plain = plainName(name);
  const what = (kind === 'server' ? refusedOnServers : refusedOnSqlite).get(plain);
  if (what === undefined) return null;
  const harmless = Object.hasOwn(harmlessValues, plain) ? harmlessValues[plain] : askForNothing;
  return harmless?.test(value.trim()) === true ? null : refusedBecause(name, what);
}

export function isRefusable(name: string): boolean {
  return refusedOnServers.has(plainName(name));
}

/**
 * libpq's `options`: settings of the session, `-c name=value` or `--name=value`. Neon's
 * `endpoint=ep-1` and CockroachDB's `--cluster=tabby-1` repeat the host, for programs that don't
 * send its name over TLS.
 */
export function refusedSessionOptions(value: string, host: string | null): RefusedUrl | null {
  const refused = refusedBecause('options', 'what a statement means or may do');
  const endpoint = /^(?:endpoint|project)=([\w-]+)$/.exec(value)?.[1];
  if (endpoint !== undefined) {
    const isHosts = host?.startsWith(`${endpoint}.`) === true || host?.startsWith(`${endpoint}-pooler.`) === true;
    return isHosts ? null : refusedBecause('options', 'where it leads');
  }
  for (const word of value.replace(/(^|\s)-c\s*/g, '$1--').split(/\s+/)) {
    if (word === '') continue;
    const [, name, set = ''] = /^--([a-z_-]+)=(.*)$/i.exec(word) ?? [];
    if (name?.toLowerCase() === 'cluster') {
      if (host?.startsWith(`${set}.`) === true) continue;
      return refusedBecause('options', 'where it leads', remedies.cluster);
    }
    if (name === undefined || plainName(name) === 'timezone' || refusedOption('server', name, set) !== null)
      return refused;
  }
  return null;
}

function refusedBecause(name: string, what: string, remedy = remedies[plainName(name)] ?? 'leave it out'): RefusedUrl {
  return refusedUrl(`The URL's option ${name} changes ${what}, and Sallyport doesn't do that: ${remedy}.`);
}

function named(byWhat: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(byWhat).flatMap(([what, names]) => names.split(/\s+/).map(name => [name, what] as const)),
  );
}
