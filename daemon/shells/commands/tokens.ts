/**
 * The `tokens.*` commands (spec §5). Salt and hash never leave; the plaintext does once, in the
 * answer to `tokens.mint`.
 */

import type { Grant } from '../../access/privilege-increases/grants.ts';
import type { Stated } from '../../access/standing/standings.ts';
import { isBox, type TokenRecord } from '../../access/tokens/token.ts';
import { verdictAt } from '../../access/tokens/token-register.ts';
import { type CommandContext, type CommandOutcome, command, done, looks, refused } from '../command.ts';
import { mintedToken, type TokenView, tokenId, tokenList, tokenView } from '../messages/tokens.ts';
import type { CommandPorts } from '../ports.ts';
import { unknownConnection } from './connection-view.ts';
import { allowlistOf, newToken, tokenById, tokenChange } from './grant.ts';
import { editIncrease, mintIncrease } from './grant-increase.ts';
import { nothing } from './shapes.ts';

export const tokensList = command('tokens.list', {
  shape: nothing,
  result: tokenList,
  brake: true,
  ...looks,
  run: (_, context) =>
    done({
      tokens: context.ports.tokens
        .list()
        .filter(record => !isBox(record))
        .map(record => viewOf(record, context)),
    }),
});

export const tokensMint = command('tokens.mint', {
  shape: newToken,
  result: mintedToken,
  privilegeIncrease: mintIncrease,
  records: {
    action: 'token.mint',
    done: ({ id, name }, _, ports) => ({ principal: id, tokenName: name, ...standingOf(id, ports) }),
  },
  run: async (asked, context) => {
    const connections = allowlistOf(asked.connections, context.ports.connections);
    if (typeof connections === 'object' && 'unknown' in connections) return unknownConnection(connections.unknown);
    const { record, plaintext } = await context.ports.tokens.mint({ ...asked, connections, client: null });
    return done({ ...viewOf(record, context), token: plaintext });
  },
});

/** Ends what its clients have open; they continue with the new access. */
export const tokensEdit = command('tokens.edit', {
  shape: tokenChange,
  result: tokenView,
  privilegeIncrease: editIncrease,
  records: {
    action: 'token.edit',
    done: ({ id, name }, _, ports) => ({ principal: id, tokenName: name, ...standingOf(id, ports) }),
  },
  run: async ({ id, ...asked }, context) => {
    const { tokens, connections: known } = context.ports;
    const connections = asked.connections === undefined ? undefined : allowlistOf(asked.connections, known);
    if (typeof connections === 'object' && 'unknown' in connections) return unknownConnection(connections.unknown);
    const edited = await tokens.edit(id, { scope: asked.scope, connections, expires: asked.expires });
    if (edited !== null) return done(viewOf(edited, context));
    return tokens.list().some(token => token.id === id)
      ? refused('token_ended', 'That token has ended; `sallyport tokens mint` makes another.', { token: id })
      : unknownToken();
  },
});

export const tokensRevoke = command('tokens.revoke', {
  shape: tokenById,
  result: tokenId,
  brake: true,
  privilegeIncrease: 'never',
  records: {
    action: 'token.revoke',
    done: ({ id }, _, { tokens }) => ({ principal: id, tokenName: tokens.find(id)?.name ?? null }),
  },
  run: async ({ id }, { ports }) => ended(id, await ports.tokens.revoke(id)),
});

export const tokensDelete = command('tokens.delete', {
  shape: tokenById,
  result: tokenId,
  brake: true,
  privilegeIncrease: 'never',
  records: { action: 'token.delete', done: ({ id }) => ({ principal: id }) },
  run: async ({ id }, { ports }) => ended(id, await ports.tokens.delete(id)),
});

/**
 * The token's standing, which the next start compares (access/standing/). The token may be gone by
 * now; then nothing is stated.
 */
export function standingOf(id: string, { tokens, standings }: CommandPorts): Partial<Stated> {
  const token = tokens.find(id);
  return token === null ? {} : standings.ofToken(token);
}

function ended(id: string, found: boolean): CommandOutcome<{ readonly id: string }> {
  return found ? done({ id }) : unknownToken();
}

/** The refusal doesn't repeat what was asked for, which may be a token itself. */
function unknownToken(): CommandOutcome<never> {
  const sentence = 'There is no token with that id; `sallyport tokens list` shows all.';
  return refused('unknown_token', sentence, { token: null });
}

/** What it may reach, by present names. */
export function reachOf({ connections }: TokenRecord, { connections: known }: Pick<CommandPorts, 'connections'>) {
  if (connections === 'all') return connections;
  return connections.map(id => ({ id, name: known.find(id)?.name ?? null }));
}

function confirmedBy(grant: Grant | null): Pick<TokenView, 'confirmedBy'> {
  return grant === null ? {} : { confirmedBy: grant.confirmedBy };
}

function viewOf(record: TokenRecord, { ports }: CommandContext): TokenView {
  const { id, name, prefix, scope, confirmInClient, createdAt, expiresAt, revokedAt, client } = record;
  const connections = reachOf(record, ports);
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
    ...confirmedBy(ports.grants.of('token', id)),
  };
}
