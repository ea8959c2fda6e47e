/** Who takes the most, by where they stand among all processes. */

import { expect, test } from '@jest/globals';
import { crowdOf } from '../../../daemon/access/limits/crowd.ts';

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
