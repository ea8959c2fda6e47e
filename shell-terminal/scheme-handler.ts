/**
 * The app that opens a private-use scheme on this system (spec §10): asks `xdg-mime` on Linux,
 * LaunchServices on macOS. Opens nothing, and asks only about names of letters, digits, `+`, `.`
 * and `-`.
 */

import { basename, join } from 'node:path';
import { runProgram } from './run-program.ts';
import { textIn } from './service/written-file.ts';
import type { Terminal } from './terminal.ts';

const askMilliseconds = 5_000;
const longestName = 200;

/** The app's own name; null if none is registered, or the system can't be asked. */
export async function handlerOf(terminal: Terminal, scheme: string): Promise<string | null> {
  if (!/^[a-z][a-z0-9+.-]*$/.test(scheme)) return null;
  const name = process.platform === 'darwin' ? await appOnMacOs(scheme) : await appOnLinux(terminal, scheme);
  return name === null || name === '' ? null : name.slice(0, longestName);
}

async function appOnLinux(terminal: Terminal, scheme: string): Promise<string | null> {
  const file = await asked('xdg-mime', ['query', 'default', `x-scheme-handler/${scheme}`]);
  // xdg-mime repeats its lists, even for an app that is gone.
  return file === null ? null : desktopName(terminal, file);
}

/** The id names a file in one of the folders; each dash may also stand for a subfolder. */
function desktopName(terminal: Terminal, file: string): string | null {
  if (!/^[^/]+\.desktop$/.test(file)) return null;
  for (const folder of applicationFolders(terminal)) {
    for (const path of [file, file.replace('-', '/')]) {
      const text = textIn(join(folder, path));
      if (text !== null) return nameIn(text) ?? basename(file, '.desktop');
    }
  }
  return null;
}

export function applicationFolders({ environment, userHome }: Terminal): string[] {
  const own = environment.XDG_DATA_HOME || join(userHome, '.local', 'share');
  const shared = (environment.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':').filter(path => path !== '');
  return [own, ...shared].map(folder => join(folder, 'applications'));
}

/** The name of the entry itself, not of one of its actions. */
function nameIn(text: string): string | null {
  const entry = /^\[Desktop Entry\]\s*\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? '';
  return /^Name[ \t]*=(.*)$/m.exec(entry)?.[1]?.trim() || null;
}

const askLaunchServices = `function run([scheme]) {
  ObjC.import('AppKit');
  const app = $.NSWorkspace.sharedWorkspace.URLForApplicationToOpenURL($.NSURL.URLWithString(scheme + ':'));
  return app.isNil() ? '' : ObjC.unwrap(app.lastPathComponent);
}`;

async function appOnMacOs(scheme: string): Promise<string | null> {
  const app = await asked('/usr/bin/osascript', ['-l', 'JavaScript', '-e', askLaunchServices, scheme]);
  return app === null ? null : app.replace(/\.app$/, '');
}

async function asked(file: string, parameters: readonly string[]): Promise<string | null> {
  const { stdout } = await runProgram(file, parameters, { timeout: askMilliseconds });
  return stdout.trim() || null;
}
