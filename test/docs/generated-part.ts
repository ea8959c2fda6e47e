/** Replaces the part of a page that a command writes. */

import { readFileSync, writeFileSync } from 'node:fs';

export function writeInto(page: string, command: string, text: string): void {
  writeFileSync(page, withPart(readFileSync(page, 'utf8'), page, command, text));
}

/**
 * @param command as the page writes it: `make torture WRITE=1`.
 * @returns the page with that text in its place.
 * @throws if the page has no place for it.
 */
export function withPart(before: string, page: string, command: string, text: string): string {
  const marks = { begin: `<!-- ${command} writes from here -->`, end: '<!-- to here -->' };
  const begin = before.indexOf(marks.begin);
  const end = before.indexOf(marks.end, begin);
  if (begin === -1 || end === -1) throw new Error(`${page} has no place for what ${command} writes.`);
  return `${before.slice(0, begin + marks.begin.length)}\n${text}\n${before.slice(end)}`;
}
