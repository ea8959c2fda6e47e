/**
 * Shows the AI clients on this machine, and adds Sallyport to the files of the chosen ones: the
 * second half of setup.
 */

import { CliError } from '../cli-error.ts';
import { connectable, noClientHere } from '../connect/clients-here.ts';
import { printInOneLine } from '../connect/show.ts';
import { print, remark, say, type Terminal } from '../terminal.ts';
import { chosenFrom, numbered } from './typed.ts';

const which = 'Add Sallyport to which? Numbers (1,3) or all; Enter skips: ';

/** @returns names, for people, of the clients that now have Sallyport. */
export async function connectClients(terminal: Terminal, bridge: string): Promise<readonly string[]> {
  const here = await connectable(terminal, bridge);
  if (here.length === 0) say(terminal, noClientHere);
  const already = here.filter(({ connected, differs }) => connected && !differs).map(({ config }) => config.title);
  if (already.length > 0) say(terminal, `Sallyport is in ${already.join(', ')} already.`);
  for (const { config } of here.filter(({ differs }) => differs))
    say(
      terminal,
      `${config.title} has an entry sallyport that isn't for this install; \`sallyport connect ${config.client} --write\` changes it.`,
    );
  const clients = here.filter(({ connected }) => !connected);
  if (clients.length === 0) return already;
  const listed = clients.map(({ config, path }) => {
    return { name: config.title, place: path.replace(terminal.userHome, '~'), more: null };
  });
  print(terminal, ...numbered(terminal, listed));
  const connected: string[] = [];
  for (const { config, path } of await chosenFrom(terminal, which, clients)) {
    // Loaded on demand: the parsers add a third to a command's start.
    const { writeBridge } = await import('../connect/write-entry.ts');
    try {
      printInOneLine(terminal, config, writeBridge(path, config.entry, bridge));
      connected.push(config.title);
    } catch (error) {
      // One unwritable file doesn't stop the others.
      if (!(error instanceof CliError)) throw error;
      remark(terminal, error.message);
    }
  }
  return [...connected, ...already];
}
