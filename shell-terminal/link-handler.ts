/**
 * Registers `sallyport open` for `sallyport:` links on a Linux desktop (SPEC §16): a `.desktop` file of this user that opens a
 * terminal, and its being the default. Touches nothing beyond these two.
 */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { applicationFolders } from './scheme-handler.ts';
import { takeAway, textIn } from './service/written-file.ts';
import type { Terminal } from './terminal.ts';

export interface RegisteredHandler {
  readonly file: string;
  /** Whether the desktop now opens such links with it; false where it could not be told so. */
  readonly isDefault: boolean;
}

const desktopId = 'sallyport.desktop';
const mimeType = 'x-scheme-handler/sallyport';
const toolMilliseconds = 10_000;

/** @param executable the real path of the `sallyport` command. */
export async function registerHandler(terminal: Terminal, executable: string): Promise<RegisteredHandler> {
  const file = desktopFile(terminal);
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, desktopEntry(executable, terminal.environment.SALLYPORT_HOME));
  await run('update-desktop-database', [dirname(file)]);
  await run('xdg-mime', ['default', desktopId, mimeType]);
  const [found] = await run('xdg-mime', ['query', 'default', mimeType]);
  return { file, isDefault: found?.trim() === desktopId };
}

/** @returns the file removed; null where none was. */
export async function unregisterHandler(terminal: Terminal): Promise<string | null> {
  const file = desktopFile(terminal);
  const wasThere = existsSync(file);
  rmSync(file, { force: true });
  forgetDefault(terminal);
  if (wasThere) {
    await run('update-desktop-database', [dirname(file)]);
    takeAwayIfEmpty(join(dirname(file), 'mimeinfo.cache'), terminal.userHome);
  }
  return wasThere ? file : null;
}

/** A home of its own is named in it: whoever opens the link knows nothing of this terminal's environment. */
export function desktopEntry(executable: string, home: string | undefined): string {
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

/** As the Desktop Entry Specification has it: quoted, then escaped once more as a value; `%` begins a field code. */
function execWord(word: string): string {
  if (/^[A-Za-z0-9/._=+:@-]+$/.test(word)) return word;
  const quoted = `"${word.replace(/["`$\\]/g, character => `\\${character}`).replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function desktopFile(terminal: Terminal): string {
  const [folder = ''] = applicationFolders(terminal);
  return join(folder, desktopId);
}

/** xdg-mime can set a default but not take it back. Every other line stays byte for byte. */
function forgetDefault({ environment, userHome }: Terminal): void {
  const list = join(environment.XDG_CONFIG_HOME || join(userHome, '.config'), 'mimeapps.list');
  if (!existsSync(list)) return;
  const text = readFileSync(list, 'utf8');
  const without = text
    .split('\n')
    .filter(line => !new RegExp(`^${mimeType}=${desktopId.replace('.', '\\.')};?$`).test(line))
    .join('\n');
  if (without === text) return;
  replaceFile(list, without);
  takeAwayIfEmpty(list, userHome);
}

/** The desktop's tools made it, and there is nothing in it any more but the titles of sections. */
function takeAwayIfEmpty(path: string, userHome: string): void {
  if (
    textIn(path)
      ?.replace(/^\[[^\]\n]*\]$/gm, '')
      .trim() === ''
  )
    takeAway(path, userHome);
}

function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o644, flag: 'wx' });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** What it printed; nothing where it isn't installed or failed. */
async function run(file: string, parameters: readonly string[]): Promise<readonly string[]> {
  try {
    return [(await promisify(execFile)(file, [...parameters], { timeout: toolMilliseconds })).stdout];
  } catch {
    return [];
  }
}
