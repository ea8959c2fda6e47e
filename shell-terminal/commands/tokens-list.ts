/** `sallyport tokens list` and `show`. */

import type { TokenView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { command } from '../command.ts';
import { withDaemon } from '../daemon.ts';
import { byNameToo, shortId, tokenOf } from '../named-token.ts';
import { pairs, table } from '../table.ts';
import { say, styled } from '../terminal.ts';
import { scopeWords, shownTime, wordFor } from '../words.ts';

export const listTokensCommand = command(
  { words: 'tokens list', about: 'List the tokens that HTTP clients use' },
  async ({ terminal, json, answer }) => {
    const [{ tokens }, { passphrase }] = await withDaemon(terminal, async client => [
      await client.ask('tokens.list', {}),
      await client.ask('status', {}),
    ]);
    const isOff = passphrase.state === 'off';
    if (tokens.length === 0 && !json)
      return say(terminal, 'There is no token yet; `sallyport tokens mint --name NAME` makes one.');
    const columns = {
      ID: ({ id }: TokenView) => id.slice(0, shortId),
      NAME: ({ name }: TokenView) => name,
      SCOPE: ({ scope }: TokenView) => wordFor(scopeWords, scope),
      CONNECTIONS: reachOf,
      STATE: (token: TokenView) => `${stateOf(token)}${isUnconfirmed(token, isOff) ? ', not confirmed' : ''}`,
      'LAST USED': ({ lastUsedAt }: TokenView) => (lastUsedAt === null ? 'never' : shownTime(lastUsedAt)),
    };
    answer(tokens, ...table(terminal, tokens, columns, 'NAME'));
  },
);

export const showTokenCommand = command(
  {
    words: 'tokens show',
    arguments: ['ID'],
    about: 'Show everything about a token but its secret',
    details: [byNameToo],
  },
  async ({ terminal, arguments: [typed = ''], answer }) => {
    const token = await withDaemon(terminal, client => tokenOf(client, typed));
    const { connections } = token;
    answer(
      token,
      styled(terminal, 'bold', shownText(token.name)),
      ...pairs(terminal, [
        ['id', token.id],
        ['begins with', token.prefix],
        ['scope', wordFor(scopeWords, token.scope)],
        ['connections', connections === 'all' ? 'all' : namesOf(connections)],
        ['state', stateOf(token)],
        ['confirmed', confirmationWords[token.confirmedBy ?? 'free']],
        ['made', shownTime(token.createdAt)],
        ['expires', token.expiresAt === null ? 'never' : shownTime(token.expiresAt)],
        ['last used', token.lastUsedAt === null ? 'never' : shownTime(token.lastUsedAt)],
        ['questions', token.confirmInClient ? 'its client may answer when no shell can' : 'asked in a shell only'],
      ]),
    );
  },
);

export function namesOf(connections: Exclude<TokenView['connections'], 'all'>): string {
  return shownText(connections.map(({ name }) => name ?? '(removed)').join(', ')) || 'no connection';
}

/** A removed connection has no name any more. */
export function reachOf({ connections }: Pick<TokenView, 'connections'>): string {
  if (connections === 'all') return 'all';
  const gone = connections.filter(({ name }) => name === null).length;
  const left = connections.length - gone;
  return gone === 0 ? String(left) : `${left === 0 ? 'none' : left} (${gone} removed)`;
}

/** In a home that was made unattended it is every token, until a passphrase is set. */
function isUnconfirmed({ confirmedBy, state }: TokenView, isOff: boolean): boolean {
  return state === 'valid' && (confirmedBy === 'off' || (confirmedBy === 'unattended' && !isOff));
}

const confirmationWords: Readonly<Record<NonNullable<TokenView['confirmedBy']> | 'free', string>> = {
  passphrase: 'with the owner passphrase',
  touchId: 'with Touch ID in Sallyport.app',
  app: 'in Sallyport.app',
  off: 'by nobody: the owner passphrase was off',
  unattended: 'by nobody: the home was made unattended',
  free: 'no need: it gives no more than the bridge',
};

function stateOf({ state, createdAt, expiresAt }: TokenView): string {
  if (state === 'uncollected') return 'not yet collected';
  if (state !== 'valid') return state;
  // The daemon refuses it until the clock is right.
  if (expiresAt !== null && Date.parse(createdAt) > Date.now()) return 'refused: the clock was set back';
  return expiresAt === null ? 'valid' : `until ${shownTime(expiresAt)}`;
}
