/**
 * Threat: a home's sockets don't fit into it, and another user of the machine makes their folder
 * under /tmp first, or takes its place, to answer as Sallyport or to keep it from starting. Through
 * the built commands, the bridge among them.
 */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keptName, sessionFolder } from '../../shared/runtime-folder.ts';
import { modern } from '../bridge/bridge-process.ts';
import { bin, RealHome } from '../bridge/real-home.ts';
import { needs, needsRoot } from '../needs.ts';
import { daemonsOf, signalEach } from '../servers/daemons.ts';
import { until } from '../waiting/until.ts';

const other = 65_533;
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

let home: RealHome;
const made: string[] = [];
beforeEach(() => {
  home = new RealHome(150);
});
afterEach(async () => {
  await home.clean();
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** @param uid of this user if undefined. */
async function runIn(folder: string, words: readonly string[], uid?: number) {
  const env = { ...home.environment, SALLYPORT_HOME: folder };
  const child = spawn(join(bin, 'sallyport'), words, { env, cwd: '/', ...(uid !== undefined && { uid, gid: uid }) });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', text => (said[name] += text));
  child.stdin.end();
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  return { code, ...said };
}
const run = (...words: string[]) => runIn(home.home, words);
const nameOf = (kind: 'socket-folder' | 'boxes-folder' = 'socket-folder'): string => {
  const name = keptName(home.home, kind);
  if (name === null) throw new Error(`the home names no ${kind}`);
  made.push(name);
  return name;
};

async function works(): Promise<void> {
  const status = await run('status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ running: true, home: home.home });
  const answer = await home.bridge().ask(modern(1, 'tools/list'));
  expect(answer.result).toMatchObject({ tools: expect.anything() });
}

function isOurs(folder: string): void {
  const stats = lstatSync(folder);
  expect([stats.isDirectory(), stats.uid, stats.mode & 0o7777]).toEqual([true, process.getuid?.(), 0o700]);
}

/** Each makes what others could make at that path. */
const squatters: Record<string, (path: string) => void> = {
  'a folder that anybody may write': path => {
    mkdirSync(path);
    chmodSync(path, 0o777);
  },
  'a sticky folder': path => {
    mkdirSync(path);
    chmodSync(path, 0o1700);
  },
  'a link to a folder of ours': path => {
    const target = `${home.folder}/elsewhere`;
    mkdirSync(target, { mode: 0o700 });
    symlinkSync(target, path);
  },
  'a file': path => writeFileSync(path, 'theirs'),
  ...(isRoot && {
    "another user's folder": (path: string) => {
      mkdirSync(path, { mode: 0o755 });
      chownSync(path, other, other);
    },
  }),
};
const lookAt = (path: string) => {
  const { ino, mode, uid } = lstatSync(path);
  return { ino, mode, uid, holds: lstatSync(path).isDirectory() ? readdirSync(path) : null };
};

// With a folder of the session there is no name under /tmp to take.
const session = dirname(sessionFolder('/'));
const withoutSession = needs(existsSync(session) ? `this user has ${session}` : null);

withoutSession.describe('the folder of sockets under /tmp', () => {
  test('has a name that no other start or home would get, told to nobody else', async () => {
    expect((await run('start')).code).toBe(0);
    const first = nameOf();
    isOurs(first);
    expect(lstatSync(join(home.home, 'socket-folder')).mode & 0o777).toBe(0o600);
    await works();
    expect((await run('stop')).code).toBe(0);
    expect(existsSync(first)).toBe(false);
    rmSync(join(home.home, 'socket-folder'));
    expect((await run('start')).code).toBe(0);
    expect(nameOf()).not.toBe(first);
  }, 60_000);

  test.each(Object.keys(squatters))(
    '%s in its place after a stop: it is not used, and Sallyport starts',
    async what => {
      expect((await run('start')).code).toBe(0);
      const taken = nameOf();
      expect((await run('stop')).code).toBe(0);
      squatters[what]?.(taken);
      const before = lookAt(taken);
      expect(await run('status')).toMatchObject({ code: 69 });
      expect(await run('start')).toMatchObject({ code: 0 });
      expect(nameOf()).not.toBe(taken);
      isOurs(nameOf());
      await works();
      expect(lookAt(taken)).toEqual(before);
      expect((await run('stop')).code).toBe(0);
      expect(lookAt(taken)).toEqual(before);
    },
    60_000,
  );

  test.each(['nothing', ...Object.keys(squatters)])(
    '%s in its place while Sallyport runs: another is made within a second',
    async what => {
      expect((await run('start')).code).toBe(0);
      const lost = nameOf();
      const bridge = home.bridge();
      expect((await bridge.ask(modern(1, 'tools/list'))).error).toBeUndefined();
      renameSync(lost, `${lost}-away`);
      made.push(`${lost}-away`);
      squatters[what]?.(lost);
      await until(() => existsSync(join(nameOf(), 'control.sock')), 'the socket is made anew', 2);
      isOurs(nameOf());
      expect(nameOf() === lost).toBe(what === 'nothing');
      expect((await bridge.ask(modern(2, 'tools/list'))).error).toBeUndefined();
      await works();
      expect(await run('pause')).toMatchObject({ code: 0 });
      expect(await run('stop')).toMatchObject({ code: 0 });
      expect(home.daemons()).toEqual([]);
    },
    60_000,
  );

  test('the home’s own word is a file of this user alone, else another folder is made', async () => {
    expect((await run('start')).code).toBe(0);
    const first = nameOf();
    const record = join(home.home, 'socket-folder');
    chmodSync(record, 0o666);
    await until(() => keptName(home.home, 'socket-folder') !== null, 'it is written anew', 2);
    expect(nameOf()).not.toBe(first);
    await until(() => existsSync(join(nameOf(), 'control.sock')), 'the socket is there', 2);
    await works();
    writeFileSync(record, '/tmp');
    await until(() => keptName(home.home, 'socket-folder') !== null, 'it is written anew', 2);
    await until(() => existsSync(join(nameOf(), 'control.sock')), 'the socket is there', 2);
    await works();
  }, 60_000);

  test('the brakes find it also while the home is open to others', async () => {
    expect((await run('start')).code).toBe(0);
    nameOf();
    chmodSync(home.home, 0o775);
    expect(await run('pause')).toMatchObject({ code: 0 });
    expect(await run('stop')).toMatchObject({ code: 0 });
    chmodSync(home.home, 0o700);
  }, 60_000);

  test('a copy of the home doesn’t reach the first one’s daemon, nor take its socket', async () => {
    expect((await run('start')).code).toBe(0);
    const copy = `${home.home}-copy`;
    cpSync(home.home, copy, { recursive: true, filter: path => !lstatSync(path).isSocket() });
    chmodSync(copy, 0o700);
    const there = (...words: string[]) => runIn(copy, words);
    expect(await there('status')).toMatchObject({ code: 69 });
    expect(await there('start')).toMatchObject({ code: 0 });
    const own = keptName(copy, 'socket-folder');
    expect(own).not.toBe(nameOf());
    expect(readFileSync(join(copy, 'socket-folder'), 'utf8')).toBe(own);
    expect(await there('stop')).toMatchObject({ code: 0 });
    await works();
  }, 60_000);
});

needsRoot.test(
  'the folder of a box for a group that another user has made before is not used',
  async () => {
    expect((await run('start')).code).toBe(0);
    const boxOf = async (name: string): Promise<string> => {
      const { stdout } = await run('boxes', 'add', name, '--group', '1', '--json');
      return JSON.parse(stdout).folder;
    };
    const first = await boxOf('one');
    const taken = nameOf('boxes-folder');
    expect(dirname(first)).toBe(taken);
    expect([lstatSync(taken).uid, lstatSync(taken).mode & 0o7777]).toEqual([0, 0o711]);
    expect((await run('stop')).code).toBe(0);
    rmSync(taken, { recursive: true });
    mkdirSync(taken, { mode: 0o777 });
    chownSync(taken, other, other);
    expect((await run('start')).code).toBe(0);
    expect(nameOf('boxes-folder')).not.toBe(taken);
    const list = JSON.parse((await run('boxes', 'list', '--json')).stdout);
    expect(list).toEqual([
      expect.objectContaining({ folder: join(nameOf('boxes-folder'), first.slice(taken.length + 1)) }),
    ]);
    expect(existsSync(list[0].socket)).toBe(true);
    expect(readdirSync(taken)).toEqual([]);
  },
  60_000,
);

needsRoot.describe('the folder of the session, /run/user/UID', () => {
  const theirs = `/run/user/${nobody}`;
  const long = (): string => join(home.folder, 'n'.repeat(100), 'home');
  beforeEach(() => {
    if (existsSync(theirs)) throw new Error(`${theirs} is there already`);
    mkdirSync(theirs);
    made.push(theirs);
    mkdirSync(dirname(long()));
    for (const folder of [home.folder, dirname(long())]) {
      chmodSync(folder, 0o755);
      chownSync(folder, nobody, nobody);
    }
  });
  afterEach(async () => {
    const daemons = daemonsOf(long());
    signalEach(daemons(), 'SIGKILL');
    await until(() => daemons().length === 0, 'its daemon has ended');
  });
  const runAs = (...words: string[]) => runIn(long(), words, nobody);

  test('is used if it is the user’s alone, and no name under /tmp is taken', async () => {
    chmodSync(theirs, 0o700);
    chownSync(theirs, nobody, nobody);
    expect(await runAs('start')).toMatchObject({ code: 0 });
    const folder = readdirSync(theirs).map(name => join(theirs, name));
    expect(folder).toEqual([sessionFolderOf(nobody, long())]);
    expect(existsSync(join(String(folder[0]), 'control.sock'))).toBe(true);
    expect(existsSync(join(long(), 'socket-folder'))).toBe(false);
    expect((await runAs('status')).code).toBe(0);
    // As when the user logs out, and what runs goes on.
    rmSync(theirs, { recursive: true });
    await until(() => existsSync(join(long(), 'socket-folder')), 'a folder is made elsewhere', 2);
    made.push(readFileSync(join(long(), 'socket-folder'), 'utf8'));
    await until(async () => (await runAs('status')).code === 0, 'it answers there', 2);
    expect((await runAs('stop')).code).toBe(0);
  }, 60_000);

  test.each<[string, number, number]>([
    ['another user’s', 0o700, other],
    ['open to others', 0o755, nobody],
    ['sticky', 0o1777, nobody],
  ])(
    'is not used if it is %s',
    async (_, mode, owner) => {
      chmodSync(theirs, mode);
      chownSync(theirs, owner, owner);
      expect(await runAs('start')).toMatchObject({ code: 0 });
      expect(readdirSync(theirs)).toEqual([]);
      made.push(readFileSync(join(long(), 'socket-folder'), 'utf8'));
      expect((await runAs('status')).code).toBe(0);
      expect((await runAs('stop')).code).toBe(0);
    },
    60_000,
  );
});

function sessionFolderOf(uid: number, homeFolder: string): string {
  return sessionFolder(homeFolder).replace(/^\/run\/user\/\d+/, `/run/user/${uid}`);
}
