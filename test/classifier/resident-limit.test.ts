/** What the daemon may hold before a thread with a long text ends, on machines of all sizes. */

import { expect, test } from '@jest/globals';
import { classifierLimits } from '../../daemon/classifier/classifier-limits.ts';
import { residentBytesAt } from '../../daemon/classifier/ready-classifier.ts';

const mebibyte = 1_048_576;

test.each([
  ['no limit that Node knows', 0, classifierLimits.residentBytes],
  ['no limit, as the kernel writes it', 2 ** 64, classifierLimits.residentBytes],
  ['a service of 512 MiB', 512 * mebibyte, classifierLimits.residentBytes],
  ['a container of 200 MiB', 200 * mebibyte, 120 * mebibyte],
])('%s', (_, allowed, expected) => {
  expect(residentBytesAt(allowed)).toBe(expected);
});
