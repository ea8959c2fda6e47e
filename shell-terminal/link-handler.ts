/**
 * Registers `sallyport open` for `sallyport:` links on a Linux desktop (spec §16): writes a
 * `.desktop` file of this user that opens a terminal, and makes it the default. Touches nothing
 * else.
 */

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namedHome } from '../shared/locations.ts';
import { forgetDefault, setDefault } from './default-handler.ts';
import { runProgram } from './run-program.ts';
import { applicationFolders } from './scheme-handler.ts';
import { putFile, takeAwayIfEmpty, textIn } from './service/written-file.ts';
import type { Terminal } from './terminal.ts';

interface RegisteredHandler {
  readonly file: string;
  /** Null if the desktop now opens such links with it; otherwise a sentence. */
  readonly problem: string | null;
}

interface UnregisteredHandler {
  /** The removed file; null if there was none. */
  readonly file: string | null;
  /** A sentence: what couldn't be undone. */
  readonly problem: string | null;
}

const desktopId = 'sallyport.desktop';
const mimeType = 'x-scheme-handler/sallyport';
const timeout = 10_000;

/** @param executable the real path of the `sallyport` command. */
export async function registerHandler(terminal: Terminal, executable: string): Promise<RegisteredHandler> {
  const file = desktopFile(terminal);
  putFile(file, desktopEntry(executable, namedHome(terminal.environment)));
  await runProgram('update-desktop-database', [dirname(file)], { timeout });
  const refused = setDefault(terminal, { mimeType, desktopId });
  if (refused !== null) return { file, problem: `The desktop still has its old handler: ${refused}.` };
  const found = await runProgram('xdg-mime', ['query', 'default', mimeType], { timeout });
  if (found.problem !== null)
    return {
      file,
      problem: "Couldn't confirm that the link handler was registered. Install xdg-utils and try again.",
    };
  const app = found.stdout.trim();
  return {
    file,
    problem: app === desktopId ? null : `The desktop still opens such links with ${app || 'nothing'}.`,
  };
}

/** The command that opens links; empty if none of ours does. */
export function linkCommand(terminal: Terminal): readonly string[] {
  const [, line = ''] = /^Exec=(.*)$/m.exec(textIn(desktopFile(terminal)) ?? '') ?? [];
  const value = line.replace(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one === 't' ? '\t' : one));
  return [...value.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, bare = '']) =>
    quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}

export async function unregisterHandler(terminal: Terminal): Promise<UnregisteredHandler> {
  const file = desktopFile(terminal);
  const wasThere = existsSync(file);
  rmSync(file, { force: true });
  const refused = forgetDefault(terminal, { mimeType, desktopId });
  if (wasThere) {
    await runProgram('update-desktop-database', [dirname(file)], { timeout });
    takeAwayIfEmpty(join(dirname(file), 'mimeinfo.cache'), terminal.userHome);
  }
  const problem = refused === null ? null : `${refused}: a line for ${desktopId} may be left in it.`;
  return { file: wasThere ? file : null, problem };
}

/**
 * Names the home if it isn't the usual one: the desktop doesn't know this terminal's environment.
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
 * A word of `Exec` as the Desktop Entry Specification demands: quoted, then escaped again as a
 * value; `%` begins a field code.
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
