/** The part of a page that a command writes. */

import { readFileSync, writeFileSync } from 'node:fs';

/** @param command how the page says it: `make torture WRITE=1`. @throws where the page has no place for it. */
export function writeInto(page: string, command: string, text: string): void {
  const marks = { begin: `<!-- ${command} writes from here -->`, end: '<!-- to here -->' };
  const before = readFileSync(page, 'utf8');
  const begin = before.indexOf(marks.begin);
  const end = before.indexOf(marks.end, begin);
  if (begin === -1 || end === -1) throw new Error(`${page} has no place for what ${command} writes.`);
  writeFileSync(page, `${before.slice(0, begin + marks.begin.length)}\n${text}\n${before.slice(end)}`);
}
