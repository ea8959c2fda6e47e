/**
 * Shows the AI clients that are on this machine, and writes Sallyport into the files of those that
 * are chosen: the second half of setup.
 */

import { clientsHere, noClientHere } from '../connect/clients-here.ts';
import { printInOneLine } from '../connect/show.ts';
import { Ending } from '../ending.ts';
import { print, remark, say, type Terminal } from '../terminal.ts';
import { chosenFrom, numbered } from './typed.ts';

const which = 'Add Sallyport to which? Numbers (1,3) or all; Enter skips: ';

/** @returns as people call those that have Sallyport now. */
export async function connectClients(terminal: Terminal, bridge: string): Promise<readonly string[]> {
  const clients = clientsHere(terminal, bridge);
  if (clients.length === 0) {
    say(terminal, noClientHere);
    return [];
  }
  const listed = clients.map(({ config, path }) => {
    return { name: config.title, place: path.replace(terminal.userHome, '~'), more: null };
  });
  print(terminal, ...numbered(terminal, listed));
  const connected: string[] = [];
  for (const { config, path } of await chosenFrom(terminal, which, clients)) {
    // Loaded where it is needed: the parsers cost a third of a command's start.
    const { writeBridge } = await import('../connect/write-entry.ts');
    try {
      printInOneLine(terminal, config, writeBridge(path, config.entry, bridge));
      connected.push(config.title);
    } catch (error) {
      // One file that can't be written is no reason to leave out the others.
      if (!(error instanceof Ending)) throw error;
      remark(terminal, error.message);
    }
  }
  return connected;
}
