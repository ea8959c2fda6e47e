/** Which path may be saved as an SQLite connection. No sentence repeats the path. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sqliteFileProblem } from '../../../daemon/engines/sqlite/dial/saved-file.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();

test.each<[string, (path: string) => void, RegExp | null, RegExp | null]>([
  ['a database', path => withDriver(path, driver => void driver.exec('create table t (a)')), null, null],
  ['an empty file', path => writeFileSync(path, ''), /is empty/, null],
  ['another file', path => writeFileSync(path, 'hunter2'), /no SQLite database/, /no SQLite database/],
  ['the beginning of one', path => writeFileSync(path, 'SQLite form'), /no SQLite database/, /no SQLite database/],
  ['a folder', path => mkdirSync(path), /not a file/, /not a file/],
  ['nothing', () => {}, /There is no file/, null],
  ['a link to nowhere', path => symlinkSync(`${path}-gone`, path), /There is no file/, /There is no file/],
  ['a name that ends with a space ', path => writeFileSync(path, ''), /is empty/, null],
])('%s', async (name, make, problem, problemIfMade) => {
  const path = at(name);
  make(path);
  for (const [mayBeMade, expected] of [
    [false, problem],
    [true, problemIfMade],
  ] as const) {
    const said = await sqliteFileProblem(path, mayBeMade);
    expect(said).toEqual(expected === null ? null : expect.stringMatching(expected));
    expect(String(said)).not.toContain(path);
  }
});

test('a missing folder must be made first', async () => {
  expect(await sqliteFileProblem(at('no/where'), true)).toContain('make it first');
});
