/**
 * The README stays short and has .ci/run's test first, and the code in docs/pairing.md is that of
 * the sample extension.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pages, project, readPage, textOf } from './pages.ts';

const mostWordsOfReadme = 800;

test('the README is short, and its first test command is the plain one', () => {
  const text = textOf('README.md');
  const lines = text.split('\n');
  // As `wc -w` counts: the bars of tables too.
  expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(mostWordsOfReadme);
  // .ci/run runs the first such line.
  expect(lines.find(line => /^ {4}make test/.test(line))).toBe('    make test');
});

test('each JavaScript block of docs/pairing.md is in the sample extension, word for word', () => {
  const sample = readFileSync(join(project, 'test/extension/extension.mjs'), 'utf8');
  const pieces = readPage('docs/pairing.md').blocks.filter(({ language }) => language === 'js');
  expect(pieces).not.toEqual([]);
  for (const { lines } of pieces) expect(sample).toContain(lines.join('\n'));
});

test.each(pages)('%s has nobody fetch Sallyport from a registry, where its name may be somebody else’s', page => {
  const typed = textOf(page).match(/\b(?:npx|npm (?:install|i|exec|x))\b[^`\n]*/g) ?? [];
  expect(typed.filter(line => /[\s'"]@?sallyport/.test(line))).toEqual([]);
});

const mostWordsOfParagraph = 80;

test.each(pages)('no paragraph of %s is too long to read at once', page => {
  expect(longIn(readPage(page).prose)).toEqual([]);
});

test('a long paragraph, item or cell is found', () => {
  const long = 'word '.repeat(mostWordsOfParagraph + 1);
  expect(longIn(`One\n\n${long}\n- ${long}\nSix\n| two | ${long}|\n1. three`)).toHaveLength(3);
});

/**
 * @returns the beginnings of paragraphs, list items and table cells that are too long to read at
 *   once.
 */
function longIn(prose: string): readonly string[] {
  return prose
    .split(/\n(?= *(?:[-*+] |\d+\. |[|#\n]))/)
    .flatMap(part => (part.startsWith('|') ? part.split('|') : [part]))
    .filter(part => part.split(/\s+/).filter(word => /\w/.test(word)).length > mostWordsOfParagraph)
    .map(part => part.trim().slice(0, 80));
}
