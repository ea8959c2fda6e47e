import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { homeFolder, locationsIn, MisnamedHome } from '../../shared/locations.ts';
import { nameUnderTmp } from '../../shared/runtime-folder.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const folder = temporaryFolder();

test('the home is the platform’s usual place, and SALLYPORT_HOME overrides both', () => {
  expect(homeFolder({ HOME: '/home/ada' }, 'linux')).toBe('/home/ada/.local/share/sallyport');
  expect(homeFolder({ HOME: '/Users/ada' }, 'darwin')).toBe('/Users/ada/Library/Application Support/Sallyport');
  expect(homeFolder({ HOME: '/home/ada', SALLYPORT_HOME: '/srv/s' }, 'linux')).toBe('/srv/s');
});

test('a home that no shell expanded begins with ~/ or /, else it is refused', () => {
  const named = (SALLYPORT_HOME: string) => homeFolder({ HOME: '/home/$&', SALLYPORT_HOME });
  expect([named('~/sp'), named('~'), named('~/'), named('/srv/../s')]).toEqual([
    '/home/$&/sp',
    '/home/$&',
    '/home/$&',
    '/s',
  ]);
  for (const relative of ['sp', './sp', '~ada/sp', '$HOME/sp', ' /sp', '~~/sp'])
    expect(() => named(relative)).toThrow(MisnamedHome);
});

test('a socket path that fits 103 bytes is in the home, a longer one where nobody else can have made it', () => {
  const fits = join(folder, 'x'.repeat(103 - '/control.sock'.length - folder.length - 1));
  expect(Buffer.byteLength(locationsIn(fits).controlSocket)).toBe(103);
  expect(locationsIn(fits).controlSocketFolder).toBe(fits);

  const long = `${fits}y`;
  mkdirSync(long, { mode: 0o700 });
  const digest = createHash('sha256').update(realpathSync(long)).digest('hex').slice(0, 16);
  const inSession = `/run/user/${userInfo().uid}/sallyport-${digest}`;
  expect(locationsIn(long).controlSocket).toBe(`${inSession}/control.sock`);

  const folderNow = () => locationsIn(long).controlSocketFolder;
  const named = nameUnderTmp(long, 'socket-folder', randomBytes(8).toString('hex'));
  expect(named).toContain(`/tmp/sallyport-${digest}-`);
  const record = join(long, 'socket-folder');
  const keep = (text: string, mode = 0o600) => {
    rmSync(record, { force: true });
    writeFileSync(record, text, { mode });
  };
  keep(named);
  // It isn't there.
  expect(folderNow()).toBe(inSession);
  mkdirSync(named, { mode: 0o700 });
  try {
    expect(folderNow()).toBe(named);
    keep(named, 0o644);
    expect(folderNow()).toBe(inSession);
    for (const other of [
      '',
      '/tmp',
      `${named}/..`,
      `${named}x`,
      named.slice(0, -1),
      nameUnderTmp(fits, 'socket-folder', named.slice(-16)),
    ]) {
      keep(other);
      expect([other, folderNow()]).toEqual([other, inSession]);
    }
    rmSync(record);
    symlinkSync(named, record);
    expect(folderNow()).toBe(inSession);
    keep(named);
    rmSync(named, { recursive: true });
    symlinkSync(folder, named);
    expect(folderNow()).toBe(inSession);
  } finally {
    rmSync(named, { recursive: true, force: true });
  }
});
