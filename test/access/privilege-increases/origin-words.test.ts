/** How the log names the process that asked (spec §14). */

import { expect, test } from '@jest/globals';
import { answerWords, originWords } from '../../../daemon/access/privilege-increases/origin-words.ts';
import { programName } from '../../../shared/program-name.ts';

const here = { pid: 4242, terminal: '/dev/pts/3', programs: ['claude', 'bash', 'sallyport'], lineage: [] };

test('a process is named with its chain and its terminal', () => {
  expect(originWords(here, 'terminal')).toBe('sallyport (process 4242, started by claude, bash) on /dev/pts/3');
  expect(originWords({ ...here, terminal: null }, 'terminal')).toMatch(
    / started by claude, bash\) without a terminal$/,
  );
  expect(originWords({ ...here, programs: ['curl'] }, 'terminal')).toBe('curl (process 4242) on /dev/pts/3');
  expect(originWords(null, 'app')).toBe('a program that did not say which (it calls itself app)');
});

test('a long chain can’t push the terminal out of the log', () => {
  const programs = Array.from({ length: 12 }, (_, at) => programName(`${at}${'x'.repeat(300)}`));
  const words = originWords({ pid: 2 ** 31 - 1, terminal: '/dev/pts/1048575', programs, lineage: [] }, 'terminal');
  expect(words.length).toBeLessThanOrEqual(256);
  expect(words).toMatch(/^11x+ \(process \d+, started by 0x+, 1x+, 2x+, …, 8x+, 9x+, 10x+\) on \/dev\/pts\/1048575$/);
});

test('an answer says who gave it and how that was confirmed', () => {
  expect(answerWords('yes', 'X', 'passphrase')).toBe('yes by X, confirmed with the owner passphrase');
  expect(answerWords('yes', 'X', 'app')).toBe('yes by X, confirmed in Sallyport.app');
  expect(answerWords('no', 'X', null)).toBe('no by X, without confirmation');
});

test('a name keeps no character that could end a part of the sentence, reorder or hide', () => {
  expect(programName('claude-code.v2+x@3')).toBe('claude-code.v2+x@3');
  expect(programName('bash) on /dev/pts/3, x')).toBe('bash__on__dev_pts_3__x');
  expect(programName('größe\u202e\u001b[2J\0\n')).toMatch(/^gr__e_+2J__$/);
  expect(programName('')).toBe('unnamed');
});
