/** The help at common terminal widths. */

import { expect, test } from '@jest/globals';
import { readWords } from '../../shell-terminal/command.ts';
import { commandGroups, commands } from '../../shell-terminal/commands.ts';
import { examples } from '../../shell-terminal/examples.ts';
import { commandHelp, wholeHelp } from '../../shell-terminal/help.ts';
import { textWidth } from '../../shell-terminal/table.ts';

const texts = (columns: number | null): string[] => [
  wholeHelp(commandGroups, columns),
  ...commands.map(spec => commandHelp(spec, columns)),
];

test.each([100, 80, 60, 50, 40])('in %i columns the terminal breaks no line', columns => {
  const lines = texts(columns).flatMap(text => text.split('\n'));
  // A URL and a quoted word stay whole: a copied one must not contain a line break.
  const broken = lines.filter(
    line =>
      textWidth(line) > Math.min(columns, 80) &&
      line
        .trim()
        .replace(/'[^']*'/g, '')
        .replace(/ \\$/, '')
        .includes(' '),
  );
  expect(broken).toEqual([]);
});

test('narrower lines have the same words', () => {
  const words = (columns: number) => texts(columns).map(text => text.replaceAll(' \\\n', '\n').split(/\s+/));
  expect(words(40)).toEqual(words(80));
});

test('a shell reads a folded example as it is meant', () => {
  for (const spec of commands) {
    const shown = commandHelp(spec, 40).split('Examples:\n')[1] ?? '';
    const read = shown
      .replace(/ \\\n +/g, ' ')
      .replace(/^ +/gm, '')
      .split('\n');
    expect(read).toEqual(examples[spec.words]?.map(typed => `sallyport ${typed}`));
  }
});

test('a pipe gets 80 columns', () => {
  expect(texts(null)).toEqual(texts(80));
});

/** Quotes as in a shell; what comes after a pipe or a redirection is the shell's. */
function wordsOf(example: string): string[] {
  const words = example.match(/'[^']*'|\S+/g) ?? [];
  const end = words.findIndex(word => /^[|<>]/.test(word));
  return words.slice(0, end === -1 ? words.length : end).map(word => word.replace(/^'(.*)'$/, '$1'));
}

test('each command has three examples, one of them its own, and each can be typed as it stands', () => {
  expect(Object.keys(examples).sort()).toEqual(commands.map(({ words }) => words).sort());
  for (const spec of commands) {
    const typed = examples[spec.words] ?? [];
    const named = new Set<string>();
    for (const example of typed) {
      const given = wordsOf(example);
      const [first, second] = given;
      const called =
        commands.find(({ words }) => words === `${first} ${second}`) ??
        commands.find(({ words }) => [first, `${first} list`, `${first} status`].includes(words));
      if (called === undefined) throw new Error(example);
      const rest = given.slice(called.words === `${first} ${second}` ? 2 : 1);
      expect(() => readWords(called, rest)).not.toThrow();
      named.add(called.words);
    }
    expect([...named]).toContain(spec.words);
  }
});
