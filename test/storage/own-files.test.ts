import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fileIdentity } from '../../daemon/storage/file-identity.ts';
import { demoFileName, ownFileProblem } from '../../daemon/storage/own-files.ts';
import { temporaryFolder } from './home-for-tests.ts';

const folder = temporaryFolder();
const home = join(folder, 'home');
mkdirSync(join(home, 'logs'), { recursive: true });
const store = join(home, 'sallyport.db');
for (const file of [store, join(home, 'logs', 'a.log'), join(home, demoFileName), join(folder, 'shop.db')])
  writeFileSync(file, 'x');
symlinkSync(store, join(folder, 'symbolic.db'));
symlinkSync(home, join(folder, 'home-by-another-name'));
linkSync(store, join(folder, 'hard.db'));

const problemOf = async (home: string, path: string) => ownFileProblem(home, path, await fileIdentity(path));

test.each([
  ['the store', store],
  ['a log', join(home, 'logs', 'a.log')],
  ['a file of ours that is not there yet', join(home, 'sallyport.db-wal')],
  ['a path with dots in it', join(folder, 'x/../home/sallyport.db')],
  ['a symbolic link', join(folder, 'symbolic.db')],
  ['a linked folder', join(folder, 'home-by-another-name', 'sallyport.db')],
  ['a hard link', join(folder, 'hard.db')],
])('%s is ours', async (_, path) => {
  expect(await problemOf(home, path)).toContain("Sallyport's own files");
});

test('the demo database and files elsewhere aren’t', async () => {
  expect(await problemOf(home, join(home, demoFileName))).toBeNull();
  expect(await problemOf(home, join(folder, 'shop.db'))).toBeNull();
  expect(await problemOf(home, join(folder, 'not-there.db'))).toBeNull();
});

test('a demo database that is really the store is ours', async () => {
  const other = join(folder, 'other-home');
  mkdirSync(other);
  writeFileSync(join(other, 'sallyport.db'), 'x');
  linkSync(join(other, 'sallyport.db'), join(other, demoFileName));
  expect(await problemOf(other, join(other, demoFileName))).not.toBeNull();
});
