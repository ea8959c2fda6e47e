/** A cursor is valid for the question that it was given to, and for a place after the first. */

import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from '../../../daemon/clients/mcp/cursor.ts';

const question = { connection: 'Shop', schema: null };

test('it comes back as the place it names', () => {
  expect(decodeCursor(question, encodeCursor(question, 200))).toBe(200);
});

test('from another question, invented or damaged, it isn’t accepted', () => {
  const cursor = encodeCursor(question, 200);
  expect(decodeCursor({ ...question, schema: 'public' }, cursor)).toBeNull();
  const [, digest] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  expect(decodeCursor(question, forged([1, digest]))).toBe(1);
  for (const content of [
    [0, digest],
    [-1, digest],
    [1.5, digest],
    ['1', digest],
    [1],
    [1, digest, 1],
    [1, ''],
    null,
    1,
  ])
    expect(decodeCursor(question, forged(content))).toBeNull();
  for (const text of ['', 'x', cursor.slice(0, -4)]) expect(decodeCursor(question, text)).toBeNull();
});
