/** Which verdicts are remembered, and how long; without the threads that find them. */

import { expect, test } from '@jest/globals';
import { classifierLimits } from '../../daemon/classifier/classifier-limits.ts';
import { memoryKey, verdictMemory } from '../../daemon/classifier/verdict-memory.ts';

test('another name, text or place of a text makes another question', () => {
  const questions = [
    ['sqliteClass', ['select 1']],
    ['postgresClass', ['select 1']],
    ['sqliteClass', ['select 2']],
    ['sqliteClass', ['select 1', '']],
    ['sqliteClass', ['', 'select 1']],
    ['sqliteClass', []],
  ] as const;
  expect(new Set(questions.map(([name, given]) => memoryKey(name, given))).size).toBe(questions.length);
});

test('a question with a catalog’s answer isn’t remembered, since that is no text', () => {
  expect(memoryKey('postgresFollow', ['select 1', { functions: [] }])).toBeNull();
});

test('the question asked longest ago is dropped first', () => {
  const memory = verdictMemory({ ...classifierLimits, rememberedVerdicts: 2 });
  memory.keep('a', 1);
  memory.keep('b', 2);
  memory.find('a');
  memory.keep('c', 3);
  expect(['a', 'b', 'c'].map(memory.find)).toEqual([1, undefined, 3]);
});

test('it stays within its bytes, and stores nothing that is too long for one', () => {
  const memory = verdictMemory({ ...classifierLimits, rememberedBytes: 100, rememberedVerdictBytes: 80 });
  memory.keep('long', 'x'.repeat(40));
  memory.keep('y'.repeat(41), 1);
  expect([memory.find('long'), memory.find('y'.repeat(41))]).toEqual([undefined, undefined]);
  memory.keep('a', 'x'.repeat(20));
  memory.keep('b', 'x'.repeat(20));
  memory.keep('c', 'x'.repeat(20));
  expect(['a', 'b', 'c'].map(memory.find)).toEqual([undefined, 'x'.repeat(20), 'x'.repeat(20)]);
});
