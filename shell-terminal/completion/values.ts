/**
 * Possible values of an option or an argument, for completion. Asks a running daemon; starts none.
 */

import { stdioConfigs } from '../../shared/client-configs.ts';
import { titleOf } from '../../shared/clients.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { waitingAsks } from '../desk/asks.ts';
import { everyConnection, everyRemovedConnection } from '../every-connection.ts';
import type { Terminal } from '../terminal.ts';
import {
  aiPolicyWords,
  categoryWords,
  databasesWords,
  expiryWords,
  externalClientsWords,
  roleAccessWords,
  scopeWords,
  tlsWords,
} from '../words.ts';

export const shellNames = ['bash', 'zsh', 'fish'] as const;

export interface Choice {
  readonly word: string;
  /** One line; empty if the word says enough. */
  readonly about: string;
}

type Source = (client: ControlClient) => Promise<readonly Choice[]>;

const connections: Source = async client =>
  (await everyConnection(client)).map(({ name, engine }) => ({ word: name, about: engine }));
const removed: Source = async client =>
  (await everyRemovedConnection(client)).map(({ connection: { name, engine } }) => ({ word: name, about: engine }));
const tokens: Source = async client =>
  (await client.ask('tokens.list', {})).tokens.map(({ id, name }) => ({ word: id, about: name }));
const waiting: Source = async client =>
  (await waitingAsks(client)).map(({ id, client }) => ({ word: id, about: client }));
const settings: Source = async client =>
  (await client.ask('settings.list', {})).settings.map(({ key, about }) => ({ word: key, about }));

/**
 * Keyed by option, or by command and argument; by the first word alone if all its commands take the
 * same.
 */
const fromDaemon: Readonly<Record<string, Source>> = {
  'connections NAME': connections,
  'connections restore NAME': removed,
  'query NAME': connections,
  '--connection': connections,
  '--connections': connections,
  'tokens ID': tokens,
  '--token': tokens,
  'allow ID': waiting,
  'settings KEY': settings,
};

const words = (of: Readonly<Record<string, unknown>>): readonly Choice[] => plain(Object.keys(of));
const plain = (of: readonly string[]): readonly Choice[] => of.map(word => ({ word, about: '' }));

const fixed: Readonly<Record<string, readonly Choice[]>> = {
  '--external-clients': words(externalClientsWords),
  '--ai-policy': words(aiPolicyWords),
  '--scope': words(scopeWords),
  '--access': words(roleAccessWords),
  '--tls': words(tlsWords),
  '--databases': words(databasesWords),
  '--category': words(categoryWords),
  '--expires': words(expiryWords),
  'connect CLIENT': [...stdioConfigs('').map(({ client }) => client), 'http'].map(client => {
    return { word: client, about: titleOf(client) };
  }),
  'completion SHELL': plain(shellNames),
  'classify ENGINE': plain(['postgresql', 'mysql', 'mariadb', 'sqlite']),
};

/**
 * @param what `--scope`, `tokens revoke ID`. Empty if anything may come there, or no daemon
 *   answers.
 */
export async function valuesOf(terminal: Terminal, what: string): Promise<readonly Choice[]> {
  const words = what.split(' ');
  const short = `${words[0]} ${words.at(-1)}`;
  const source = fromDaemon[what] ?? fromDaemon[short];
  if (source === undefined) return fixed[what] ?? fixed[short] ?? [];
  return withDaemon(terminal, source).catch(() => []);
}
