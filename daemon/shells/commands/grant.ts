/**
 * A token's access (spec §5), as a shell asks for it: the fields' shapes, and connections by id or
 * name.
 */

import * as z from 'zod';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import { boxCredentials, expiryDays, isBridgeTokenName, scopes } from '../../access/tokens/token.ts';
import { printable } from './shapes.ts';

const grantFields = {
  scope: z.enum(scopes, `one of ${scopes.join(', ')} is expected`),
  connections: z.union([z.literal('all'), z.array(z.string()).max(1_000)], 'all or a list of connections is expected'),
  expires: z.union([z.literal('never'), z.literal(expiryDays)], `never or one of ${expiryDays.join(', ')} is expected`),
};

export const tokenById = z.strictObject({ id: z.string('an id is expected').max(256, 'an id is expected') });

export const newToken = z.strictObject({
  name: printable(64).refine(name => !isBridgeTokenName(name), 'that name is the bridge’s own; choose another'),
  ...grantFields,
  confirmInClient: z.boolean('true or false is expected'),
});

/** Part of its credential's path. */
const boxName = z
  .string('a name is expected')
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, '1 to 40 letters a-z, digits and hyphens are expected, a letter or digit first');

const unixGroup = z
  .string('a group is expected')
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/, 'the name or number of a Unix group is expected');

export const newBox = z
  .strictObject({
    name: boxName,
    ...grantFields,
    group: unixGroup.nullable(),
    credential: z.enum(boxCredentials, `one of ${boxCredentials.join(', ')} is expected`),
  })
  .refine(({ credential, scope }) => credential !== 'wire' || scope === 'readOnly', {
    path: ['scope'],
    error: 'readOnly is expected for programs that speak PostgreSQL themselves',
  });

/** Members left out stay. An expiry counts from now. */
export const tokenChange = z.strictObject({ ...tokenById.shape, ...z.object(grantFields).partial().shape });

export const pairingGrant = z.strictObject(grantFields);

/** @returns ids, each once; or the first name without a connection. */
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
