/** `sallyport tokens mint`, `edit`, `revoke` and `delete`. */

import type { TokenView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { misuse } from '../cli-error.ts';
import { type CommandCall, command, type OptionSpec } from '../command.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { byNameToo, shortId, tokenOf } from '../named-token.ts';
import type { Terminal } from '../terminal.ts';
import { print, printJson, remark } from '../terminal.ts';
import { expiryWords, meaningOf, scopeWords, shownTime, wordFor } from '../words.ts';
import { namesOf } from './tokens-list.ts';

/** The options that say what a new token gives. */
export const grantOptions = {
  scope: { type: 'string', value: 'S', about: 'read-only (default), read-write or full-access' },
  connections: { type: 'string', value: 'all|A,B', about: 'connections it may use (default: all)' },
  expires: { type: 'string', value: 'DAYS', about: '1, 7, 30 (default), 90 or never' },
} as const satisfies Record<string, OptionSpec>;
export type GrantOptions = CommandCall<typeof grantOptions>['options'];

/** @throws CliError */
export function grantOf({ scope = 'read-only', connections = 'all', expires = '30' }: GrantOptions) {
  return {
    scope: meaningOf('scope', scopeWords, scope),
    connections: connectionsOf(connections),
    expires: expiryOf(expires),
  };
}

export const mintTokenCommand = command(
  {
    words: 'tokens mint',
    about: 'Create a token for an HTTP client; it is shown once',
    options: {
      name: { type: 'string', value: 'N', about: 'its name (needed)' },
      ...grantOptions,
      'confirm-in-client': { type: 'boolean', about: 'let its client answer questions if no shell can' },
    },
  },
  async ({ terminal, options, json }) => {
    if (options.name === undefined) throw misuse('--name NAME is needed: the token is known by it afterwards.');
    const minted = await askDaemon(terminal, 'tokens.mint', {
      name: options.name,
      ...grantOf(options),
      confirmInClient: options['confirm-in-client'] === true,
    });
    const { id, name, scope, expiresAt, token } = minted;
    const connections = minted.connections === 'all' ? 'all' : minted.connections.map(connection => connection.id);
    if (json) return printJson(terminal, { id, name, scope, connections, expiresAt, token });
    print(terminal, token);
    const until = expiresAt === null ? 'It does not expire' : `It expires ${shownTime(expiresAt)}`;
    remark(terminal, `This is the only time the token is shown. ${until}; its id is ${id.slice(0, shortId)}.`);
    const { tokens } = await askDaemon(terminal, 'tokens.list', {});
    const isTwice = tokens.some(other => other.id !== id && other.name === name && other.state === 'valid');
    if (isTwice) remark(terminal, `Another token is called ${shownText(name)} too: tell them apart by their ids.`);
  },
);

export const editTokenCommand = command(
  {
    words: 'tokens edit',
    arguments: ['ID'],
    about: 'Change the scope, connections or expiry of a token',
    details: [byNameToo, 'Running calls that this forbids are stopped; all others go on.'],
    options: {
      scope: { type: 'string', value: 'S', about: 'read-only, read-write or full-access' },
      connections: { type: 'string', value: 'all|A,B', about: 'what it reaches' },
      expires: { type: 'string', value: 'DAYS', about: '1, 7, 30 or 90 from now, or never' },
    },
  },
  async ({ terminal, arguments: [typed = ''], options: { scope, connections, expires }, answer }) => {
    const change = {
      ...(scope !== undefined && { scope: meaningOf('scope', scopeWords, scope) }),
      ...(connections !== undefined && { connections: connectionsOf(connections) }),
      ...(expires !== undefined && { expires: expiryOf(expires) }),
    };
    if (Object.keys(change).length === 0) throw misuse('Nothing to change; give --scope, --connections or --expires.');
    const edited = await withDaemon(terminal, async client =>
      client.ask('tokens.edit', { id: (await tokenOf(client, typed)).id, ...change }),
    );
    const reach = edited.connections === 'all' ? 'every connection' : namesOf(edited.connections);
    const until = edited.expiresAt === null ? 'without an end' : `until ${shownTime(edited.expiresAt)}`;
    answer(edited, `Changed ${shownText(edited.name)}: ${wordFor(scopeWords, edited.scope)}, ${reach}, ${until}.`);
  },
);

export const revokeTokenCommand = command(
  {
    words: 'tokens revoke',
    arguments: ['ID'],
    about: 'Revoke a token at once; it stays listed',
    details: [byNameToo],
  },
  async ({ terminal, arguments: [typed = ''], answer }) => {
    const token = await endToken(terminal, typed, 'tokens.revoke');
    answer({ id: token.id, revoked: true }, `Revoked ${shownText(token.name)}.`);
  },
);

export const deleteTokenCommand = command(
  {
    words: 'tokens delete',
    arguments: ['ID'],
    about: 'Revoke a token, and remove it from the list',
    details: [byNameToo],
  },
  async ({ terminal, arguments: [typed = ''], answer }) => {
    const token = await endToken(terminal, typed, 'tokens.delete');
    answer({ id: token.id, deleted: true }, `Deleted ${shownText(token.name)}.`);
  },
);

function endToken(terminal: Terminal, typed: string, method: 'tokens.revoke' | 'tokens.delete'): Promise<TokenView> {
  return withDaemon(terminal, async client => {
    const token = await tokenOf(client, typed);
    await client.ask(method, { id: token.id });
    return token;
  });
}

export function connectionsOf(typed: string): 'all' | string[] {
  if (typed === 'all') return 'all';
  const names = typed.split(',').map(name => name.trim());
  if (names.includes('')) throw misuse('--connections must be all, or names with commas between them.');
  return names;
}

export function expiryOf(typed: string): 'never' | 1 | 7 | 30 | 90 {
  return meaningOf('expires', expiryWords, typed);
}
