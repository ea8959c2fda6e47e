import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extentOf } from '../../../daemon/clients/mcp/json-extent.ts';

const unbounded = { members: Number.POSITIVE_INFINITY, levels: Number.POSITIVE_INFINITY };
const of = (text: string) => extentOf(Buffer.from(text), unbounded);

/** The same, counted on the parser's result. */
function counted(value: unknown): { members: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { members: 0, levels: 0 };
  const inner = Object.values(value).map(counted);
  return {
    members: inner.reduce((sum, { members }) => sum + members, inner.length),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  };
}

test.each([
  ['{}', 0, 1],
  ['[ ]', 0, 1],
  ['7', 0, 0],
  ['"[[[,,,"', 0, 0],
  ['{"a":1}', 1, 1],
  ['[[],[ ],{}]', 3, 2],
  ['{"a":"\\"[,","b":[1,"\\\\",{"c":null}]}', 6, 3],
  ['["\\\\\\"],["]', 1, 1],
  [' [\n1 ,\t2 ]', 2, 1],
  ['[', 0, 1],
  ['["never closed, [', 1, 1],
  ['"\\', 0, 0],
  ['', 0, 0],
])('%s', (text, members, levels) => expect(of(text)).toEqual({ members, levels }));

test('any JSON counts as in its parser, written densely or not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(of(text)).toEqual(counted(JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});

describe('a huge text', () => {
  test('isn’t read past the first member or level too many', () => {
    const most = { members: 3, levels: 2 };
    expect(extentOf(Buffer.from('[1,2,3,4,5,6]'), most)).toEqual({ members: 4, levels: 1 });
    expect(extentOf(Buffer.from('[[[[[['), most)).toMatchObject({ levels: 3 });
  });

  test.each([
    ['one string', `"${'x'.repeat(1_048_574)}"`],
    ['a string of escapes', `"${'\\"'.repeat(524_287)}"`],
    ['short strings', `[${'"",'.repeat(349_000)}""]`],
    ['blanks', ' '.repeat(1_048_576)],
    ['openings', '['.repeat(1_048_576)],
  ])('a mebibyte of %s is counted within 50 ms', (_what, text) => {
    const bytes = Buffer.from(text);
    // Its own time, without that of other work on this machine.
    const before = process.cpuUsage();
    extentOf(bytes, unbounded);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(50);
  });
});
