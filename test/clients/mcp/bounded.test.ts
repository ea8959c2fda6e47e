/** What a client shows a model fits into an answer, and a cut text says that it was cut. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedContent } from '../../../daemon/clients/mcp/bounded.ts';
import { jsonOfContent } from '../../../daemon/engines/row-text.ts';
import { processorMilliseconds } from '../../processor-time.ts';

const rest = 'There is more.';
const sizeOf = (content: Record<string, unknown>): number => Buffer.byteLength(jsonOfContent(content));

test('a text that fits to the byte is left as it is, with one byte less it is cut', () => {
  const content = { tables: [{ name: 'a', comment: 'c'.repeat(1_000) }] };
  expect(boundedContent(content, sizeOf(content), rest)).toBe(content);
  expect(boundedContent(content, sizeOf(content) - 1, rest)).toEqual({
    cut: rest,
    tables: [{ name: 'a', comment: 'c'.repeat(500) }],
  });
});

test('the first of several pages says that there is more, and gives no cursor that nobody could use', () => {
  expect(boundedContent({ tables: ['a'], next_cursor: 'x' }, 1_000, rest)).toEqual({ cut: rest, tables: ['a'] });
});

test('the notice that there is more has room too', () => {
  const shown = { note: 'n'.repeat(1_000) };
  for (let more = 0; more < 60; more++) {
    const bytes = sizeOf(shown) + more;
    expect(sizeOf(boundedContent({ ...shown, next_cursor: 'x' }, bytes, rest))).toBeLessThanOrEqual(bytes);
  }
});

test('a text as long as a book is cut before any table, and then the longest list', () => {
  const tables = Array.from({ length: 40 }, (_, at) => ({ name: `t${at}`, comment: 'c'.repeat(150) }));
  const book = { ...tables[0], definition: '😀'.repeat(50_000) };
  const cut = boundedContent({ tables: [book, ...tables] }, 16_000, rest);
  expect(cut.tables).toHaveLength(41);
  expect(cut).toMatchObject({ tables: [{ definition: expect.stringMatching(/^(?:😀)+$/u) }, ...tables] });
  const halved = boundedContent({ names: ['a', 'b'], tables }, 6_000, rest);
  expect(halved).toEqual({ cut: rest, names: ['a', 'b'], tables: tables.slice(0, 20) });
});

test('even in a small answer a text of 200 characters stays whole and one of 201 doesn’t', () => {
  const names = Array.from({ length: 100 }, (_, at) => `name ${at}`);
  const of = (length: number) => ({ note: 'n'.repeat(length), names });
  expect(boundedContent(of(200), 1_024, rest)).toEqual({ cut: rest, note: 'n'.repeat(200), names: names.slice(0, 50) });
  expect(boundedContent(of(201), 1_024, rest)).toEqual({ cut: rest, note: 'n'.repeat(100), names: names.slice(0, 50) });
});

const texts = fc.string({ unit: 'binary', maxLength: 3_000 });
const lists = fc.array(fc.record({ name: fc.string({ maxLength: 20 }), text: texts }), { maxLength: 60 });

test('whatever it holds, it fits', () => {
  fc.assert(
    fc.property(fc.record({ tables: lists, others: fc.array(texts, { maxLength: 60 }), note: texts }), content => {
      const cut = boundedContent(content, 4_000, rest);
      expect(sizeOf(cut)).toBeLessThanOrEqual(4_000);
      expect(cut === content || cut.cut === rest).toBe(true);
      expect(Object.keys(cut).filter(key => key !== 'cut')).toEqual(Object.keys(content));
    }),
    { numRuns: 100 },
  );
});

const times = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${at} ${text}`);

test('fits, whatever causes its size', () => {
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

// Printing all of it for each cut took 20 s, in which nobody else was answered.
test('takes little time for ten tables with thousands of wide columns each', () => {
  const ddl = 'd'.repeat(1_000_000);
  const table = {
    name: 't',
    ddl,
    columns: times(2_000, 'x'.repeat(400)),
    sample: { rows: times(2_000, 'y'.repeat(400)) },
  };
  const content = { tables: Array.from({ length: 10 }, () => table) };
  let bounded: Record<string, unknown> = {};
  expect(
    processorMilliseconds(() => {
      bounded = boundedContent(content, 256 * 1024, rest);
    }),
  ).toBeLessThan(2_000);
  expect(sizeOf(bounded)).toBeLessThanOrEqual(256 * 1024);
});
