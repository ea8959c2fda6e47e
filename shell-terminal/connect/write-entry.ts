/**
 * Puts an entry for Sallyport into a client's file (spec §16), or finds it there. Prints nothing.
 */

import type { ClientEntry } from '../../shared/client-configs.ts';
import { entryText } from '../../shared/client-configs.ts';
import { failed } from '../cli-error.ts';
import { makeFile } from '../replace-file.ts';
import { type FoundFile, fileToChange, retryWhileWritten } from './client-file.ts';
import { boxTokenDifferences, bridgeDifferences } from './differences.ts';
import { type Differences, merge } from './merge.ts';
import { replaceFile } from './replace.ts';

export interface WrittenEntry {
  readonly change: 'none' | 'created' | 'added' | 'updated';
  /** The file that the client's links lead to. */
  readonly file: string;
  readonly backup: string | null;
  /** The old value of each changed member. */
  readonly was: Readonly<Record<string, unknown>>;
  /** The entry now; null if there was none before. */
  readonly entry: Readonly<Record<string, unknown>> | null;
  /** The outermost folder that was made, if the client was never started. */
  readonly madeFolder: string | null;
}

export interface Writing {
  readonly path: string;
  readonly entry: ClientEntry;
  readonly differences: Differences;
  /** The entry holds a token, so nobody else may read the file any more. */
  readonly isSecret: boolean;
}

/** @throws CliError with nothing touched. */
export function writeEntry(writing: Writing): WrittenEntry {
  return retryWhileWritten(writing.path, () => tryToWrite(writing));
}

/**
 * Makes the client start this install's bridge.
 * @param bridge null for an entry that starts something else.
 * @throws as `writeEntry`
 */
export function writeBridge(path: string, entry: ClientEntry, bridge: string | null): WrittenEntry {
  return writeEntry({ path, entry, differences: bridgeDifferences(bridge), isSecret: false });
}

/** Makes the client in a box name the variable of its token. @throws as `writeEntry` */
export function writeBoxToken(path: string, entry: ClientEntry): WrittenEntry {
  const written = writeEntry({ path, entry, differences: boxTokenDifferences, isSecret: false });
  // The entry has nothing but ours, so there is nothing to report about it.
  return { ...written, entry: null };
}

/** What a write would change, without writing. @throws CliError if the write would throw. */
export function checkEntry({ path, entry, differences }: Writing): WrittenEntry['change'] {
  const read = fileToChange(path);
  if (read.kind === 'absent') return 'created';
  const merged = mergeInto(read, entry, differences);
  return merged.kind === 'there' ? 'none' : merged.kind;
}

/** Null if another program wrote the file meanwhile. */
function tryToWrite({ path, entry, differences, isSecret }: Writing): WrittenEntry | null {
  const read = fileToChange(path);
  const nothing = { backup: null, was: {}, entry: null, madeFolder: null };
  try {
    if (read.kind === 'absent') {
      const made = makeFile(path, `${entryText(entry)}\n`);
      return made ? { ...nothing, change: 'created', file: path, madeFolder: read.made } : null;
    }
    const file = read.path;
    const merged = mergeInto(read, entry, differences);
    if (merged.kind === 'there') return { ...nothing, change: 'none', file, entry: merged.entry };
    const backup = replaceFile(read, merged.text, isSecret);
    if (backup === null) return null;
    const { kind: change } = merged;
    if (change === 'added') return { ...nothing, change, file, backup };
    return { ...nothing, change, file, backup, was: merged.was, entry: merged.entry };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw failed(`${path} could not be written (${code}); it is unchanged.`, 'file_refused', { path });
  }
}

/** @throws CliError */
function mergeInto({ path, text }: FoundFile, entry: ClientEntry, differences: Differences) {
  const merged = merge(text, entry, differences);
  if (merged.kind === 'refused') throw failed(`${path} ${merged.why}; nothing was changed.`, 'file_refused', { path });
  return merged;
}
