/**
 * What a person took from a connection stays taken if the store says more, and a store that says
 * less counts too.
 */

import { expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import { atMost, isUnlimited, type NarrowedAccess } from '../../daemon/access/narrowed-access.ts';

const sooner = '2026-11-20T12:00:00.000Z';
const justLater = '2026-11-20T12:00:00.001Z';
const later = '2026-11-20T13:00:00.000Z';
type Access = readonly [Connection['externalClients']['level'], string | null, Connection['aiPolicy']];
const connection = ([level, writeUntil, aiPolicy]: Access) =>
  ({ id: 'a', externalClients: { level, writeUntil }, aiPolicy }) as Connection;
const held = ([level, writeUntil, aiPolicy]: Access): NarrowedAccess => ({
  id: 'a',
  level,
  writeUntil,
  aiPolicy,
  removedAt: null,
});

test.each<readonly [Access, Access, Access]>([
  [
    ['readWrite', null, 'always'],
    ['blocked', null, 'always'],
    ['blocked', null, 'always'],
  ],
  [
    ['readOnly', null, 'always'],
    ['blocked', null, 'always'],
    ['blocked', null, 'always'],
  ],
  [
    ['blocked', null, 'always'],
    ['readOnly', null, 'always'],
    ['blocked', null, 'always'],
  ],
  [
    ['readWrite', null, 'always'],
    ['readWrite', sooner, 'always'],
    ['readWrite', sooner, 'always'],
  ],
  [
    ['readWrite', later, 'always'],
    ['readWrite', sooner, 'always'],
    ['readWrite', sooner, 'always'],
  ],
  [
    ['readWrite', justLater, 'always'],
    ['readWrite', sooner, 'always'],
    ['readWrite', sooner, 'always'],
  ],
  [
    ['readWrite', sooner, 'always'],
    ['readWrite', later, 'always'],
    ['readWrite', sooner, 'always'],
  ],
  [
    ['readWrite', sooner, 'always'],
    ['readOnly', null, 'always'],
    ['readOnly', null, 'always'],
  ],
  [
    ['readOnly', null, 'always'],
    ['readWrite', sooner, 'never'],
    ['readOnly', null, 'never'],
  ],
  [
    ['readOnly', null, 'always'],
    ['readOnly', null, 'askEachTime'],
    ['readOnly', null, 'askEachTime'],
  ],
  [
    ['readOnly', null, 'never'],
    ['readOnly', null, 'askEachTime'],
    ['readOnly', null, 'never'],
  ],
])('%j, held to %j, becomes %j', (stored, most, expected) => {
  expect(atMost(connection(stored), held(most))).toEqual(connection(expected));
});

test('a limit that allows no more is equal, and only the widest takes nothing', () => {
  const least = connection(['blocked', null, 'never']);
  expect(atMost(least, held(['readOnly', null, 'always']))).toBe(least);
  expect(isUnlimited(held(['readWrite', null, 'always']))).toBe(true);
  for (const access of [
    ['readWrite', sooner, 'always'],
    ['readOnly', null, 'always'],
    ['readWrite', null, 'never'],
  ] as const)
    expect(isUnlimited(held(access))).toBe(false);
});
