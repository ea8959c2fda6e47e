/** What people type for an option, as numbers and in the daemon's own words. */

import { expect, test } from '@jest/globals';
import { durationSeconds, expiryWords, meaningOf, wholeNumber } from '../../shell-terminal/words.ts';

test.each([
  ['90s', 90],
  ['30m', 1_800],
  ['1h30m', 5_400],
  ['2d', 172_800],
  ['999999s', 999_999],
])('%s is %d seconds', (typed, seconds) => {
  expect(durationSeconds('for', typed)).toBe(seconds);
});

test.each(['', '30', 'm', '0s', '-1h', '1.5h', '1000000s', '1h 30m', '1H', '1w'])('%j is no duration', typed => {
  expect(() => durationSeconds('for', typed)).toThrow(
    '--for must be a duration such as 30m, 1h or 2d, tonight, or always.',
  );
});

test('a whole number has only digits', () => {
  expect(wholeNumber('row-limit', '500')).toBe(500);
  for (const typed of ['', '-1', '1e3', '0x10', '1234567890', ' 1'])
    expect(() => wholeNumber('row-limit', typed)).toThrow('--row-limit must be a whole number.');
});

test('a word must be one of the known ones', () => {
  expect(meaningOf('expires', expiryWords, '30')).toBe(30);
  for (const typed of ['31', 'toString', '__proto__', ''])
    expect(() => meaningOf('expires', expiryWords, typed)).toThrow('--expires must be one of');
});
