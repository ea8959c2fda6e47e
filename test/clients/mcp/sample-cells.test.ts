import { expect, test } from '@jest/globals';
import { sampleRow } from '../../../daemon/clients/mcp/tools/sample-cells.ts';

const shown = (cell: unknown) => {
  const { json, cuts } = sampleRow({ json: JSON.stringify([1, cell, null]), cuts: [] });
  return { cell: JSON.parse(json)[1], cuts };
};

test('long JSON keeps all keys, the first element of each list, and unchanged numbers', () => {
  const line = (sku: number) => `{"sku": ${sku}2345678901234567890, "tags": [], "sizes": [1, 2, 3]}`;
  const document = `{"kind": "a [b], \\"c\\"", "lines": [${[1, 2, 3, 4, 5, 6].map(line).join(', ')}], "note": "${'x'.repeat(200)}", "total": 1.10}`;
  expect(shown(document)).toEqual({
    cell: `{"kind":"a [b], \\"c\\"","lines":[{"sku":12345678901234567890,"tags":[],"sizes":[1,…2 more]},…5 more],"note":"${'x'.repeat(39)}…","total":1.10}`,
    cuts: [{ column: 1, fullBytes: Buffer.byteLength(document) }],
  });
});

test('a short cell stays, and any other long text is cut', () => {
  const short = JSON.stringify({ lines: [1, 2, 3] });
  expect(shown(short)).toEqual({ cell: short, cuts: [] });
  const text = `[note] ${'é'.repeat(400)}`;
  expect(shown(text)).toEqual({ cell: `${text.slice(0, 300)}…`, cuts: [{ column: 1, fullBytes: 807 }] });
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key_${at}`, at])));
  expect(shown(wide).cell).toHaveLength(301);
});
