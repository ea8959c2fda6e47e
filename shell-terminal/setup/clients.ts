/** Shows the AI clients that are on this machine, and writes Sallyport into the files of those that are chosen: the second half of setup. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ClientConfig, stdioConfigs } from '../../shared/client-configs.ts';
import { clientFiles } from '../../shared/client-files.ts';
import { namedHome } from '../../shared/locations.ts';
import { bridgeDifferences } from '../connect/differences.ts';
import { leadsTo } from '../connect/leads-to.ts';
import { printWritten } from '../connect/show.ts';
import { Ending } from '../ending.ts';
import { print, remark, say, type Terminal } from '../terminal.ts';
import { chosenOf, numbered, typedLine } from './typed.ts';

interface ClientHere {
  readonly config: ClientConfig;
  readonly path: string;
}

/** Those whose file is there, or the folder that they make when they first start. */
function clientsHere({ userHome, environment }: Terminal, bridge: string): readonly ClientHere[] {
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

/** @returns as people call those that have Sallyport now. */
export async function connectClients(terminal: Terminal, bridge: string): Promise<readonly string[]> {
  const clients = clientsHere(terminal, bridge);
  if (clients.length === 0) {
    say(terminal, 'No AI client was found here; `sallyport connect --help` names those that Sallyport knows.');
    return [];
  }
  const listed = clients.map(({ config, path }) => {
    return { name: config.title, place: path.replace(terminal.userHome, '~'), more: null };
  });
  print(terminal, ...numbered(terminal, listed));
  const connected: string[] = [];
  for (const { config, path } of await chosenAmong(terminal, clients)) {
    // Loaded where it is needed: the parsers cost a third of a command's start.
    const { writeEntry } = await import('../connect/write-entry.ts');
    try {
      const differences = bridgeDifferences(leadsTo(bridge));
      printWritten(terminal, config, writeEntry({ path, entry: config.entry, differences, isSecret: false }), false);
      connected.push(config.title);
    } catch (error) {
      // One file that can't be written is no reason to leave out the others.
      if (!(error instanceof Ending)) throw error;
      remark(terminal, error.message);
    }
  }
  return connected;
}

async function chosenAmong(terminal: Terminal, clients: readonly ClientHere[]): Promise<readonly ClientHere[]> {
  for (;;) {
    const typed = await typedLine(terminal, 'Which shall have Sallyport? Numbers, or all; Enter for none: ');
    const chosen = chosenOf(typed, clients.length);
    if (chosen !== null) return chosen.flatMap(at => clients[at] ?? []);
  }
}
