/**
 * `localhost` is one address, chosen at the first sign-in (spec §6): another user may listen on the
 * other one while the server is up.
 */

import type { Endpoint } from '../access/connection.ts';
import type { ServerIdentity } from './server-identity.ts';

/** Tried in this order where the far end of a tunnel would choose, anew each time. */
const loopbackAddresses = ['127.0.0.1', '::1'] as const;

export function isLocalhost({ host, socketPath }: Pick<Endpoint, 'host' | 'socketPath'>): boolean {
  return socketPath === null && (host ?? 'localhost').toLowerCase() === 'localhost';
}

/**
 * @param dial given what is dialled in place of the host; null for the host as it is.
 * @param mayTryOther true if nothing listened at the first address.
 */
export async function dialLocalhost<T>(
  endpoint: Endpoint,
  identity: Pick<ServerIdentity, 'chosenAddress'>,
  dial: (address: string | null) => Promise<T>,
  mayTryOther: (result: T) => boolean,
): Promise<T> {
  if (!isLocalhost(endpoint)) return dial(null);
  const chosen = identity.chosenAddress();
  if (chosen !== null || endpoint.line === undefined) return dial(chosen);
  const [first, second] = loopbackAddresses;
  const result = await dial(first);
  return mayTryOther(result) ? dial(second) : result;
}
