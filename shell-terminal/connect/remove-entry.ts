/** Takes the entry for Sallyport out of a client's own file (spec §16). Prints nothing. */

import type { ClientEntry } from '../../shared/client-configs.ts';
import { failed } from '../ending.ts';
import { readClientFile } from './client-file.ts';
import { withoutEntry } from './merge.ts';
import { replaceFile } from './replace.ts';

export interface Removal {
  /** Where the client's links lead. */
  readonly file: string;
  /** Null where there was no entry, and nothing was changed. */
  readonly backup: string | null;
}

/** Clients write their files too, some at every turn. */
const mostTries = 5;

/** @throws Ending with nothing touched. */
export function removeEntry(path: string, entry: ClientEntry): Removal {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = readClientFile(path);
    if (read.kind === 'refused') throw failed(`${read.why}; nothing was changed.`);
    if (read.kind === 'absent') return { file: path, backup: null };
    const removed = withoutEntry(read.text, entry);
    if (removed.kind === 'refused') throw failed(`${read.path} ${removed.why}; nothing was changed.`);
    if (removed.kind === 'absent') return { file: read.path, backup: null };
    const backup = replaceFile(read, removed.text, false);
    if (backup !== null) return { file: read.path, backup };
  }
  throw failed(`${path} is being written by its client all the time; close it, then try again.`);
}
