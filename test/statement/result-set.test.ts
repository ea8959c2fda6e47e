import { describe, expect, test } from '@jest/globals';
import { type Cell, type CutCell, jsonOfContent, jsonOfText } from '../../daemon/engines/row-text.ts';
import { collectRows } from '../../daemon/statement/result-set.ts';

const row = (cells: readonly Cell[], cuts: readonly CutCell[] = []) => ({ json: JSON.stringify(cells), cuts });

describe('a result set', () => {
  test('takes rows up to the limit and learns from one more that others exist', () => {
    const collector = collectRows(2, 1000);
    expect([1, 2, 3].map(id => collector.row(row([id])))).toEqual([true, true, false]);
    const { rows, truncatedBy } = collector.collected();
    expect(rows.cells()).toEqual([[1], [2]]);
    expect(truncatedBy).toBe('rows');
  });

  test('is complete if exactly as many rows came as were wanted', () => {
    const collector = collectRows(2, 1000);
    for (const id of [1, 2]) collector.row(row([id]));
    expect(collector.collected().truncatedBy).toBeNull();
  });

  test('is cut at a row boundary by its JSON bytes, not by characters', () => {
    const collector = collectRows(100, 60);
    expect(collector.row(row(['é'.repeat(10)]))).toBe(true);
    expect(collector.row(row(['é'.repeat(20)]))).toBe(false);
    const { rows, truncatedBy } = collector.collected();
    expect(rows.cells()).toEqual([['é'.repeat(10)]]);
    expect(truncatedBy).toBe('bytes');
  });

  test('a first row wider than the answer is cut, with the lengths', () => {
    const collector = collectRows(100, 600);
    expect(collector.row(row(['x'.repeat(5000), 7]))).toBe(false);
    const { rows, cutCells, truncatedBy } = collector.collected();
    expect(rows.cells()).toEqual([['x'.repeat(50), 7]]);
    expect(cutCells).toEqual([{ row: 0, column: 0, full_bytes: 5000 }]);
    expect(truncatedBy).toBe('bytes');
  });

  test('a cut never leaves half a character', () => {
    const collector = collectRows(100, 6 * 51);
    collector.row(row(['🐚'.repeat(2000)]));
    const [[text] = []] = collector.collected().rows.cells();
    expect(text).toBe('🐚'.repeat(25));
  });

  test('cells that the engine cut are plain text with a note beside', () => {
    const collector = collectRows(10, 1000);
    collector.row(row([1, 'abc'], [{ column: 1, fullBytes: 100_000_000 }]));
    const { rows, cutCells } = collector.collected();
    expect(rows.cells()).toEqual([[1, 'abc']]);
    expect(cutCells).toEqual([{ row: 0, column: 1, full_bytes: 100_000_000 }]);
  });

  test('a first row that is cut keeps the engine’s lengths', () => {
    const collector = collectRows(100, 600);
    collector.row(
      row(
        ['x'.repeat(5000), 'ab'],
        [0, 1].map(column => ({ column, fullBytes: 90_000 + column })),
      ),
    );
    const { rows, cutCells } = collector.collected();
    expect(rows.cells()).toEqual([['x'.repeat(50), 'ab']]);
    expect(cutCells.map(cut => cut.full_bytes)).toEqual([90_000, 90_001]);
  });

  test('is printed as JSON.stringify prints it', () => {
    const collector = collectRows(10, 1000);
    for (const cells of [[1, 'a"b', null], [], ['\u2028é', true, -1.5]]) collector.row(row(cells));
    const content = { ...collector.collected(), columns: [{ name: 'é"' }], missing: undefined, row_count: 3 };
    expect(jsonOfContent(content)).toBe(JSON.stringify(content));
  });

  test('a text with any characters is printed as JSON.stringify prints it', () => {
    for (let code = 0; code < 0x10000; code += 1) {
      const text = `a${String.fromCharCode(code)}`;
      if (jsonOfText(text) !== JSON.stringify(text)) throw new Error(`character ${code}`);
    }
  });
});
