/**
 * Recognises texts that may hold a password (spec §6), and the fields of a connection that do.
 * Everything that clients see of a connection, or read in an error, is checked. It judges forms
 * alone and errs on the safe side: a path like `a:b@c` is refused too.
 */

import { hostsIn } from '../../shared/server-hosts.ts';
import type { Connection } from './connection.ts';

export function mayHoldPassword(text: string): boolean {
  // Also as it reads when decoded, or in wide letters.
  const plain = text
    .replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .normalize('NFKC');
  return hasUserInformation(plain) || namesPassword.test(plain) || passwordFileLine.test(plain);
}

/** `user:password@`, with or without a scheme (RFC 3986, 3.2.1). */
function hasUserInformation(text: string): boolean {
  const colon = text.indexOf(':');
  return colon !== -1 && text.lastIndexOf('@') > colon + 1;
}

/** Pairs of libpq, ODBC, ADO.NET, JSON and YAML; `PGPASSWORD=`, `MYSQL_PWD=`. */
const namesPassword = /(?:password|passwd|passphrase|pwd)["']? {0,9}[=:]|(?<![a-z])pass {0,9}=/i;

/** A line of a `.pgpass`: `host:port:database:user:password`. */
const passwordFileLine = /:(?:\d{1,5}|\*):[^:/]{1,64}:[^:/]{1,64}:[^:/]/;

/**
 * A name (RFC 1123, plus underscores and non-ASCII letters that resolvers accept) or an address.
 */
export function isHost(text: string): boolean {
  if (text.length > 253) return false;
  if (text.includes(':')) return /^[0-9a-f:.]{2,45}(?:%[a-z0-9_.-]{1,32})?$/i.test(text);
  return text.split('.').every((label, index, { length }) => {
    const isRoot = label === '' && index > 0 && index === length - 1;
    return isRoot || /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u.test(label);
  });
}

/** One host, or several (shared/server-hosts.ts). */
export function areHosts(text: string): boolean {
  return text.length < 8_192 && (hostsIn(text)?.every(({ host }) => isHost(host)) ?? false);
}

/** No account has such a name; a password was pasted with it. */
export function isUser(text: string): boolean {
  return !text.includes(':') && !mayHoldPassword(text);
}

type Shown = Pick<
  Connection,
  'name' | 'host' | 'socketPath' | 'filePath' | 'database' | 'user' | 'tls' | 'group' | 'tags'
>;

/**
 * @returns the fields that may hold a password, in words; empty for a connection that may be shown.
 */
export function fieldsThatMayHoldPassword(connection: Shown): readonly string[] {
  const { name, host, socketPath, filePath, database, user, tls, group, tags } = connection;
  const holds = (text: string | null): boolean => text !== null && mayHoldPassword(text);
  const fields = {
    name: holds(name),
    host: host !== null && !areHosts(host),
    socket: holds(socketPath),
    file: holds(filePath),
    database: holds(database),
    user: user !== null && !isUser(user),
    'CA file': holds(tls.caFile),
    'client certificate': holds(tls.clientCertificate?.certificateFile ?? null),
    'client key': holds(tls.clientCertificate?.keyFile ?? null),
    group: holds(group),
    tags: tags.some(holds),
  };
  return Object.entries(fields).flatMap(([field, isHeld]) => (isHeld ? [field] : []));
}
