/**
 * Which deeds count as done at this prompt; test/journeys/approvals/passphrase.test.ts has other
 * terminals.
 */

import { expect, test } from '@jest/globals';
import { elapsedMilliseconds, wasDoneHere } from '../../shell-terminal/same-terminal.ts';

test.each([
  ['00:05', 5_000],
  ['01:02:03', 3_723_000],
  ['2-00:00:01', 172_801_000],
  ['', 0],
  ['?', 0],
])('ps prints %j for %i ms', (elapsed, milliseconds) => expect(elapsedMilliseconds(elapsed)).toBe(milliseconds));

test('none without a terminal, on another one, before this shell, in the future or an hour ago', async () => {
  const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
  for (const deed of [
    { at: at(-1) },
    { at: at(-1), terminal: '/dev/pts/9999' },
    { at: at(-1), terminal: '/dev/?' },
    { at: at(1_000), terminal: '/dev/pts/0' },
    { at: at(-3_600_001), terminal: '/dev/pts/0' },
  ])
    expect([deed, await wasDoneHere(deed)]).toEqual([deed, false]);
});
