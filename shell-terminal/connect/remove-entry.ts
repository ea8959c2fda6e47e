/** Removes the entry for Sallyport from a client's file (spec §16). Prints nothing. */

import { isDeepStrictEqual } from 'node:util';
import type { ClientEntry } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import { failed } from '../cli-error.ts';
import { fileToChange, readClientFile, retryWhileWritten } from './client-file.ts';
import { valueIn, withoutEntry } from './merge.ts';
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
    const removed = withoutEntry(read.text, entry, before !== null && hadHolder(before, entry));
    if (removed.kind === 'refused')
      throw failed(`${read.path} ${removed.why}; nothing was changed.`, 'file_refused', { path: read.path });
    if (removed.kind === 'absent') return { file: read.path, backup: null };
    const backup = replaceFile(read, before === null ? removed.text : asBefore(removed.text, before, entry), false);
    return backup === null ? null : { file: read.path, backup };
  });
}

/** What the file was before Sallyport; null if that isn't known. */
function textBefore(path: string): string | null {
  const before = readClientFile(firstBackup(path));
  return before.kind === 'found' ? before.text : null;
}

/** Whether the map of servers was there then, maybe empty: so it stays. */
function hadHolder(text: string, entry: ClientEntry): boolean {
  // YAML's `servers:` alone is null.
  return typeof holderIn(text, entry) === 'object';
}

function holderIn(text: string, { format, under }: ClientEntry): unknown {
  return under.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), valueIn(text, format));
}

/** To the byte, if nothing but blanks came of the entry and of its removal. */
function asBefore(text: string, before: string, entry: ClientEntry): string {
  const wasNothing = before.trim() === '' || holderIn(before, entry) === null;
  const inked = (written: string): string => {
    const dark = written.replaceAll(/\s/g, '');
    // An empty map is left where there was nothing.
    return wasNothing ? dark.replace(/\{\}|\[\]/, '') : dark;
  };
  const isSame =
    inked(text) === inked(before) &&
    (wasNothing || isDeepStrictEqual(valueIn(text, entry.format), valueIn(before, entry.format)));
  return isSame ? before : text;
}
