/** The `tokens.*` commands (spec §5). Salt and hash never leave; the plaintext does once, in the answer to `tokens.mint`. */

import * as z from 'zod';
import type { TokenView } from '../../../shared/control-commands.ts';
import { isBridgeTokenName, type TokenRecord } from '../../access/tokens/token.ts';
import { verdictAt } from '../../access/tokens/token-register.ts';
import { type CommandContext, type CommandOutcome, command, done, refused } from '../command.ts';
import { unknownConnection } from './connection-view.ts';
import { allowlistOf, grantFields } from './grant.ts';
import { printable } from './shapes.ts';

const tokenById = z.strictObject({ id: z.string('an id is expected').max(256, 'an id is expected') });

export const listTokens = command<'tokens.list'>(z.strictObject({}), (_, context) =>
  done({ tokens: context.ports.tokens.list().map(record => tokenView(record, context)) }),
);

export const mintToken = command<'tokens.mint'>(
  z.strictObject({
    name: printable(64).refine(name => !isBridgeTokenName(name), 'that name is the bridge’s own; choose another'),
    ...grantFields,
    confirmInClient: z.boolean('true or false is expected'),
  }),
  async (asked, context) => {
    const connections = allowlistOf(asked.connections, context.ports.connections);
    if (typeof connections === 'object' && 'unknown' in connections)
      return refused(unknownConnection(connections.unknown));
    const { record, plaintext } = await context.ports.tokens.mint({ ...asked, connections, client: null });
    return done({ ...tokenView(record, context), token: plaintext });
  },
);

export const editToken = command<'tokens.edit'>(
  z.strictObject({ ...tokenById.shape, ...z.object(grantFields).partial().shape }),
  async ({ id, ...asked }, context) => {
    const { tokens, connections: known } = context.ports;
    const connections = asked.connections === undefined ? undefined : allowlistOf(asked.connections, known);
    if (typeof connections === 'object' && 'unknown' in connections)
      return refused(unknownConnection(connections.unknown));
    const edited = await tokens.edit(id, { scope: asked.scope, connections, expires: asked.expires });
    if (edited !== null) return done(tokenView(edited, context));
    return tokens.list().some(token => token.id === id)
      ? refused('That token has ended; `sallyport tokens mint` makes another.')
      : unknownToken(id);
  },
);

export const revokeToken = command<'tokens.revoke'>(tokenById, async ({ id }, { ports }) =>
  ended(id, await ports.tokens.revoke(id)),
);

export const deleteToken = command<'tokens.delete'>(tokenById, async ({ id }, { ports }) =>
  ended(id, await ports.tokens.delete(id)),
);

function ended(id: string, found: boolean): CommandOutcome<{ readonly id: string }> {
  return found ? done({ id }) : unknownToken(id);
}

function unknownToken(id: string): CommandOutcome<never> {
  return refused(`There is no token ${JSON.stringify(id)}; \`sallyport tokens list\` shows those there are.`);
}

function tokenView(record: TokenRecord, { ports }: CommandContext): TokenView {
  const { id, name, prefix, scope, confirmInClient, createdAt, expiresAt, revokedAt, client } = record;
  const connections =
    record.connections === 'all'
      ? ('all' as const)
      : record.connections.map(known => ({ id: known, name: ports.connections.find(known)?.name ?? null }));
  const lives = ports.tokens.isUnkept(id) ? 'uncollected' : 'valid';
  const state = revokedAt !== null ? 'revoked' : verdictAt(ports.now(), record) === 'expired' ? 'expired' : lives;
  return {
    id,
    name,
    prefix,
    scope,
    connections,
    confirmInClient,
    createdAt,
    lastUsedAt: ports.lastUsedAt(id),
    expiresAt,
    revokedAt,
    client,
    state,
  };
}
