/**
 * The names of a home's folders outside it (spec §1): of its sockets if its path is too long, and
 * of boxes that others get into. Anybody may take a name under /tmp first, so that name is random
 * and kept in the home. Makes nothing.
 */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOwnFile } from './private-files.ts';

/** The file in the home that names it, too. */
export type RuntimeFolder = 'socket-folder' | 'boxes-folder';

const randomDigits = /^[0-9a-f]{16}$/;

/** Nobody but this user and root can make anything there. Many systems have no such place. */
export function sessionFolder(home: string): string {
  return `/run/user/${process.getuid?.() ?? 0}/sallyport-${digestOf(home)}`;
}

/**
 * Not under os.tmpdir(): TMPDIR differs between a terminal, a LaunchAgent and an MCP client's
 * child.
 * @param random 16 hexadecimal digits.
 */
export function nameUnderTmp(home: string, kind: RuntimeFolder, random: string): string {
  return `/tmp/sallyport-${kind === 'boxes-folder' ? 'boxes-' : ''}${digestOf(home)}-${random}`;
}

/**
 * The path that the home names, whatever is there. Null if it names none, or one that was chosen
 * for another home, of which this one is a copy.
 */
export function keptName(home: string, kind: RuntimeFolder): string | null {
  const file = readOwnFile(join(home, kind), 1_024);
  if (file.kind !== 'read') return null;
  const random = file.text.slice(-16);
  return randomDigits.test(random) && file.text === nameUnderTmp(home, kind, random) ? file.text : null;
}

function digestOf(home: string): string {
  return createHash('sha256').update(realPathOf(home)).digest('hex').slice(0, 16);
}

function realPathOf(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return resolve(home);
  }
}
