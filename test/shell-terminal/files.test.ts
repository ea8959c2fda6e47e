/**
 * Whose files are trusted, what `doctor` says about the home's files, and those of a service: the
 * functions alone.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { locationsIn } from '../../shared/locations.ts';
import { checkFiles } from '../../shell-terminal/doctor/files.ts';
import { systemdUnit } from '../../shell-terminal/service/systemd-unit.ts';
import { readUsersFile } from '../../shell-terminal/users-file.ts';
import { mountDisk, mountingUnavailable, unmountDisk } from '../mounting.ts';
import { needs } from '../needs.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-files-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a client's file", () => {
  const why = (name: string): string => {
    const read = readUsersFile(at(name));
    return read.kind === 'refused' ? read.why : read.kind;
  };

  test('is read in place, behind a link too', () => {
    writeFileSync(at('real'), 'text', { mode: 0o644 });
    symlinkSync('real', at('link'));
    for (const name of ['real', 'link'])
      expect(readUsersFile(at(name))).toMatchObject({ kind: 'found', path: at('real'), bytes: Buffer.from('text') });
  });

  test('is absent, with the outermost folder that would be made', () => {
    expect(readUsersFile(at('a/b/c'))).toEqual({ kind: 'absent', path: at('a/b/c'), made: at('a') });
    expect(readUsersFile(at('c'))).toEqual({ kind: 'absent', path: at('c'), made: null });
  });

  test('is refused if it is a folder, a link to nowhere, or not writable', () => {
    mkdirSync(at('folder'));
    symlinkSync('nowhere', at('link'));
    writeFileSync(at('kept'), '', { mode: 0o444 });
    expect(why('folder')).toContain('is not a regular file');
    expect(why('link')).toContain('is a link that leads nowhere');
    expect(why('kept')).toContain('is not writable');
  });
});

describe('the home', () => {
  const checks = () => checkFiles(locationsIn(at('home'))).map(({ name, ok, remedy }) => [name, ok, remedy]);
  beforeEach(() => mkdirSync(at('home'), { mode: 0o700 }));

  test('is right if it and all in it are closed to others', () => {
    writeFileSync(at('home/secrets.json'), '', { mode: 0o600 });
    expect(checks().filter(([, ok]) => !ok)).toEqual([]);
  });

  test('is told apart if others can look in, and if we can’t write', () => {
    for (const mode of [0o755, 0o710, 0o500]) {
      chmodSync(at('home'), mode);
      expect(checks()[0]).toEqual(['home', false, `chmod 700 ${at('home')}`]);
    }
  });

  needs(mountingUnavailable()).test('is told apart if it is read-only, and if its disk is full', () => {
    const says = () => checkFiles(locationsIn(at('home')))[0];
    expect(mountDisk(at('home'), '64k')).toBe(true);
    try {
      expect(says()).toMatchObject({ ok: true });
      expect(() => writeFileSync(at('home/fill'), Buffer.alloc(256 * 1024), { mode: 0o600 })).toThrow('ENOSPC');
      expect(says()).toMatchObject({ ok: false, says: expect.stringContaining('no room left') });
      expect(spawnSync('mount', ['-o', 'remount,ro', at('home')]).status).toBe(0);
      expect(says()).toMatchObject({ ok: false, says: expect.stringContaining("can't be written (EROFS)") });
    } finally {
      unmountDisk(at('home'));
    }
  });

  test('a file that others can read is named, with the command that closes it', () => {
    writeFileSync(at('home/sallyport.db'), '', { mode: 0o640 });
    expect(checks()[1]).toEqual(['files', false, `chmod 600 ${at('home/sallyport.db')}`]);
  });
});

test("a unit's command is quoted as systemd reads it: the program knows no $, no word a %", () => {
  expect(systemdUnit(['/opt/a $b/sallyportd', '100%', '$HOME', 'a"b\\c'])).toContain(
    '\nExecStart="/opt/a $b/sallyportd" "100%%" "$$HOME" "a\\"b\\\\c"\n',
  );
  expect(systemdUnit(["/opt/it's/sallyportd"])).toContain(
    '\nExecStart="/bin/sh" "-c" "exec \\"$$0\\" \\"$$@\\"" "/opt/it\'s/sallyportd"\n',
  );
});

test('a daemon started by a unit frees memory like one that Sallyport launches', () => {
  expect(systemdUnit(['/opt/sallyportd'])).toContain(
    '\nEnvironment=MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=65536\n',
  );
});
