/** Where exported files go, and what never happens to other files there. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ExportedFile } from '../../daemon/statement/exported-file.ts';
import { openExports } from '../../daemon/storage/exports/exports.ts';
import { openUnfinished } from '../../daemon/storage/unfinished.ts';
import { mountDisk, mountingUnavailable, unmountDisk } from '../mounting.ts';
import { needs } from '../needs.ts';

let folder: string;
let user: string;
let own: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-exports-')));
  [user, own] = [join(folder, 'user'), join(folder, 'own')];
  for (const made of [user, own]) mkdirSync(made);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nothingNoted = { exportBegun: () => () => {}, leftExports: [] };
const opening = (environment: Record<string, string> = {}) =>
  openExports(own, nothingNoted, { HOME: user, ...environment }).open('orders', 'csv');

async function opened(environment?: Record<string, string>): Promise<ExportedFile> {
  const result = await opening(environment);
  if (result.kind !== 'opened') throw new Error(result.sentence);
  return result.file;
}

test('Downloads is made if it is missing, and only its owner can use the file', async () => {
  const file = await opened();
  file.write('a,b\r\n');
  file.write('1,é\r\n');
  expect(await file.close()).toBeNull();
  expect(file.path).toBe(join(user, 'Downloads', 'orders.csv'));
  expect(readFileSync(file.path, 'utf8')).toBe('a,b\r\n1,é\r\n');
  expect(lstatSync(file.path).mode & 0o777).toBe(0o600);
});

test.each([
  ['XDG_DOWNLOAD_DIR="$HOME/Save here/"\n', 'user/Save here'],
  ['# XDG_DOWNLOAD_DIR="$HOME/no"\nXDG_DOWNLOAD_DIR="ABSOLUTE"\n', 'elsewhere'],
  ['XDG_DOWNLOAD_DIR="$HOME/"\n', 'user/Downloads'],
  ['XDG_DOWNLOAD_DIR="relative"\n', 'user/Downloads'],
  ['XDG_DOWNLOAD_DIR="$HOMEless/x"\n', 'user/Downloads'],
])('user-dirs.dirs: %j', async (text, expected) => {
  mkdirSync(join(user, '.config'));
  writeFileSync(join(user, '.config', 'user-dirs.dirs'), text.replace('ABSOLUTE', join(folder, 'elsewhere')));
  const file = await opened();
  await file.close();
  expect(file.path).toBe(join(folder, expected, 'orders.csv'));
});

test('never over another file, nor through a link: a number is added', async () => {
  const downloads = join(user, 'Downloads');
  mkdirSync(downloads);
  writeFileSync(join(downloads, 'orders.csv'), 'mine');
  const target = join(folder, 'target');
  writeFileSync(target, 'precious');
  symlinkSync(target, join(downloads, 'orders-2.csv'));
  symlinkSync(join(folder, 'nowhere'), join(downloads, 'orders-3.csv'));
  mkdirSync(join(downloads, 'orders-4.csv'));
  const file = await opened();
  file.write('x');
  await file.close();
  expect(file.path).toBe(join(downloads, 'orders-5.csv'));
  expect(readFileSync(join(downloads, 'orders.csv'), 'utf8')).toBe('mine');
  expect(readFileSync(target, 'utf8')).toBe('precious');
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
});

test('a linked Downloads is followed to a folder of the user’s, and to no other', async () => {
  const large = join(folder, 'large-disk');
  mkdirSync(large);
  symlinkSync(large, join(user, 'Downloads'));
  const file = await opened();
  await file.close();
  expect(file.path).toBe(join(large, 'orders.csv'));

  for (const [target, why] of [
    [own, /Sallyport's own/],
    [tmpdir(), /others may write/],
    [join(folder, 'absent'), /can't be used \(ENOENT\)/],
  ] as const) {
    rmSync(join(user, 'Downloads'));
    symlinkSync(target, join(user, 'Downloads'));
    expect(await opening()).toMatchObject({ kind: 'problem', sentence: expect.stringMatching(why) });
  }
  expect(readdirSync(own)).toEqual([]);
});

test('a folder that everybody may write to, and a path that is no folder, are refused', async () => {
  const downloads = join(user, 'Downloads');
  mkdirSync(downloads);
  chmodSync(downloads, 0o777);
  expect(await opening()).toMatchObject({ sentence: expect.stringContaining('others may write') });
  rmSync(downloads, { recursive: true });
  writeFileSync(downloads, '', { mode: 0o600 });
  expect((await opening()).kind).toBe('problem');
});

test('a removed file is gone, but not what the user put in its place', async () => {
  const file = await opened();
  file.write('x'.repeat(1024 * 1024));
  await file.remove();
  expect(existsSync(file.path)).toBe(false);

  const other = await opened();
  renameSync(`${other.path}.part`, join(folder, 'moved'));
  writeFileSync(`${other.path}.part`, 'the user’s');
  await other.remove();
  expect(readFileSync(`${other.path}.part`, 'utf8')).toBe('the user’s');
});

test('one gets its name once it is complete, and another name if that was taken meanwhile', async () => {
  const file = await opened();
  file.write('x'.repeat(1024 * 1024));
  await file.full();
  const downloads = join(user, 'Downloads');
  expect(readdirSync(downloads)).toEqual(['orders.csv.part']);
  writeFileSync(join(downloads, 'orders.csv'), 'the user’s');
  expect(await file.close()).toBeNull();
  expect(file.path).toBe(join(downloads, 'orders-2.csv'));
  expect(readdirSync(downloads).toSorted()).toEqual(['orders-2.csv', 'orders.csv']);
  expect(readFileSync(join(downloads, 'orders.csv'), 'utf8')).toBe('the user’s');
});

test('a killed run’s leftovers are removed, but no file that has its name by now', async () => {
  const downloads = join(user, 'Downloads');
  mkdirSync(downloads);
  const notesAt = join(own, 'unfinished');
  const report = (error: unknown): never => {
    throw error;
  };
  const first = openExports(own, openUnfinished(notesAt, report), { HOME: user });
  const left: ExportedFile[] = [];
  for (const name of ['left', 'replaced', 'whole']) {
    const begun = await first.open(name, 'csv');
    if (begun.kind !== 'opened') throw new Error(begun.sentence);
    if (name === 'whole') await begun.file.close();
    else left.push(begun.file);
  }
  const replaced = join(downloads, 'replaced.csv.part');
  renameSync(replaced, join(folder, 'kept, so that its number is not given again'));
  writeFileSync(replaced, 'the user’s');
  writeFileSync(join(downloads, 'other.csv.part'), 'another program’s');
  const next = openExports(own, openUnfinished(notesAt, report), { HOME: user });
  const orders = await next.open('orders', 'csv');
  expect(readdirSync(downloads).toSorted()).toEqual([
    ...['orders.csv.part', 'other.csv.part', 'replaced.csv.part', 'whole.csv'],
  ]);
  if (orders.kind === 'opened') left.push(orders.file);
  for (const file of left) await file.remove();
});

test('it says when no more may be written for now, and none of it is lost', async () => {
  const file = await opened();
  expect(file.full()).toBeNull();
  for (let count = 0; count < 8; count += 1) file.write('x'.repeat(100_000));
  const full = file.full();
  expect(full).toBeInstanceOf(Promise);
  await full;
  expect(await file.close()).toBeNull();
  expect(readFileSync(file.path, 'utf8')).toHaveLength(800_000);
});

needs(mountingUnavailable()).test(
  'a disk is never filled: a file that would leave less than 512 MiB is refused in words, and removed',
  async () => {
    const downloads = join(user, 'Downloads');
    mkdirSync(downloads);
    expect(mountDisk(downloads, '530m')).toBe(true);
    try {
      const file = await opened();
      for (let part = 0; part < 64 && file.problem() === null; part += 1) {
        file.write('x'.repeat(1024 * 1024));
        await file.full();
      }
      expect(file.problem()).toMatch(/less than 512 MiB left, which is kept free; ask the user to make room\.$/);
      await file.remove();
      expect(readdirSync(downloads)).toEqual([]);
      const small = await opened();
      small.write('a\r\n');
      expect(await small.close()).toBeNull();
    } finally {
      unmountDisk(downloads);
    }
  },
);
