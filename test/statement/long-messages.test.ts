/** Of a long database message a model gets only the beginning and the end. */

import { expect, test } from '@jest/globals';
import { refusalOf } from '../../daemon/statement/failure-refusals.ts';

const shop = { name: 'shop', host: null, socketPath: null, filePath: null };

function told(message: string): string {
  const refusal = refusalOf({ kind: 'query_failed', message, code: null }, shop);
  if (refusal.kind !== 'tool_error') throw new Error(refusal.kind);
  return refusal.sentence;
}

test('one of 4,000 characters is whole, a longer one loses its middle, which is counted', () => {
  expect(told('x'.repeat(4_000))).toBe('x'.repeat(4_000));
  const ends = [`${'a'.repeat(2_999)}b`, `c${'d'.repeat(999)}`] as const;
  expect(told(`${ends[0]}-${ends[1]}`)).toBe(`${ends[0]} […1 characters left out…] ${ends[1]}`);
});

test('the cut never leaves half of a character', () => {
  for (const before of ['', 'x']) {
    for (const after of ['', 'x']) {
      const message = `${before}${'😀'.repeat(3_000)}${after}`;
      const [, start, left, end] = /^(.*) \[…(\d+) characters left out…\] (.*)$/su.exec(told(message)) ?? [];
      expect(`${start}${end}`.isWellFormed()).toBe(true);
      expect([message.startsWith(`${start}`), message.endsWith(`${end}`)]).toEqual([true, true]);
      expect(`${start}`.length + Number(left) + `${end}`.length).toBe(message.length);
    }
  }
});

test.each([
  { kind: 'read_only', message: 'm'.repeat(10_000) },
  { kind: 'not_connected', message: 'm'.repeat(10_000) },
] as const)('of $kind as well', failure => {
  expect(JSON.stringify(refusalOf(failure, shop)).length).toBeLessThan(4_300);
});

test.each([
  ['can-raise', 'Ask for less, or for more time with timeout_seconds.'],
  ['at-maximum', 'Ask for less: no call may take longer.'],
  ['fixed', 'Ask for less.'],
] as const)('out of time, a call that %s', (time, advice) => {
  const sentence = `The statement was stopped after 30 s, and nothing of it stays. ${advice}`;
  expect(refusalOf({ kind: 'timeout', seconds: 30 }, shop, time)).toMatchObject({ word: 'timeout', sentence });
});

test.each([
  ['can-raise', 'Ask for less, or for more time with timeout_seconds.'],
  ['at-maximum', 'Ask for less, or ask again later.'],
  ['fixed', 'Ask for less, or ask again later.'],
] as const)('out of time because it waited, a call that %s', (time, advice) => {
  const before = 'The call had waited 4.2 s before.';
  const sentence = `The statement was stopped after 0.8 s, and nothing of it stays. ${before} ${advice}`;
  expect(refusalOf({ kind: 'timeout', seconds: 0.8, waited: 4.2 }, shop, time)).toMatchObject({
    word: 'timeout',
    sentence,
  });
});
