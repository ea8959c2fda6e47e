/** Reads the data source name of Go's MySQL driver, `user:password@tcp(host:3306)/database?parseTime=true`. Part of `connection-url.ts`. */

import { readServerUrl } from './server-url.ts';
import type { ConnectionUrl, PathBase } from './url-parts.ts';

/** @returns null for what has no such form. The password in it is not encoded, and may hold any sign. */
export function readGoName(text: string, base: PathBase): ConnectionUrl | null {
  if (text.includes('://')) return null;
  const [, account = '', network, address = '', rest = ''] =
    /^(.*)@(tcp|unix)\(([^()]*)\)(\/[^/]*)$/is.exec(text) ?? [];
  if (network === undefined) return null;
  const colon = account.indexOf(':');
  const user = encodeURIComponent(colon === -1 ? account : account.slice(0, colon));
  const password = colon === -1 ? '' : `:${encodeURIComponent(account.slice(colon + 1))}`;
  if (network.toLowerCase() === 'tcp')
    return readServerUrl('mysql', `mysql://${user}${password}@${address}${rest}`, base);
  const joint = rest.includes('?') ? '&' : '?';
  return readServerUrl(
    'mysql',
    `mysql://${user}${password}@${rest}${joint}socket=${encodeURIComponent(address)}`,
    base,
  );
}
