/**
 * A file that `sallyport service` puts into the user's own folders: written completely, and removed
 * with the folders made for it.
 */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** @returns whether the content changed. */
export function putFile(path: string, text: string): boolean {
  if (textIn(path) === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o644, flag: 'wx' });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return true;
}

/** Removes the file, and the folders above it that become empty, up to that one. */
export function takeAway(path: string, upTo: string): void {
  rmSync(path, { force: true });
  for (let folder = dirname(path); folder !== upTo && folder.startsWith(`${upTo}/`); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/**
 * Removes a file that the desktop's tools, or Sallyport, made, if only section titles are left in
 * it.
 */
export function takeAwayIfEmpty(path: string, upTo: string): void {
  const left = textIn(path)?.replace(/^\[[^\]\n[]*\]\r?$/gm, '');
  if (left?.trim() === '') takeAway(path, upTo);
}
