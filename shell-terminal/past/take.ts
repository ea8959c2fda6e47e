/**
 * Takes servers out of a client's file, puts Sallyport in, and puts them back. Each is one write of
 * one file. Saves no connection, prints nothing.
 */

import { rmSync, statSync } from 'node:fs';
import type { ClientEntry } from '../../shared/client-configs.ts';
import { failed } from '../cli-error.ts';
import { type FoundFile, fileToChange, readClientFile, retryWhileWritten } from '../connect/client-file.ts';
import { bridgeDifferences } from '../connect/differences.ts';
import { entryIn, merge, withoutEntry } from '../connect/merge.ts';
import { replaceFile, replaceTakingOut } from '../connect/replace.ts';
import { ownerOf, replaceContent } from '../replace-file.ts';
import { backupsOf } from './entries.ts';

/** Sallyport's own entry. */
export interface Own {
  readonly entry: ClientEntry;
  readonly bridge: string;
}

/**
 * @param own null if it goes into another file.
 * @returns the backup, which holds what was taken out.
 * @throws CliError with nothing touched.
 */
export function takeOut(path: string, entries: readonly ClientEntry[], own: Own | null): string {
  return retryWhileWritten(path, () => {
    const read = fileToChange(path);
    if (read.kind === 'absent') throw failed(`${path} is gone; nothing was changed.`, 'file_refused', { path });
    const after = textAfter(read.text, entries, own);
    if (after.kind === 'refused')
      throw failed(`${read.path} ${after.why}; nothing was changed.`, 'file_refused', { path: read.path });
    return replaceTakingOut(read, after.text);
  });
}

type After = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'refused'; readonly why: string };

/** Ours goes in first: no map of servers is ever empty then, and its layout stays. */
function textAfter(before: string, entries: readonly ClientEntry[], own: Own | null): After {
  let text = before;
  if (own !== null) {
    const merged = merge(text, own.entry, bridgeDifferences(own.bridge));
    if (merged.kind === 'refused') return merged;
    if (merged.kind !== 'there') text = merged.text;
  }
  for (const entry of entries) {
    const removed = withoutEntry(text, entry, true);
    if (removed.kind === 'refused') return removed;
    if (removed.kind === 'removed') text = removed.text;
  }
  return { kind: 'text', text };
}

export interface PutBack {
  readonly path: string;
  readonly names: readonly string[];
  /** Null if the file is byte for byte what it was, so that no copy is needed. */
  readonly backup: string | null;
}

/**
 * Puts back what a takeover took out. Byte for byte if nobody changed the file since; otherwise the
 * entries alone, without comments in them.
 * @param serversIn finds the servers in the text of a backup that a takeover may have taken out.
 * @returns null if nothing was taken out.
 * @throws CliError with nothing touched.
 */
export function putBack(
  path: string,
  own: Own | null,
  serversIn: (backup: string) => readonly ClientEntry[],
): PutBack | null {
  return retryWhileWritten<{ readonly done: PutBack | null }>(path, () => {
    const read = fileToChange(path);
    if (read.kind === 'absent') return { done: null };
    for (const backup of newestFirst(backupsOf(path, true).filter(isPrivate))) {
      const gone = serversIn(backup).filter(entry => entryIn(read.text, entry) === null);
      if (gone.length === 0) continue;
      const kept = readClientFile(backup);
      if (kept.kind !== 'found') continue;
      const names = gone.map(({ name }) => name);
      const isAsLeft = [own, null].some(one => sameText(textAfter(kept.text, gone, one), read.text));
      const text = isAsLeft ? kept.text : withEntries(read, gone, kept.text);
      const isReplaced = isAsLeft
        ? replaceContent(read, `${read.mark}${text}`, ownerOf(read, false))
        : replaceFile(read, text, false) !== null;
      if (!isReplaced) return null;
      if (isAsLeft) rmSync(backup, { force: true });
      return { done: { path: read.path, names, backup: isAsLeft ? null : backup } };
    }
    return { done: null };
  }).done;
}

function sameText(after: After, text: string): boolean {
  return after.kind === 'text' && after.text === text;
}

/** @throws CliError */
function withEntries(read: FoundFile, entries: readonly ClientEntry[], from: string): string {
  return entries.reduce((text, entry) => {
    const value = (entryIn(from, entry) ?? {}) as ClientEntry['value'];
    const merged = merge(text, { ...entry, value }, () => ({}));
    if (merged.kind !== 'added')
      throw failed(`${read.path} can't take ${entry.name} back; nothing was changed.`, 'file_refused', {
        path: read.path,
      });
    return merged.text;
  }, read.text);
}

/** As a takeover made it. A file that came with a repository is readable for others. */
function isPrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && (stats.mode & 0o077) === 0;
}

function newestFirst(paths: readonly string[]): readonly string[] {
  const time = (path: string): number => statSync(path).mtimeMs;
  return paths.toSorted((one, other) => time(other) - time(one));
}
