/**
 * Reads the data source name of Go's MySQL driver,
 * `user:password@tcp(host:3306)/database?parseTime=true`. Part of `connection-url.ts`.
 */

import { readServerUrl } from './server-url.ts';
import { type ConnectionUrl, type PathBase, refusedUrl } from './url-parts.ts';

/**
 * @returns null for a text of another form. Its password isn't encoded, and may hold any character.
 */
export function readGoName(text: string, base: PathBase): ConnectionUrl | null {
  if (text.includes('://')) return null;
  const [, account = '', network = '', address, rest = ''] =
    /^(.*)@([a-z+]*)(?:\(([^()]*)\))?(\/[^/]*)$/is.exec(text) ?? [];
  const word = network.toLowerCase();
  const isWritten = (word === 'tcp' || word === 'unix') && address !== undefined;
  // Any other text may be a path, a libpq pair or part of something else.
  if (!isWritten && !/^[^\s:=/.~][^\s:=/]*:/.test(account)) return null;
  if (word === 'unix' && address !== undefined)
    return ofAccount(account, '', `${rest}${joint(rest)}socket=${encodeURIComponent(address)}`, base);
  if (word === 'tcp' || (word === '' && address === undefined))
    return ofAccount(account, address ?? '127.0.0.1', rest, base);
  if (address === undefined) return null;
  return refusedUrl(
    "In names of Go's driver Sallyport reads only tcp(…) and unix(…); name a host, or the socket of a proxy on this machine.",
  );
}

/** Whether a text can be nothing else. */
export function isGoName(text: string): boolean {
  return /^[^\s:=/.~@]+(?::.*)?@(?:tcp|unix)\([^()]*\)\/[^/]*$/is.test(text);
}

function ofAccount(account: string, server: string, rest: string, base: PathBase): ConnectionUrl {
  const colon = account.indexOf(':');
  const user = encodeURIComponent(colon === -1 ? account : account.slice(0, colon));
  const password = colon === -1 ? '' : `:${encodeURIComponent(account.slice(colon + 1))}`;
  return readServerUrl('mysql', `mysql://${user}${password}@${server}${rest}`, base);
}

const joint = (rest: string): string => (rest.includes('?') ? '&' : '?');
