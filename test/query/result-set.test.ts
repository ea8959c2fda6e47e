import { describe, expect, test } from '@jest/globals';
import { collectRows } from '../../daemon/query/result-set.ts';

describe('a result set', () => {
  test('takes rows up to the limit and learns from one more that there are others', () => {
    const collector = collectRows(2, 1000);
    expect([1, 2, 3].map(id => collector.row([id]))).toEqual([true, true, false]);
    expect(collector.collected()).toMatchObject({ rows: [[1], [2]], truncatedBy: 'rows' });
  });

  test('is whole when exactly as many rows came as were wanted', () => {
    const collector = collectRows(2, 1000);
    for (const id of [1, 2]) collector.row([id]);
    expect(collector.collected().truncatedBy).toBeNull();
  });

  test('is cut at a row boundary by its JSON bytes, not by characters', () => {
    const collector = collectRows(100, 60);
    expect(collector.row(['é'.repeat(10)])).toBe(true);
    expect(collector.row(['é'.repeat(20)])).toBe(false);
    expect(collector.collected()).toMatchObject({ rows: [['é'.repeat(10)]], truncatedBy: 'bytes' });
  });

  test('a first row wider than the answer is given cut, with the lengths', () => {
    const collector = collectRows(100, 600);
    expect(collector.row(['x'.repeat(5000), 7])).toBe(false);
    const { rows, cutCells, truncatedBy } = collector.collected();
    expect(rows).toEqual([['x'.repeat(50), 7]]);
    expect(cutCells).toEqual([{ row: 0, column: 0, full_bytes: 5000 }]);
    expect(truncatedBy).toBe('bytes');
  });

  test('a cut never leaves half a character', () => {
    const collector = collectRows(100, 6 * 51);
    collector.row(['🐚'.repeat(2000)]);
    const [[text] = []] = collector.collected().rows;
    expect(text).toBe('🐚'.repeat(25));
  });

  test('cells the engine cut are plain text with a note beside', () => {
    const collector = collectRows(10, 1000);
    collector.row([1, { kept: 'abc', fullBytes: 100_000_000 }]);
    expect(collector.collected()).toMatchObject({
      rows: [[1, 'abc']],
      cutCells: [{ row: 0, column: 1, full_bytes: 100_000_000 }],
    });
  });
});
