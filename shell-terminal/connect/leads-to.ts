/** Whether a path is a name of this install's bridge. Runs nothing. */

import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** @param bridge its real path. A client may well start it by a link: that one is as good. */
export function leadsTo(bridge: string): (path: string) => boolean {
  return path => {
    if (path === bridge) return true;
    try {
      return isAbsolute(path) && realpathSync(path) === bridge;
    } catch {
      return false;
    }
  };
}
