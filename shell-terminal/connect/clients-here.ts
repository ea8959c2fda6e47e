/**
 * The AI clients on this machine: their file is there, or the folder that they make at their first
 * start.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ClientConfig, stdioConfigs } from '../../shared/client-configs.ts';
import { clientFiles } from '../../shared/client-files.ts';
import { namedHome } from '../../shared/locations.ts';
import { table } from '../table.ts';
import { print, printJson, say, type Terminal } from '../terminal.ts';

export interface ClientHere {
  readonly config: ClientConfig;
  readonly path: string;
}

export const noClientHere = 'No AI client was found here; `sallyport connect --help` names those that Sallyport knows.';

export function clientsHere(
  { userHome, environment }: Pick<Terminal, 'userHome' | 'environment'>,
  bridge: string,
): readonly ClientHere[] {
  const configs = new Map(stdioConfigs(bridge, namedHome(environment)).map(config => [config.client, config]));
  const here = new Map<string, ClientHere>();
  for (const { client, path } of clientFiles(userHome, environment)) {
    const config = configs.get(client);
    const folders = ['continue', 'jetbrains'].includes(client) ? [dirname(dirname(path))] : [dirname(path)];
    const isHere = existsSync(path) || folders.some(folder => folder !== userHome && existsSync(folder));
    if (config !== undefined && isHere && !here.has(client)) here.set(client, { config, path });
  }
  return [...here.values()];
}

export async function clientsAndEntries(terminal: Terminal, bridge: string) {
  return (await connectable(terminal, bridge)).map(({ config: { client, title }, path: file, connected }) => {
    return { client, title, file, connected };
  });
}

/**
 * @property connected true if it has an entry for Sallyport.
 * @property differs true if that entry starts something else, or for another home.
 * @property home that the entry names; null for the usual one.
 */
interface Connectable extends ClientHere {
  readonly connected: boolean;
  readonly differs: boolean;
  readonly home: string | null;
}

export async function connectable(
  terminal: Pick<Terminal, 'userHome' | 'environment'>,
  bridge: string,
): Promise<readonly Connectable[]> {
  // Loaded on demand: the parsers would add a third to every command's start.
  const [{ readClientFile }, { entryIn, merge, withoutEntry }, { bridgeDifferences, homeOf }] = await Promise.all([
    import('./client-file.ts'),
    import('./merge.ts'),
    import('./differences.ts'),
  ]);
  return clientsHere(terminal, bridge).map(here => {
    const { entry } = here.config;
    const read = readClientFile(here.path);
    if (read.kind !== 'found' || withoutEntry(read.text, entry).kind !== 'removed')
      return { ...here, connected: false, differs: false, home: null };
    const differs = merge(read.text, entry, bridgeDifferences(bridge)).kind === 'updated';
    return { ...here, connected: true, differs, home: homeOf(entryIn(read.text, entry) ?? {}) };
  });
}

/** `sallyport connect` without a client. */
export async function showClientsHere(terminal: Terminal, bridge: string, json: boolean): Promise<void> {
  const clients = await clientsAndEntries(terminal, bridge);
  if (json) return printJson(terminal, clients);
  if (clients.length === 0) return say(terminal, noClientHere);
  const columns = {
    CLIENT: (here: (typeof clients)[number]) => here.client,
    'HAS SALLYPORT': (here: (typeof clients)[number]) => (here.connected ? 'yes' : 'no'),
    FILE: (here: (typeof clients)[number]) => here.file.replace(terminal.userHome, '~'),
  };
  print(terminal, ...table(terminal, clients, columns, 'FILE'), '');
  say(terminal, '`sallyport connect CLIENT --write` adds Sallyport to one of them; `--remove` removes it.');
}
