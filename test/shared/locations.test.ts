import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { homeFolder, locationsIn, MisnamedHome } from '../../shared/locations.ts';
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

test('a socket path that fits 103 bytes is in the home, a longer one in a private folder named after the real path', () => {
  const fits = join(folder, 'x'.repeat(103 - '/control.sock'.length - folder.length - 1));
  expect(Buffer.byteLength(locationsIn(fits).controlSocket)).toBe(103);
  expect(locationsIn(fits).controlSocketFolder).toBe(fits);

  const long = `${fits}y`;
  mkdirSync(long);
  const digest = createHash('sha256').update(realpathSync(long)).digest('hex').slice(0, 16);
  expect(locationsIn(long).controlSocket).toBe(`/tmp/sallyport-${userInfo().uid}-${digest}/control.sock`);
});
