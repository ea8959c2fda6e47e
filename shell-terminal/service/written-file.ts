/**
 * A file that `sallyport service` puts into the user's own folders: written whole, and taken away
 * with what was made for it.
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

/** @returns whether it was otherwise before. */
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

/** With the folders above it that are empty then, up to that one. */
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
 * Where the desktop's tools, or we, made it, and there is nothing in it any more but the titles of
 * sections.
 */
export function takeAwayIfEmpty(path: string, upTo: string): void {
  const left = textIn(path)?.replace(/^\[[^\]\n[]*\]\r?$/gm, '');
  if (left?.trim() === '') takeAway(path, upTo);
}
