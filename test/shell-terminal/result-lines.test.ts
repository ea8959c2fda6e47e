/**
 * A result set on a terminal: it is complete at each width, and nothing in it can move the cursor.
 */

import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import { columnOf } from '../../shell-terminal/column-title.ts';
import { type ResultSet, resultLines } from '../../shell-terminal/result-lines.ts';
import { textWidth } from '../../shell-terminal/table.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';

const terminalOf = (columns: number | null): Terminal =>
  ({ environment: {}, stdout: columns === null ? {} : { isTTY: true, columns } }) as unknown as Terminal;

const resultOf = (names: readonly string[], rows: ResultSet['rows']): ResultSet => ({
  columns: names.map(name => ({ name, type: 'text' })),
  rows,
  row_count: rows.length,
  rows_affected: null,
  execution_time_ms: 1,
  truncated: false,
});
const shown = (columns: number | null, result: ResultSet): string[] =>
  resultLines(terminalOf(columns), result).map(line => stripVTControlCharacters(line));

test('a table if it fits, in the order of its columns, even with titles that are numbers or repeated', () => {
  const result = resultOf(['b', '2', '1', 'b'], [['x', 2, true, null]]);
  expect(shown(40, result)).toEqual(['b  2  1     b', 'x  2  true  NULL']);
  expect(shown(null, result)).toEqual(shown(40, result));
});

test('if it doesn’t fit, each row is a block with all values whole', () => {
  const long = 'word '.repeat(30).trim();
  const lines = shown(
    50,
    resultOf(
      ['id', 'note'],
      [
        [1, long],
        [2, '\u001b[2J'],
      ],
    ),
  );
  expect(lines).toEqual(['Row 1', '  id    1', `  note  ${long}`, 'Row 2', '  id    2', '  note  \\u{1b}[2J']);
  expect(shown(null, resultOf(['id', 'note'], [[1, long]]))).toEqual(['id  note', `1   ${long}`]);
});

test('a statement without a result set has no lines', () => {
  expect(shown(80, resultOf([], []))).toEqual([]);
  expect(shown(10, resultOf(['数据'], [['数据数据']])).map(textWidth)).toEqual([4, 8]);
});

test.each([
  ['amount numeric(12,2)', 'amount', 'numeric(12,2)'],
  ['at timestamp with time zone', 'at', 'timestamp with time zone'],
  ['"a ""b"" c" text', 'a "b" c', 'text'],
  ['`a ``b` int', 'a `b', 'int'],
  ['"count(*)"', 'count(*)', ''],
  ['"" text', '', 'text'],
  ['id', 'id', ''],
])('the column %s has a name and a type', (title, name, type) => {
  expect(columnOf(title)).toEqual({ name, type });
});
