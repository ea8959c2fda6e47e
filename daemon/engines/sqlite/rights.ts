/** SQLite has no accounts, so nothing of theirs could hold or open anything. */

import type { Answer } from '../engine.ts';

export async function rights(): Promise<Answer<null>> {
  return { kind: 'done', value: null };
}
