/**
 * Tells why a folder can't be this user's home, or hold something of theirs. The folder need not
 * exist (spec §1). Changes nothing.
 */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { userHome } from './account.ts';

export interface Unusable {
  /** A sentence without its full stop. */
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Null if it can be. Root in a person's folder would leave files that aren't theirs, and shut them
 * out.
 */
export function unusableFolder(folder: string, uid = process.getuid?.()): Unusable | null {
  let isClosed = false;
  for (let place = folder; ; place = dirname(place)) {
    const owner = ownerOf(place);
    if (owner === 'closed') isClosed = true;
    else if (owner !== null) {
      const isOthers = owner !== uid && (isClosed || place === folder || uid === 0);
      if (isOthers) return { problem: `${place} belongs to another user`, remedy: remedyFor(place, uid) };
      return isClosed ? { problem: `${place} is closed to you`, remedy: `chmod 700 ${place}` } : null;
    }
    if (place === dirname(place)) return null;
  }
}

/** A sentence, or null if it can be. */
export function unusableHome(home: string): string | null {
  const unusable = unusableFolder(home);
  return unusable === null ? null : `Sallyport's home can't be used: ${unusable.problem}; ${unusable.remedy}.`;
}

function remedyFor(place: string, uid: number | undefined): string {
  if (uid === 0) return 'run this as that user, without sudo';
  // HOME may be another user's, as under `su -m`, and under sudo on macOS.
  const own = userHome();
  return ownerOf(own) === uid && place.startsWith(`${own}/`)
    ? `make it yours again (\`sudo chown -R "$USER" ${place}\`)`
    : 'only that user can run Sallyport there';
}

function ownerOf(path: string): number | 'closed' | null {
  try {
    return statSync(path).uid;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'closed' : null;
  }
}
