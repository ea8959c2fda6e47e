/** Who takes the most, by where they stand among all processes. */

import { describe, expect, test } from '@jest/globals';
import { crowdOf, hasPart } from '../../../daemon/access/limits/crowd.ts';

const crowd = (...members: string[]) => crowdOf(members, member => member.split('/')).join(' ');

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a b'],
  [['a/1', 'a/2', 'b/1'], 'a/1 a/2'],
  [['a/1/x', 'a/1/y', 'a/2', 'b/1', 'b/2'], 'a/1/x a/1/y'],
  [['a', 'a', 'a/1', 'b'], 'a a'],
  [['a', 'a/1', 'a/2', 'b'], 'a a/1 a/2'],
  [['a/1', 'a/1', 'b/1', 'b/1', 'c'], 'a/1 a/1 b/1 b/1'],
  [['same', 'same', 'same'], 'same same same'],
])('%j: %s', (members, expected) => expect(crowd(...members)).toBe(expected));

describe('a part of what all share', () => {
  const times = (count: number, ...lineage: string[]) => Array.from({ length: count }, () => lineage);
  test.each<[string, (readonly string[])[], string[], boolean]>([
    ['there is room for all', times(9, 'a', '1'), ['a', '1'], true],
    ['one branch has all, and asks', times(10, 'a', '1'), ['a', '1'], false],
    ['one branch has all, and a new one asks', times(10, 'a', '1'), ['b', '1'], true],
    ['beside it, further in', times(10, 'a', '1'), ['a', '2'], true],
    ['its part of two is used up', [...times(10, 'a', '1'), ...times(5, 'a', '2')], ['a', '2'], false],
    ['a third finds its part', [...times(10, 'a', '1'), ...times(5, 'a', '2')], ['a', '3'], true],
    ['one that ends higher up', times(10, 'a', '1'), ['a'], false],
    ['more branches than room: one each', Array.from({ length: 40 }, (_, at) => [`${at}`]), ['new'], true],
    ['and no more than one', Array.from({ length: 40 }, (_, at) => [`${at}`]), ['7'], false],
  ])('%s', (_, taken, asking, has) => {
    expect(hasPart(taken, asking, 10)).toBe(has);
  });
});
