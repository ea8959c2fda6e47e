/**
 * The three engines have the same files, so that two can be compared with `diff`; what one alone
 * has stands in a folder below.
 */

import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { engines } from '../../shared/engine.ts';

/** CONTRIBUTING.md says what each is for. */
const ten = 'count describe dial follow link open preview rehearse role run'.split(' ');

const filesOf = (engine: string): string[] =>
  readdirSync(new URL(`../../daemon/engines/${engine}`, import.meta.url), { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => name.replace(/\.ts$/, ''))
    .toSorted();

test.each(engines)('%s has the files of the others, the ten among them', engine => {
  const [first] = engines;
  expect(filesOf(engine)).toEqual(filesOf(first));
  expect(filesOf(engine)).toEqual(expect.arrayContaining(ten));
});
