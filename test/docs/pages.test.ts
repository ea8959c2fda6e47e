/**
 * The README stays short and starts .ci/run's test, and the code in docs/pairing.md is the sample
 * extension's own.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { project, readPage, textOf } from './pages.ts';

const mostLinesOfReadme = 150;

test('the README is short, and its first test command is the plain one', () => {
  const lines = textOf('README.md').split('\n');
  expect(lines.length).toBeLessThanOrEqual(mostLinesOfReadme);
  // .ci/run runs the first such line.
  expect(lines.find(line => /^ {4}make test/.test(line))).toBe('    make test');
});

test('each JavaScript block of docs/pairing.md stands in the sample extension, word for word', () => {
  const sample = readFileSync(join(project, 'test/extension/extension.mjs'), 'utf8');
  const pieces = readPage('docs/pairing.md').blocks.filter(({ language }) => language === 'js');
  expect(pieces).not.toEqual([]);
  for (const { lines } of pieces) expect(sample).toContain(lines.join('\n'));
});
