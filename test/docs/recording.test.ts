/**
 * The recording in the README shows what its script types, and `sallyport` still knows those
 * commands.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { unknownIn } from './known-words.ts';
import { project } from './pages.ts';
import { script, typedLines } from './recording/script.mjs';

test('each typed command exists, with its options', async () => {
  const commands = typedLines(script).filter(line => !line.startsWith('#'));
  expect(commands.length).toBeGreaterThan(3);
  expect((await Promise.all(commands.map(unknownIn))).filter(problem => problem !== null)).toEqual([]);
});

test('docs/terminal.svg was recorded from this script, and needs no other file', () => {
  const picture = readFileSync(join(project, 'docs/terminal.svg'), 'utf8');
  const described = /<desc id="typed">([^<]*)<\/desc>/.exec(picture)?.[1];
  // `make recording` records it anew.
  expect(described?.split('\n')).toEqual(typedLines(script));
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/href=|<script|<image|src=|url\(/);
});
