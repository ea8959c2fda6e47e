/**
 * The three engines have files of the same names, so `diff` can compare two; features of one engine
 * are in a folder below.
 */

import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { engines } from '../../shared/engine.ts';

/** CONTRIBUTING.md explains each. */
const ten = 'count describe dial follow link open preview rehearse role run'.split(' ');

const filesOf = (engine: string): string[] =>
  readdirSync(new URL(`../../daemon/engines/${engine}`, import.meta.url), { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => name.replace(/\.ts$/, ''))
    .toSorted();

test.each(engines)('%s has the same files as the others, including the ten', engine => {
  const [first] = engines;
  expect(filesOf(engine)).toEqual(filesOf(first));
  expect(filesOf(engine)).toEqual(expect.arrayContaining(ten));
});
