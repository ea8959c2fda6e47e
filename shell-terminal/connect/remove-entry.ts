/** Removes the entry for Sallyport from a client's file (spec §16). Prints nothing. */

import type { ClientEntry } from '../../shared/client-configs.ts';
import { failed } from '../cli-error.ts';
import { fileToChange, retryWhileWritten } from './client-file.ts';
import { withoutEntry } from './merge.ts';
import { replaceFile } from './replace.ts';

export interface Removal {
  /** The file that the client's links lead to. */
  readonly file: string;
  /** Null if there was no entry, so nothing was changed. */
  readonly backup: string | null;
}

/** @throws CliError with nothing touched. */
export function removeEntry(path: string, entry: ClientEntry): Removal {
  return retryWhileWritten(path, () => {
    const read = fileToChange(path);
    if (read.kind === 'absent') return { file: path, backup: null };
    const removed = withoutEntry(read.text, entry);
    if (removed.kind === 'refused')
      throw failed(`${read.path} ${removed.why}; nothing was changed.`, 'file_refused', { path: read.path });
    if (removed.kind === 'absent') return { file: read.path, backup: null };
    const backup = replaceFile(read, removed.text, false);
    return backup === null ? null : { file: read.path, backup };
  });
}
