/** The help at common terminal widths. */

import { expect, test } from '@jest/globals';
import { commandGroups, commands } from '../../shell-terminal/commands.ts';
import { commandHelp, wholeHelp } from '../../shell-terminal/help.ts';
import { textWidth } from '../../shell-terminal/table.ts';

const texts = (columns: number | null): string[] => [
  wholeHelp(commandGroups, columns),
  ...commands.map(spec => commandHelp(spec, columns)),
];

test.each([100, 80, 60, 50, 40])('in %i columns the terminal breaks no line', columns => {
  const lines = texts(columns).flatMap(text => text.split('\n'));
  // A URL stays whole: a copied one must not contain a line break.
  const broken = lines.filter(line => textWidth(line) > Math.min(columns, 80) && line.trim().includes(' '));
  expect(broken).toEqual([]);
});

test('narrower lines have the same words', () => {
  const words = (columns: number) => texts(columns).map(text => text.split(/\s+/));
  expect(words(40)).toEqual(words(80));
});

test('a pipe gets 80 columns', () => {
  expect(texts(null)).toEqual(texts(80));
});
