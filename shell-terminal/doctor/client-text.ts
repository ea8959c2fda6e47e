/** The text of an AI client's own file, for doctor to look into. Changes nothing. */

import { readFileSync, statSync } from 'node:fs';

const maxFileBytes = 16 * 1024 * 1024;

/** Null where it isn't there, isn't ours to read, or is far too large for one. */
export function textOf(path: string): string | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}
