/**
 * How many reads of a connection are remembered and which are dropped first; connections share
 * none.
 */

import { expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { rememberedReads } from '../../daemon/engines/remembered-reads.ts';

type Read = Parameters<ReturnType<typeof rememberedReads>['remember']>[1];

// The connection is never asked; it only identifies whose reads they are.
const connection = (): Database => ({}) as Database;
const read: Read = { kind: 'classified', classification: { class: 'read' } as Read['classification'] };

test('two hundred are remembered, the most recently used ones', () => {
  const reads = rememberedReads(connection());
  for (let number = 1; number <= 200; number++) reads.remember(`read ${number}`, read);
  expect(reads.get('read 1')).toBe(read);
  reads.remember('read 201', read);
  expect(['read 1', 'read 2', 'read 3', 'read 201'].map(key => reads.get(key) !== null)).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('none with a long key, and none of another connection', () => {
  const [one, other] = [connection(), connection()];
  rememberedReads(one).remember('x'.repeat(8_192), read);
  rememberedReads(one).remember('y'.repeat(8_193), read);
  expect(rememberedReads(one).get('x'.repeat(8_192))).toBe(read);
  expect(rememberedReads(one).get('y'.repeat(8_193))).toBeNull();
  expect(rememberedReads(other).get('x'.repeat(8_192))).toBeNull();
});
