/**
 * Gives a box's folder to a Unix group. Node knows groups only by number, so the system's own
 * `chgrp` looks a name up.
 */

import { execFile } from 'node:child_process';
import { chownSync, existsSync, lstatSync } from 'node:fs';
import { promisify } from 'node:util';

/** By path, as a PATH may lead to anybody's program. The last is NixOS's. */
const places = ['/usr/bin/chgrp', '/bin/chgrp', '/run/current-system/sw/bin/chgrp'] as const;
/** A user directory on another machine may not answer. */
const patienceMilliseconds = 5_000;

/**
 * @param chgrps for tests; else the system's own.
 * @returns a clause on why it isn't the group's and what to do, or null.
 */
export async function giveToGroup(
  folder: string,
  group: string,
  chgrps: readonly string[] = places,
): Promise<string | null> {
  const chgrp = chgrps.find(path => existsSync(path));
  const isNumber = /^\d+$/.test(group);
  if (!isNumber && chgrp === undefined)
    return `its folder can't be given to the group ${group} by its name, as ${chgrps.join(' or ')} is missing; name the group by its number`;
  try {
    if (isNumber) chownSync(folder, -1, Number(group));
    else await promisify(execFile)(chgrp ?? '', [group, folder], { env: {}, timeout: patienceMilliseconds });
    // The largest number means no change.
    if (!isNumber || lstatSync(folder).gid === Number(group)) return null;
  } catch {
    // The sentence below tells.
  }
  return `its folder can't be given to the group ${group}; name a group that you are in`;
}
