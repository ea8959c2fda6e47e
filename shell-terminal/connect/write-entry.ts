/**
 * Puts an entry for Sallyport into a client's own file (spec §16), or finds it there. Prints
 * nothing.
 */

import type { ClientEntry } from '../../shared/client-configs.ts';
import { entryText } from '../../shared/client-configs.ts';
import { failed } from '../ending.ts';
import { makeFile } from '../replace-file.ts';
import { type FoundFile, fileToChange, tried } from './client-file.ts';
import { boxTokenDifferences, bridgeDifferences } from './differences.ts';
import { type Differences, merge } from './merge.ts';
import { replaceFile } from './replace.ts';

export interface Written {
  readonly change: 'none' | 'created' | 'added' | 'updated';
  /** Where the client's links lead. */
  readonly file: string;
  readonly backup: string | null;
  /** What stood in the place of each member that changed. */
  readonly was: Readonly<Record<string, unknown>>;
  /** As it stands now, where there was one before. */
  readonly entry: Readonly<Record<string, unknown>> | null;
  /** The outermost folder that was made, as where the client was never started. */
  readonly madeFolder: string | null;
}

export interface Writing {
  readonly path: string;
  readonly entry: ClientEntry;
  readonly differences: Differences;
  /** It holds a token: nobody else may read the file from then on. */
  readonly isSecret: boolean;
}

/** @throws Ending with nothing touched. */
export function writeEntry(writing: Writing): Written {
  return tried(writing.path, () => tryToWrite(writing));
}

/**
 * That the client starts this install's bridge.
 * @param bridge null for an entry that starts something else.
 * @throws as `writeEntry`
 */
export function writeBridge(path: string, entry: ClientEntry, bridge: string | null): Written {
  return writeEntry({ path, entry, differences: bridgeDifferences(bridge), isSecret: false });
}

/** That the client in a box names the variable of its token. @throws as `writeEntry` */
export function writeBoxToken(path: string, entry: ClientEntry): Written {
  const written = writeEntry({ path, entry, differences: boxTokenDifferences, isSecret: false });
  // What would be told of beside is our own.
  return { ...written, entry: null };
}

/** What writing it would come to, without doing it. @throws Ending where it would. */
export function checkEntry({ path, entry, differences }: Writing): Written['change'] {
  const read = fileToChange(path);
  if (read.kind === 'absent') return 'created';
  const merged = mergeInto(read, entry, differences);
  return merged.kind === 'there' ? 'none' : merged.kind;
}

/** Null where somebody else wrote it in the meantime. */
function tryToWrite({ path, entry, differences, isSecret }: Writing): Written | null {
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
    throw failed(`${path} could not be written (${code}); it is as it was.`);
  }
}

/** @throws Ending */
function mergeInto({ path, text }: FoundFile, entry: ClientEntry, differences: Differences) {
  const merged = merge(text, entry, differences);
  if (merged.kind === 'refused') throw failed(`${path} ${merged.why}; nothing was changed.`);
  return merged;
}
