/**
 * What part of a result goes into one answer: never more bytes than allowed, and each row in
 * exactly one page.
 */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cell, cellsOf } from '../../daemon/engines/row-text.ts';
import { pageOf } from '../../daemon/statement/page.ts';
import { collectRows } from '../../daemon/statement/result-set.ts';
import { anyText } from '../any-text.ts';

const many = { maxRows: 10_000 };

function read(rows: readonly (readonly Cell[])[]) {
  const collector = collectRows(10_000, 1024 * 1024 * 1024);
  for (const cells of rows) collector.row({ json: JSON.stringify(cells), cuts: [] });
  return collector.collected();
}

test('fitting rows are given unchanged, with wide cells too', () => {
  const result = read([['x'.repeat(20_000), 1]]);
  const page = pageOf(result, 0, { ...many, maxBytes: 24_000 }, null);
  expect(page.rows.cells()).toEqual([['x'.repeat(20_000), 1]]);
  expect(page).toMatchObject({ next: 1, cutCells: [], lines: [] });
});

test('rows that don’t fit are cut between two rows', () => {
  const result = read(Array.from({ length: 100 }, (_, id) => [id, 'x'.repeat(100)]));
  const page = pageOf(result, 0, { ...many, maxBytes: 1_100 }, null);
  expect(page.rows.length).toBe(10);
  expect(page.next).toBe(10);
  expect(pageOf(result, 10, { ...many, maxBytes: 1_100 }, null).rows.cells()[0]).toEqual([10, 'x'.repeat(100)]);
});

test('wide cells are shortened if the rows don’t fit otherwise, with their lengths', () => {
  const result = read(Array.from({ length: 20 }, (_, id) => [id, 'é'.repeat(10_000)]));
  const page = pageOf(result, 0, { ...many, maxBytes: 24 * 1024 }, null);
  expect(page.rows.length).toBe(5);
  expect(page.rows.cells()[4]).toEqual([4, 'é'.repeat(2_048)]);
  expect(page.cutCells[4]).toEqual({ row: 4, column: 1, full_bytes: 20_000 });
  const wider = pageOf(result, 0, { ...many, maxBytes: 120 * 1024 }, null);
  expect(wider.rows.cells()[0]).toEqual([0, 'é'.repeat(10_000)]);
});

test('notes of cells that the engine cut are counted from the page on', () => {
  const collector = collectRows(10, 10_000);
  for (const id of [0, 1, 2])
    collector.row({ json: JSON.stringify([id, 'ab']), cuts: [{ column: 1, fullBytes: 9e6 }] });
  const { cutCells } = pageOf(collector.collected(), 2, { ...many, maxBytes: 10_000 }, null);
  expect(cutCells).toEqual([{ row: 0, column: 1, full_bytes: 9_000_000 }]);
});

test('a row of very many cells is shrunk rather than left out', () => {
  const result = read([Array.from({ length: 500 }, () => '\u0001'.repeat(100))]);
  const page = pageOf(result, 0, { ...many, maxBytes: 24 * 1024 }, null);
  expect(page.rows.length).toBe(1);
  expect(Buffer.byteLength(page.rows.json)).toBeLessThan(24 * 1024);
});

test('pages together hold each row once, in order and within their bytes, with any cells', () => {
  const cell = fc.oneof(
    anyText(400),
    fc.string({ minLength: 2_000, maxLength: 9_000 }),
    fc.integer(),
    fc.constant(null),
  );
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 40 });
  const sizes = fc.record({
    maxRows: fc.integer({ min: 1, max: 50 }),
    maxBytes: fc.integer({ min: 1_024, max: 40_000 }),
  });
  const print = (json: string): string => `${cellsOf({ json }).join('\t\t')}\n`;
  fc.assert(
    fc.property(rows, sizes, fc.boolean(), (cells, limits, isPrinted) => {
      const result = read(cells.map((row, id) => [id, ...row]));
      let from = 0;
      while (from < result.rows.length) {
        const page = pageOf(result, from, limits, isPrinted ? print : null);
        expect(page.rows.length).toBeGreaterThan(0);
        expect(page.rows.length).toBeLessThanOrEqual(limits.maxRows);
        expect(page.rows.cells().map(([id]) => id)).toEqual(page.rows.cells().map((_, index) => from + index));
        expect(page.next).toBe(from + page.rows.length);
        if (page.rows.length > 1) {
          expect(Buffer.byteLength(page.rows.json)).toBeLessThanOrEqual(limits.maxBytes + 2);
          expect(Buffer.byteLength(page.lines.join(''))).toBeLessThanOrEqual(limits.maxBytes);
        }
        expect(page.lines).toEqual(isPrinted ? page.rows.cells().map(row => print(JSON.stringify(row))) : []);
        from = page.next;
      }
    }),
    { numRuns: 300 },
  );
});
