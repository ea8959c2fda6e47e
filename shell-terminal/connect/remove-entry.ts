/** Removes the entry for Sallyport from a client's file (spec §16). Prints nothing. */

import type { ClientEntry } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import { failed } from '../cli-error.ts';
import { fileToChange, readClientFile, retryWhileWritten } from './client-file.ts';
import { merge, valueIn, withoutEntry } from './merge.ts';
import { firstBackup, replaceFile } from './replace.ts';

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
    const before = textBefore(read.path);
    const isBare = before !== null && hadHolder(before, entry);
    const removed = withoutEntry(read.text, entry, isBare);
    if (removed.kind === 'refused')
      throw failed(`${read.path} ${removed.why}; nothing was changed.`, 'file_refused', { path: read.path });
    if (removed.kind === 'absent') return { file: read.path, backup: null };
    const text = before === null ? removed.text : asBefore(removed.text, before, entry, isBare);
    const backup = replaceFile(read, text, false);
    return backup === null ? null : { file: read.path, backup };
  });
}

/** What the file was before Sallyport; null if that isn't known. */
function textBefore(path: string): string | null {
  const before = readClientFile(firstBackup(path));
  return before.kind === 'found' ? before.text : null;
}

/** Whether the map of servers was there then, maybe empty: so it stays. */
function hadHolder(text: string, { format, under }: ClientEntry): boolean {
  const holder = under.reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    valueIn(text, format),
  );
  // YAML's `servers:` alone is null.
  return typeof holder === 'object';
}

/** To the byte, unless the person or their client has changed more than the entry since. */
function asBefore(text: string, before: string, entry: ClientEntry, isBare: boolean): string {
  const then = merge(before, entry, () => ({}));
  const left = then.kind === 'added' ? withoutEntry(then.text, entry, isBare) : then;
  return left.kind === 'removed' && left.text === text ? before : text;
}
