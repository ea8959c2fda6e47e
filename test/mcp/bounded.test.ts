/** What is cut so that an answer stays as small as it has to be, and what cutting costs. */

import { describe, expect, test } from '@jest/globals';
import { boundedContent } from '../../daemon/mcp/bounded.ts';
import { processorMilliseconds } from '../processor-time.ts';

const rest = 'Ask for less.';
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const times = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${at} ${text}`);

describe('an answer that is bounded', () => {
  test('is left as it is where it fits', () => {
    const content = { tables: [{ name: 'a' }] };
    expect(boundedContent(content, 100, rest)).toBe(content);
  });

  test('fits, whatever makes its size', () => {
    const manyNames = Object.fromEntries(times(5_000, 'x'.repeat(100)).map(name => [name, ['t']]));
    for (const large of [
      'x'.repeat(500_000),
      '\u0001'.repeat(100_000),
      times(50_000, 'x'),
      manyNames,
      [[manyNames]],
      times(300, 'ü'.repeat(2_000)).map(line => ({ name: line, columns: [line, line] })),
    ]) {
      const bounded = boundedContent({ total: 7, large }, 24 * 1024, rest);
      expect(sizeOf(bounded)).toBeLessThanOrEqual(24 * 1024);
      expect(bounded).toMatchObject({ cut: rest, total: 7 });
      expect(sizeOf(bounded)).toBeGreaterThan(1024);
    }
  });

  test('keeps what each member is, and a text as long as a book takes no place of others', () => {
    const tables = times(20, 'x').map(name => ({ name, kind: 'view', comment: 'c', definition: 'd'.repeat(300) }));
    const book = { name: 'book', definition: 'b'.repeat(1_000_000) };
    const bounded = boundedContent({ tables: [book, ...tables] }, 24 * 1024, rest);
    expect(bounded.tables).toHaveLength(21);
    expect((bounded.tables as unknown[]).slice(1)).toEqual(tables);
  });

  // Printing all of it for each cut took 20 s, in which nobody else was answered.
  test('costs little, of ten tables with thousands of wide columns each', () => {
    const ddl = 'd'.repeat(1_000_000);
    const table = {
      name: 't',
      ddl,
      columns: times(2_000, 'x'.repeat(400)),
      sample: { rows: times(2_000, 'y'.repeat(400)) },
    };
    const content = { tables: Array.from({ length: 10 }, () => table) };
    let bounded: unknown;
    expect(
      processorMilliseconds(() => {
        bounded = boundedContent(content, 256 * 1024, rest);
      }),
    ).toBeLessThan(2_000);
    expect(sizeOf(bounded)).toBeLessThanOrEqual(256 * 1024);
  });
});
