/**
 * Registers `sallyport open` for `sallyport:` links on a Linux desktop (spec §16): a `.desktop`
 * file of this user that opens a terminal, and its being the default. Touches nothing beyond these
 * two.
 */

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namedHome } from '../shared/locations.ts';
import { forgetDefault, setDefault } from './default-handler.ts';
import { ran } from './ran.ts';
import { applicationFolders } from './scheme-handler.ts';
import { putFile, takeAwayIfEmpty } from './service/written-file.ts';
import type { Terminal } from './terminal.ts';

interface RegisteredHandler {
  readonly file: string;
  /** Null where the desktop now opens such links with it; else a sentence. */
  readonly problem: string | null;
}

interface UnregisteredHandler {
  /** The file removed; null where none was. */
  readonly file: string | null;
  /** A sentence: what could not be taken back. */
  readonly problem: string | null;
}

const desktopId = 'sallyport.desktop';
const mimeType = 'x-scheme-handler/sallyport';
const timeout = 10_000;

/** @param executable the real path of the `sallyport` command. */
export async function registerHandler(terminal: Terminal, executable: string): Promise<RegisteredHandler> {
  const file = desktopFile(terminal);
  putFile(file, desktopEntry(executable, namedHome(terminal.environment)));
  await ran('update-desktop-database', [dirname(file)], { timeout });
  const refused = setDefault(terminal, { mimeType, desktopId });
  if (refused !== null) return { file, problem: `The desktop was not told: ${refused}.` };
  const found = await ran('xdg-mime', ['query', 'default', mimeType], { timeout });
  if (found.problem !== null)
    return {
      file,
      problem: "Couldn't confirm that the link handler was registered. Install xdg-utils and try again.",
    };
  const app = found.stdout.trim();
  return {
    file,
    problem: app === desktopId ? null : `The desktop opens such links with ${app || 'nothing'} all the same.`,
  };
}

export async function unregisterHandler(terminal: Terminal): Promise<UnregisteredHandler> {
  const file = desktopFile(terminal);
  const wasThere = existsSync(file);
  rmSync(file, { force: true });
  const refused = forgetDefault(terminal, { mimeType, desktopId });
  if (wasThere) {
    await ran('update-desktop-database', [dirname(file)], { timeout });
    takeAwayIfEmpty(join(dirname(file), 'mimeinfo.cache'), terminal.userHome);
  }
  const problem = refused === null ? null : `${refused}: a line for ${desktopId} may be left in it.`;
  return { file: wasThere ? file : null, problem };
}

/**
 * A home of its own is named in it: whoever opens the link knows nothing of this terminal's
 * environment.
 */
export function desktopEntry(executable: string, home: string | null): string {
  const words = [...(home ? ['env', `SALLYPORT_HOME=${home}`] : []), executable, 'open'];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Sallyport',
    'Comment=Lets AI clients use your databases without your passwords',
    `Exec=${words.map(execWord).join(' ')} %u`,
    'Terminal=true',
    'NoDisplay=true',
    'StartupNotify=false',
    `MimeType=${mimeType};`,
    '',
  ].join('\n');
}

/**
 * As the Desktop Entry Specification has it: quoted, then escaped once more as a value; `%` begins
 * a field code.
 */
function execWord(word: string): string {
  if (/^[A-Za-z0-9/._=+:@-]+$/.test(word)) return word;
  const quoted = `"${word.replace(/["`$\\]/g, character => `\\${character}`).replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function desktopFile(terminal: Terminal): string {
  const [folder = ''] = applicationFolders(terminal);
  return join(folder, desktopId);
}
