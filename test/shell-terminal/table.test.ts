import { expect, test } from '@jest/globals';
import { pairs, table, tableOf, textWidth } from '../../shell-terminal/table.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';

const wide = (columns: number): Terminal =>
  ({ stdout: { isTTY: true, columns }, environment: { NO_COLOR: '1' } }) as unknown as Terminal;
const items = [
  { name: 'port', about: 'the TCP port on 127.0.0.1 that HTTP clients use' },
  { name: '数据 of a rather long name', about: '' },
];
const columns = {
  NAME: ({ name }: (typeof items)[number]) => name,
  ABOUT: ({ about }: (typeof items)[number]) => about,
};
const at = (width: number) => table(wide(width), items, columns, 'ABOUT');

test('fitting values are in columns', () => {
  expect(at(80)).toEqual([
    'NAME                        ABOUT',
    'port                        the TCP port on 127.0.0.1 that HTTP clients use',
    '数据 of a rather long name',
  ]);
});

test('one column is broken between words, under itself', () => {
  expect(at(60)).toEqual([
    'NAME                        ABOUT',
    'port                        the TCP port on 127.0.0.1 that',
    '                            HTTP clients use',
    '数据 of a rather long name',
  ]);
});

test('if that isn’t enough each row is a block, without its empty values', () => {
  expect(at(40)).toEqual([
    'port',
    '  about  the TCP port on 127.0.0.1 that',
    '         HTTP clients use',
    '数据 of a rather long name',
  ]);
});

test.each([20, 40, 50, 60, 72, 80, 100, 200])(
  '%d columns: nothing is cut, and no line is longer than its longest word needs',
  width => {
    const lines = at(width);
    const words = (texts: readonly string[]) =>
      texts
        .join(' ')
        .split(/\s+/)
        .filter(Boolean)
        .map(word => word.toLowerCase());
    expect(words(lines)).toEqual(expect.arrayContaining(words(items.flatMap(({ name, about }) => [name, about]))));
    if (width >= 40) for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  },
);

test('titles of others, repeated or numbers, belong to their values in a block too', () => {
  const chosen = [
    ['2', () => 'b'],
    ['1', () => 'x'.repeat(50)],
    ['1', () => 'c'],
  ] as const;
  const lines = tableOf(wide(40), [null], chosen, null, number => `Row ${number + 1}`);
  expect(lines).toEqual(['Row 1', '  2  b', `  1  ${'x'.repeat(50)}`, '  1  c']);
});

test('without a terminal nothing is broken', () => {
  const piped = { stdout: { isTTY: false }, environment: {} } as unknown as Terminal;
  expect(
    pairs(piped, [
      ['a', 'word '.repeat(60).trim()],
      ['b', null],
    ]),
  ).toEqual([`  a  ${'word '.repeat(60).trim()}`]);
});
