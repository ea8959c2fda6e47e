/** Numbers stay as the engine wrote them, wherever rows are printed. */

import { expect, test } from '@jest/globals';
import { exportLines } from '../../daemon/clients/mcp/tools/export-lines.ts';
import { JsonRows, jsonOfContent, jsonOfNumber, printedCells } from '../../daemon/engines/row-text.ts';
import { shorten } from '../../daemon/engines/shorten.ts';
import { csvLine } from '../../shared/csv.ts';

test.each([
  ...['0', '-7', '123456789012345678', '0.10', '1e308', '1e+308', '1.0e-05', '-0.5'].map(text => [text, text]),
  ...['-0', '-0.00', '0000', '0007', 'NaN', '-Infinity', '1e999', '.5', '1.'].map(text => [text, `"${text}"`]),
])('%s is %s', (text, json) => {
  expect(jsonOfNumber(text)).toBe(json);
});

const json = String.raw`[1e308,"a, \"b\" [1e5] \\",null,0.10,true,""]`;

test('its cells, printed', () => {
  expect(printedCells({ json })).toEqual(['1e308', 'a, "b" [1e5] \\', null, '0.10', 'true', '']);
  expect(csvLine(printedCells({ json }))).toBe('1e308,"a, ""b"" [1e5] \\",,0.10,true,""\r\n');
});

test('later rows, shortened, cut to fewer columns, exported', () => {
  const rows = new JsonRows([json]);
  expect(jsonOfContent({ tables: [{ sample: { rows } }], before: { rows }, none: undefined })).toBe(
    `{"tables":[{"sample":{"rows":[${json}]}}],"before":{"rows":[${json}]}}`,
  );
  expect(rows.withFirst(1).json).toBe('[[1e308]]');
  expect(shorten({ json, cuts: [] }, 1)).toEqual({
    json: '[1e308,"a",null,0.10,true,""]',
    cuts: [{ column: 1, fullBytes: 14 }],
  });
  const columns = ['a', 'a'].map(name => ({ name, type: '' }));
  expect(exportLines('ndjson', columns).line('[1e308,0.10]', 0)).toBe('{"a":1e308,"a_2":0.10}\n');
});

test.each([
  [
    ['a', 'a', 'a_2', 'a'],
    ['a', 'a_3', 'a_2', 'a_4'],
  ],
  [
    ['a_2', 'a', 'a'],
    ['a_2', 'a', 'a_3'],
  ],
  [
    ['a', 'a', 'a_2', 'a_2', 'a_3'],
    ['a', 'a_4', 'a_2', 'a_2_2', 'a_3'],
  ],
])('columns %j keep their names in an object, and only repeated ones get another: %j', (names, keys) => {
  const columns = names.map(name => ({ name, type: '' }));
  const line = exportLines('ndjson', columns).line(JSON.stringify(names.map((_, index) => index)), 0);
  expect(Object.entries(JSON.parse(line))).toEqual(keys.map((key, index) => [key, index]));
});
