/**
 * The home: made for its user alone, refused and left as it is if others can look into it, and missed if another one
 * takes its place.
 */

import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { prepareHome, watchHome } from '../../daemon/storage/home.ts';
import { takeLock } from '../../daemon/storage/lock.ts';
import { needs, needsRoot } from '../needs.ts';
import { temporaryFolder } from './home-for-tests.ts';

const folder = temporaryFolder();
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a new one is closed to others with its parent folders; an existing one keeps its mode and is refused', () => {
  const made = join(folder, 'a', 'b', 'home');
  prepareHome(made);
  expect([modeOf(join(folder, 'a')), modeOf(made)]).toEqual([0o700, 0o700]);
  for (const mode of [0o755, 0o770, 0o777, 0o500]) {
    chmodSync(made, mode);
    expect(() => prepareHome(made)).toThrow(`chmod 700 ${made}`);
    expect(modeOf(made)).toBe(mode);
  }
  chmodSync(made, 0o700);
  prepareHome(made);
});

test('a path that is no folder, or leads to one elsewhere, is refused and keeps its mode', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  symlinkSync(shared, join(folder, 'link'));
  chmodSync(file, 0o644);
  chmodSync(shared, 0o755);
  expect(() => prepareHome(file)).toThrow(`Sallyport's home can't be used: ${file} is not a real folder.`);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'to-nothing'));
  for (const link of ['link', 'to-nothing'])
    expect(() => prepareHome(join(folder, link))).toThrow(`${link} is not a real folder`);
  expect([modeOf(file), modeOf(shared)]).toEqual([0o644, 0o755]);
});

needsRoot.test('one of another user is refused and keeps its mode', () => {
  const theirs = join(folder, 'theirs');
  mkdirSync(theirs);
  chownSync(theirs, 65_534, 65_534);
  chmodSync(theirs, 0o755);
  expect(() => prepareHome(theirs)).toThrow(`${theirs} belongs to another user`);
  expect(modeOf(theirs)).toBe(0o755);
});

test('it exists until it is moved or removed; another one in its place doesn’t count', () => {
  const home = join(folder, 'watched');
  const replaced = (): boolean => {
    mkdirSync(home);
    return isThere();
  };
  mkdirSync(home);
  const isThere = watchHome(home);
  expect(isThere()).toBe(true);
  renameSync(home, join(folder, 'moved'));
  expect([isThere(), replaced()]).toEqual([false, false]);
  rmSync(home, { recursive: true });
  renameSync(join(folder, 'moved'), home);
  expect(isThere()).toBe(true);
});

test('what can’t be looked at is no other: neither the home nor its lock ends the daemon', () => {
  const home = join(folder, 'closed');
  mkdirSync(home, { mode: 0o700 });
  const isThere = watchHome(home);
  const lock = takeLock(join(home, 'daemon.lock'));
  renameSync(home, `${home}-aside`);
  // Root is refused by no mode, but by a link to itself.
  symlinkSync(home, home);
  expect([isThere(), lock?.isThere()]).toEqual([false, true]);
  rmSync(home);
  renameSync(`${home}-aside`, home);
  expect([isThere(), lock?.isThere()]).toEqual([true, true]);
  lock?.release();
});

/** Roots of two file systems with the same inode number. */
function twins(): readonly [string, string] | null {
  const roots = ['/proc', '/sys', '/dev', '/dev/shm', '/dev/pts'].filter(path =>
    statSync(path, { throwIfNoEntry: false }),
  );
  for (const one of roots)
    for (const other of roots)
      if (statSync(one).ino === statSync(other).ino && statSync(one).dev !== statSync(other).dev) return [one, other];
  return null;
}

const pair = twins();
needs(pair === null ? 'two file systems whose roots have one number' : null).test(
  'a folder with the same inode on another file system is another',
  () => {
    const home = join(folder, 'on-either');
    symlinkSync(pair?.[0] ?? '', home);
    const isThere = watchHome(home);
    expect(isThere()).toBe(true);
    rmSync(home);
    symlinkSync(pair?.[1] ?? '', home);
    expect(isThere()).toBe(false);
  },
);
