/** What stays after `sallyport uninstall`: the home, passwords, copies of clients' files. */

import { existsSync } from 'node:fs';
import { shellWord } from '../../shared/client-configs.ts';
import { readStoreRecord } from '../../shared/store-record.ts';
import { connectable } from '../connect/clients-here.ts';
import { locationsOf, type Terminal } from '../terminal.ts';

/**
 * Sentences.
 * @param isShared true if another install uses the home.
 */
export async function whatStays(terminal: Terminal, isShared: boolean): Promise<readonly string[]> {
  const { home, storeRecord } = locationsOf(terminal);
  const { backupsOf, takeoversHere } = await import('../past/entries.ts');
  const takenOver = takeoversHere(terminal);
  const copies = (await connectable(terminal, ''))
    .flatMap(({ path }) => backupsOf(path, false))
    .filter(copy => !takenOver.includes(copy));
  return [
    homeStays(home, storeRecord, isShared),
    ...copies.map(copy => `A copy of a client's file stays: ${copy}`),
    ...takenOver.map(
      copy => `A copy stays of a client's file, with the servers and passwords that Sallyport took over: ${copy}`,
    ),
  ].filter(line => line !== null);
}

function homeStays(home: string, storeRecord: string, isShared: boolean): string | null {
  if (!existsSync(home))
    return process.getuid?.() === 0
      ? 'Connections, passwords and settings of whoever used it stay in their home folders ("sallyport" in .local/share, on macOS in Library/Application Support).'
      : null;
  if (isShared) return `Your connections, passwords, settings and log stay for the other Sallyport, in ${home}`;
  const read = readStoreRecord(storeRecord);
  const usesKeychain = read.kind === 'read' && read.record.secrets === 'keychain';
  const line = `rm -r ${shellWord(home)}`;
  return usesKeychain
    ? `Your connections, settings and log stay in ${home}, your passwords in the keychain. To be rid of them: ${line}, and delete what the keychain has of "sallyport".`
    : `Your connections, passwords, settings and log stay in ${home}. To be rid of them: ${line}`;
}
