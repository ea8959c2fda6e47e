/** Reads the text of an AI client's file, for doctor. Changes nothing. */

import { readFileSync, statSync } from 'node:fs';

const maxFileBytes = 16 * 1024 * 1024;

/** Null if it is missing, unreadable, or far too large for one. */
export function textOf(path: string): string | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}
