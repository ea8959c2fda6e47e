/** Whose statement is classified next: the rule alone, on a clock of the test's own. */

import { beforeEach, expect, test } from '@jest/globals';
import { classifierLimits } from '../../daemon/classifier/classifier-limits.ts';
import { openTurns, type Turns, type Waiting } from '../../daemon/classifier/turns.ts';

const limits = { ...classifierLimits, burstMilliseconds: 1_000, shareMillisecondsPerSecond: 100 };
const job = (principal: string | null, isSecond = false): Waiting => ({ principal, isSecond });
let now: number;
let turns: Turns<Waiting>;
beforeEach(() => {
  now = 0;
  turns = openTurns(limits, () => now);
});
const next = () => turns.next(() => true);
/** Classifies one statement of a principal, which takes so long. */
function took(principal: string, milliseconds: number, isLate = false): void {
  turns.add(job(principal));
  const taken = next();
  expect(taken?.principal).toBe(principal);
  if (taken !== null) turns.ended(taken, milliseconds, isLate);
}

test('no principal has two classified at once', () => {
  const [first, second] = [job('a'), job('a')];
  turns.add(first);
  turns.add(second);
  expect(next()).toBe(first);
  expect(next()).toBeNull();
  turns.ended(first, 1, false);
  expect(next()).toBe(second);
});

test('the one that took less goes first; a second try comes after first ones', () => {
  took('greedy', 500);
  took('modest', 10);
  const [greedy, modest, again] = [job('greedy'), job('modest'), job('modest', true)];
  for (const each of [greedy, again, modest]) turns.add(each);
  expect(next()).toBe(modest);
  turns.remove(again);
  expect(next()).toBe(greedy);
});

test('a principal that used its share waits until time restores it, and nobody waits with it', () => {
  took('greedy', 1_000);
  const greedy = job('greedy');
  turns.add(greedy);
  expect([turns.tookItsShare('greedy'), turns.tookItsShare('other'), next()]).toEqual([true, false, null]);
  turns.add(job('other'));
  expect(next()?.principal).toBe('other');
  now += 1_000;
  expect(turns.tookItsShare('greedy')).toBe(false);
  expect(next()).toBe(greedy);
});

test('a statement that doesn’t fit is skipped, and stays', () => {
  const [one, other] = [job('a'), job('b')];
  turns.add(one);
  turns.add(other);
  expect(turns.next(each => each === other)).toBe(other);
  expect(turns.waiting()).toEqual([one]);
});

test('a late principal counts as slow for a while; others don’t', () => {
  took('late', 10, true);
  took('quick', 10);
  expect(['late', 'quick', 'unknown'].map(turns.tookLong)).toEqual([true, false, false]);
  now += limits.lateMilliseconds;
  expect(turns.tookLong('late')).toBe(false);
});
