/**
 * Threat: SALLYPORT_HOME names a folder that Sallyport didn't make, and the daemon changes it: its
 * mode, so that other programs fail, or its files. And a client's file that is one of Sallyport's
 * own is edited. Through the built commands.
 */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ran, type RealHome, realHome } from '../shell-terminal/real-home.ts';

let home: RealHome;
let folder: string;
beforeAll(async () => {
  home = realHome();
  folder = mkdtempSync('/tmp/sallyport-hostile-');
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  await home.json(['boxes', 'add', 'cell']);
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await home.clean();
}, 60_000);

const start = (named: string): Promise<Ran> => home.run(['start'], { environment: { SALLYPORT_HOME: named } });

function made(name: string, mode: number, files: readonly string[] = []): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const file of files) writeFileSync(join(path, file), 'precious');
  chmodSync(path, mode);
  return path;
}

describe('a folder that is no home is refused, and stays as it is', () => {
  const hostile: Record<string, { readonly path: () => string; readonly says: RegExp }> = {
    'a shared one': { path: () => made('shared', 0o1777), says: /for all users/ },
    'one that its group may write': { path: () => made('group', 0o775), says: /mode 775; run `chmod 700/ },
    'one that others may read': { path: () => made('others', 0o755), says: /mode 755; run `chmod 700/ },
    'a git clone': {
      path: () => {
        const path = made('clone', 0o755);
        mkdirSync(join(path, '.git'));
        return path;
      },
      says: /git clone/,
    },
    'one with files': { path: () => made('files', 0o700, ['notes.txt', 'secrets.json']), says: /holds files/ },
    'a process': { path: () => `/proc/${process.pid}`, says: /can't be used/ },
    'a link to the process itself': { path: () => '/proc/self', says: /can't be used/ },
    'a name below a process': { path: () => '/proc/self/home', says: /can't be (?:used|made)/ },
    'a folder inside a box': {
      path: () => {
        const [box = ''] = readdirSync(join(home.home, 'boxes'));
        const path = join(home.home, 'boxes', box, 'inside');
        mkdirSync(path, { recursive: true, mode: 0o700 });
        return path;
      },
      says: /is inside .*, which holds files of Sallyport/,
    },
    'a folder inside a home': { path: () => join(home.home, 'another'), says: /is inside/ },
  };
  test.each(Object.keys(hostile))(
    '%s',
    async what => {
      const { path, says } = hostile[what] as (typeof hostile)[string];
      const named = path();
      const look = () => {
        const stats = statSync(named, { throwIfNoEntry: false });
        return stats === undefined ? null : [stats.mode, named.startsWith('/proc') ? [] : readdirSync(named)];
      };
      const before = look();
      const started = await start(named);
      expect(started).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
      expect(started.stderr).not.toContain('its log');
      const kept = await home.run(['stop', '--until-login'], { environment: { SALLYPORT_HOME: named } });
      expect(kept.code).not.toBe(0);
      expect(look()).toEqual(before);
    },
    60_000,
  );

  test('an empty one of mode 700, also at the top of a mounted disk, is taken', async () => {
    const path = made('mounted', 0o700);
    mkdirSync(join(path, 'lost+found'));
    expect(await start(path)).toMatchObject({ code: 0 });
    await home.run(['stop'], { environment: { SALLYPORT_HOME: path } });
  }, 60_000);
});

test('a home that others can look into goes on, but is not started again', async () => {
  const path = join(folder, 'opened');
  expect((await start(path)).code).toBe(0);
  chmodSync(path, 0o775);
  expect((await home.run(['stop'], { environment: { SALLYPORT_HOME: path } })).code).toBe(0);
  const again = await start(path);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`chmod 700 ${path}`) });
  expect(statSync(path).mode & 0o777).toBe(0o775);
}, 60_000);

test('connect edits none of our own files, nor a box’s', async () => {
  const [box = ''] = readdirSync(join(home.home, 'boxes'));
  const inBox = join(home.home, 'boxes', box, 'client.json');
  for (const path of [
    join(home.home, 'store.json'),
    join(home.home, 'secrets.json'),
    join(home.home, 'mcp-handshake.json'),
    join(home.home, 'new.json'),
    join(folder, 'linked', 'store.json'),
    inBox,
  ]) {
    if (path.includes('linked')) {
      rmSync(join(folder, 'linked'), { force: true });
      const { symlinkSync } = await import('node:fs');
      symlinkSync(home.home, join(folder, 'linked'));
    }
    const bytes = () => (statSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path, 'latin1'));
    const before = bytes();
    for (const way of ['--write', '--remove']) {
      const ran = await home.here(['connect', 'cursor', way, '--file', path]);
      expect([path, ran]).toEqual([
        path,
        expect.objectContaining({ code: 1, stderr: expect.stringContaining('holds files of Sallyport') }),
      ]);
    }
    expect(bytes()).toBe(before);
  }
}, 60_000);
