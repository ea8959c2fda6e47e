/** What a token gives (spec §5), as a shell asks for it: the fields' shapes, and connections by id or name. */

import * as z from 'zod';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import { expiryDays, scopes } from '../../access/tokens/token.ts';

export const grantFields = {
  scope: z.enum(scopes, `one of ${scopes.join(', ')} is expected`),
  connections: z.union([z.literal('all'), z.array(z.string()).max(1_000)], 'all or a list of connections is expected'),
  expires: z.union([z.literal('never'), z.literal(expiryDays)], `never or one of ${expiryDays.join(', ')} is expected`),
};

/** Ids, each once; or the first that names no connection. */
export function allowlistOf(
  asked: 'all' | readonly string[],
  connections: Pick<ConnectionRegister, 'find'>,
): 'all' | string[] | { readonly unknown: string } {
  if (asked === 'all') return 'all';
  const ids = new Set<string>();
  for (const idOrName of asked) {
    const connection = connections.find(idOrName);
    if (connection === null) return { unknown: idOrName };
    ids.add(connection.id);
  }
  return [...ids];
}
