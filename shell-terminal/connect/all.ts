/**
 * `sallyport connect --all --write` and `--all --remove`: every client on this machine, one line
 * each.
 */

import { CliError, failed } from '../cli-error.ts';
import { printJson, remark, say, type Terminal } from '../terminal.ts';
import { type ClientHere, clientsHere, noClientHere } from './clients-here.ts';
import { removeEntry } from './remove-entry.ts';
import { printInOneLine } from './show.ts';
import { writeBridge } from './write-entry.ts';

/** @throws CliError if a file couldn't be changed, after all others were. */
export function changeAll(terminal: Terminal, bridge: string, what: 'write' | 'remove', json: boolean): void {
  const clients = clientsHere(terminal, bridge);
  if (clients.length === 0 && !json) say(terminal, noClientHere);
  const told: object[] = [];
  let refused = 0;
  for (const here of clients) {
    const { client, title } = here.config;
    try {
      const { change, file, backup } = what === 'write' ? written(here) : removed(here);
      told.push({ client, title, change, file, backup });
    } catch (error) {
      // One unwritable file doesn't stop the others.
      if (!(error instanceof CliError)) throw error;
      refused += 1;
      told.push({ client, title, change: 'none', file: here.path, backup: null, problem: error.message });
      remark(terminal, `${title}: ${error.message}`);
    }
  }
  if (json) printJson(terminal, told);
  if (refused > 0) throw failed(`${refused} of ${clients.length} could not be changed.`, 'partly_done');

  function written({ config, path }: ClientHere) {
    const result = writeBridge(path, config.entry, bridge);
    if (!json) printInOneLine(terminal, config, result);
    return result;
  }

  function removed({ config: { title, entry }, path }: ClientHere) {
    const { file, backup } = removeEntry(path, entry);
    if (!json) say(terminal, backup === null ? `${title}: had no entry.` : `${title}: removed. Restart it.`);
    return { change: backup === null ? 'none' : 'removed', file, backup };
  }
}
