/**
 * Finds the user's Downloads folder (spec §9): on Linux as the desktop names it, else in the home.
 * Creates nothing.
 */

import { lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { account } from '../../../shared/account.ts';
import { errorCode } from '../../disk-fault.ts';

/**
 * @param home Sallyport's own folder, where no export may be written.
 * @returns the real path. A link is followed, since people keep large folders on another disk. A
 *   folder that others own or may write to is refused, as a name in it could be swapped.
 */
export async function downloadsFolder(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly folder: string } | { readonly problem: string }> {
  const wanted = await downloadsIn(environment);
  try {
    await mkdir(wanted, { mode: 0o700 }).catch(error => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    const folder = await realpath(wanted);
    const { uid, mode } = await stat(folder);
    const isOthers = process.getuid?.() !== undefined && uid !== process.getuid?.();
    if (isOthers || (mode & 0o002) !== 0) return { problem: `${folder} belongs to others, or others may write to it.` };
    const own = await realpath(home);
    if (folder === own || folder.startsWith(own + sep)) return { problem: `${folder} is Sallyport's own folder.` };
    return (await lstat(folder)).isDirectory() ? { folder } : { problem: `${folder} is no folder.` };
  } catch (error) {
    return { problem: `${wanted} can't be used (${errorCode(error)}).` };
  }
}

async function downloadsIn(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const user = environment.HOME ?? account().home;
  const usual = join(user, 'Downloads');
  if (process.platform === 'darwin') return usual;
  const configuration = environment.XDG_CONFIG_HOME ?? '';
  const folder = isAbsolute(configuration) ? configuration : join(user, '.config');
  const text = await readFile(join(folder, 'user-dirs.dirs'), 'utf8').catch(() => '');
  // The format of xdg-user-dirs: shell syntax, only these two forms. The home itself means "none".
  const named = /^XDG_DOWNLOAD_DIR="(\$HOME(?=\/)|(?=\/))([^"\n]*)"/m.exec(text);
  if (named === null) return usual;
  const path = resolve(`${named[1] === '' ? '' : user}${named[2]}`);
  return path === '/' || path === resolve(user) ? usual : path;
}
