/**
 * A file is trusted if it is regular, this user's, closed to others, and in a folder that others
 * can't write to.
 */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { folderProblem, readPrivateFile } from '../../shared/private-files.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-private-'));
  file = join(folder, 'file');
  writeFileSync(file, 'text', { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const problem = (): unknown => {
  const read = readPrivateFile(file, 4);
  return read.kind === 'untrusted' ? read.problem : read;
};

test('such a file is read', () => {
  expect(readPrivateFile(file, 4)).toEqual({ kind: 'read', text: 'text' });
  rmSync(file);
  expect(readPrivateFile(file, 4)).toEqual({ kind: 'absent' });
});

test.each([0o640, 0o604, 0o620, 0o700, 0o400])('not with mode %o', mode => {
  chmodSync(file, mode);
  expect(problem()).toContain(`has mode ${mode.toString(8)}, not 600`);
});

test.each([0o720, 0o702, 0o777, 0o1777])('not in a folder of mode %o', mode => {
  chmodSync(folder, mode);
  expect(problem()).toContain('can be written by others');
  expect(folderProblem(folder)).toContain('can be written by others');
  chmodSync(folder, 0o755);
  expect(folderProblem(folder)).toBeNull();
});

test('not one that is too long, a link, or a folder; and no folder that is a link', () => {
  writeFileSync(file, 'texts');
  expect(problem()).toContain('larger than 4 bytes');
  rmSync(file);
  symlinkSync('/etc/hostname', file);
  expect(problem()).toContain("can't be opened");
  rmSync(file);
  mkdirSync(file);
  expect(problem()).toContain('not a regular file');
  symlinkSync(folder, `${file}-link`);
  expect(folderProblem(`${file}-link`)).toContain('not a real folder');
  expect(folderProblem(join(folder, 'gone'))).toContain('does not exist');
});
