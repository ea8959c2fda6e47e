/**
 * Which files and folders may be shown to a box: none that holds Sallyport's own files, or lies
 * among them. Reads links, no content.
 */

import { lstatSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';
import type { Locations } from '../../shared/locations.ts';
import { keptName } from '../../shared/runtime-folder.ts';
import { failed } from '../cli-error.ts';

export interface Shown {
  /** Outside, without links: what was judged is what is shown. */
  readonly from: string;
  /** Inside, as it was named. */
  readonly to: string;
  readonly mayWrite: boolean;
}

export interface Place {
  readonly locations: Pick<Locations, 'home' | 'controlSocketFolder'>;
  readonly userHome: string;
  readonly cwd: string;
}

/** @throws CliError with a sentence. */
export function shownAs(named: string, mayWrite: boolean, { locations, userHome, cwd }: Place): Shown {
  const to = resolve(cwd, named);
  const from = realOf(to);
  if (from === null)
    throw failed(`${to} can't be shown to the box: there is no such file or folder.`, 'file_refused', { path: to });
  const { home, controlSocketFolder } = locations;
  const boxes = keptName(home, 'boxes-folder') ?? home;
  const own = [home, controlSocketFolder, boxes].map(folder => realOf(folder) ?? folder);
  // In these lie everybody's keys, sockets and sessions.
  const everybodys = [userHome, tmpdir(), '/tmp', '/run', '/var/run', '/dev', '/proc', '/sys', '/etc', '/usr'];
  const isTooWide =
    own.some(folder => isWithin(folder, from) || isWithin(from, folder)) ||
    everybodys.some(folder => isWithin(realOf(folder) ?? folder, from));
  if (isTooWide)
    throw failed(
      `${to} can't be shown to the box: Sallyport's own files, or other programs' sockets and keys, lie there. Change into a project's folder, or name a narrower one.`,
    );
  if (lstatSync(from).isSocket())
    throw failed(`${to} can't be shown to the box: it is a socket, and leads out of the box.`, 'file_refused', {
      path: to,
    });
  return { from, to, mayWrite };
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
