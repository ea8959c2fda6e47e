/**
 * The built commands without something they expect: their working folder, an account's home, a
 * reader of their output, room on the disk. Each prints one sentence or none, with the right exit
 * code, and never a stack trace.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { needs, needsRoot } from '../../needs.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { here } from '../../waiting/limits.ts';

const bridge = join(dirname(executable), 'sallyport-mcp');
/** The bridge itself refuses it: no header can hold such a name. */
const list = [1, 2].map(id => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'größe' })}\n`).join('');

let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

/** @param script uses `$S` and `$B` for the commands. */
function shell(script: string, options: { uid?: number; environment?: Record<string, string>; input?: string } = {}) {
  const { uid, environment = { SALLYPORT_HOME: home.home, HOME: home.folder }, input = '' } = options;
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script], {
    encoding: 'utf8',
    cwd: '/',
    input,
    env: { PATH: process.env.PATH, S: executable, B: bridge, ...environment },
    ...(uid === undefined ? {} : { uid, gid: uid }),
    timeout: here(30_000),
  });
  return { code: status, stdout, stderr };
}
const oneSentence = /^(sallyport: )?[A-Z][^\n]+\.\n$/;

describe('a folder that no longer exists', () => {
  const inGone = (script: string) =>
    shell(`mkdir "${home.folder}/gone"; cd "${home.folder}/gone"; rmdir ../gone; ${script}`);

  test('only matters to commands with a path in it', () => {
    expect(inGone('exec $S status')).toMatchObject({ code: 69 });
    expect(inGone('exec $S --version').code).toBe(0);
    expect(inGone('exec $S connect cursor').code).toBe(0);
    for (const words of ['connections add x.db --name X', 'connect cursor --write --file x.json']) {
      const ran = inGone(`exec $S ${words}`);
      expect([words, ran]).toEqual([words, { code: 1, stdout: '', stderr: expect.stringMatching(oneSentence) }]);
      expect(ran.stderr).toContain('The folder you are in is gone');
    }
  });
});

const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
needs(mayMount ? null : 'mount namespaces').test('a disk without room for the store is reported at the start', () => {
  for (const kilobytes of [8, 40, 120]) {
    const onDisk = `mount -t tmpfs -o size=${kilobytes}k,mode=700 none "${home.home}" && exec $S start`;
    const ran = shell(`mkdir -p "${home.home}"; exec unshare --mount sh -c '${onDisk}'`);
    expect([kilobytes, ran]).toEqual([
      kilobytes,
      { code: 1, stdout: '', stderr: expect.stringContaining('There is no room left on the disk for ') },
    ]);
    expect(ran.stderr.split('\n')).toHaveLength(2);
  }
});

needs(mayMount ? null : 'mount namespaces').test('a read-only home is reported at the start', () => {
  const readOnly = `mount -t tmpfs -o mode=700 none "${home.home}" && mount -o remount,ro "${home.home}" && exec $S start`;
  const ran = shell(`mkdir -p "${home.home}"; exec unshare --mount sh -c '${readOnly}'`);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain(
    `home ${home.home} is on a file system that is mounted read-only (EROFS); mount it writable`,
  );
});

needs(mayMount ? null : 'mount namespaces').test('so is one that can’t be made, and the doctor tells it before', () => {
  const below = `${home.folder}/root`;
  const within = (words: string) =>
    shell(
      `mkdir -p "${below}"; exec unshare --mount sh -c 'mount -t tmpfs none "${below}" && mount -o remount,ro "${below}" && SALLYPORT_HOME="${below}/a/home" exec ${words}'`,
      { input: list },
    );
  const told = `home ${below}/a is on a file system that is mounted read-only (EROFS); mount it writable`;
  expect(within('$S start').stderr).toContain(told);
  expect(within('$S doctor')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${below} can't be written (EROFS). To do: mount it writable`),
  });
});

const mayContain = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
needs(mayContain ? null : 'bubblewrap').test('so is a root that is read-only throughout, also to a client', () => {
  const contained = 'exec bwrap --ro-bind / / --dev /dev --proc /proc --setenv SALLYPORT_HOME /var/nowhere/home';
  const told = 'home /var/nowhere is on a file system that is mounted read-only (EROFS); mount it writable';
  expect(shell(`${contained} $S start`).stderr).toContain(told);
  const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const bridged = shell(`{ echo "$ASKED"; sleep 12; } | { ${contained} $B; }`, { environment: { ASKED: asked } });
  expect(JSON.parse(bridged.stdout).error.message).toContain(told);
});

needsRoot.test('another user’s home is told as such by the bridge too', () => {
  const foreign = join(home.folder, 'foreign');
  mkdirSync(foreign, { mode: 0o700 });
  chownSync(home.folder, 54_322, 54_322);
  chownSync(foreign, 54_321, 54_321);
  const environment = {
    SALLYPORT_HOME: foreign,
    HOME: home.folder,
    ASKED: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  };
  // A bridge whose client has left answers nothing.
  const ran = shell(`{ echo "$ASKED"; sleep 12; } | $B`, { uid: 54_322, environment });
  const { message } = JSON.parse(ran.stdout).error;
  expect(message).toContain(`Sallyport's home can't be used: ${foreign} belongs to another user; `);
});

needsRoot.describe('a user id without an account, as in containers', () => {
  const uid = 54_321;

  test('needs HOME or SALLYPORT_HOME, and is told so', () => {
    expect(shell('exec $S --version', { uid, environment: {} }).code).toBe(0);
    for (const words of ['status', 'start', 'connect cursor']) {
      const ran = shell(`exec $S ${words}`, { uid, environment: {} });
      expect([words, ran]).toEqual([words, { code: 1, stdout: '', stderr: expect.stringMatching(oneSentence) }]);
      expect(ran.stderr).toContain('has no home folder');
    }
    expect(shell('exec $S status', { uid, environment: { SALLYPORT_HOME: '/nowhere' } }).code).toBe(69);
    const others = shell('exec $S start', { uid, environment: { SALLYPORT_HOME: home.folder } });
    expect(others.stderr).toContain('belongs to another user; only that user can run Sallyport there');
    const alone = join(home.folder, 'alone');
    mkdirSync(alone, { mode: 0o700 });
    chownSync(alone, uid, uid);
    chmodSync(home.folder, 0o755);
    expect(shell('$S start && exec $S stop', { uid, environment: { SALLYPORT_HOME: alone } })).toMatchObject({
      code: 0,
    });
    const environment = { SALLYPORT_HOME: join(home.folder, 'own', 'home'), HOME: join(home.folder, 'own') };
    mkdirSync(environment.HOME);
    chownSync(environment.HOME, uid, uid);
    chmodSync(home.folder, 0o755);
    const found = shell('exec $S setup --json', { uid, environment });
    expect([found.code, JSON.parse(found.stdout)]).toEqual([
      0,
      expect.objectContaining({ databases: expect.any(Array) }),
    ]);
    // As psql does, it would take the account's name.
    expect(shell('exec $S connections add postgres://127.0.0.1:1/shop --name Shop', { uid, environment }).code).toBe(0);
    expect(shell('exec $S connections test Shop', { uid, environment }).stderr).toContain("can't be reached");
    expect(shell('exec $S stop', { uid, environment }).code).toBe(0);
    const bridged = shell('exec $B', { uid, environment: {}, input: list });
    expect(bridged).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(oneSentence) });
  });
});

describe('output without a reader', () => {
  /** A pipe whose reader has left before the command starts. */
  const closed = (command: string, stream: 1 | 2): string =>
    `mkfifo p; { sleep 0.2; exec <p; } & exec 3>p; wait; ${command} ${stream}>&3`;

  test('remarks beside the answer are lost, and nothing else', () => {
    const script = (command: string) => `cd "${home.folder}"; ${closed(command, 2)}; echo "code $?"`;
    expect(shell(script('$S nonsense')).stdout).toBe('code 2\n');
    expect(shell(`rm -f "${home.folder}/p"; ${script('$S connect cursor')}`).stdout).toMatch(
      /sallyport-mcp[\s\S]*code 0\n$/,
    );
  });

  test('the bridge keeps answering', () => {
    const ran = shell(`cd "${home.folder}"; ${closed('$B', 2)}`, { input: list });
    expect(
      ran.stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).id),
    ).toEqual([1, 2]);
    expect(ran.code).toBe(0);
  });

  needs(existsSync('/dev/full') ? null : '/dev/full').test('a full disk is reported', () => {
    expect(shell('$S connect cursor --json >/dev/full')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('sallyport: The answer could not be written (ENOSPC).\n'),
    });
    expect(shell('$S nonsense 2>/dev/full').code).toBe(2);
  });
});

test('the bridge says what it is, to anybody who asks', () => {
  expect(shell('$B --help')).toEqual({ code: 0, stdout: expect.stringContaining('AI clients start it'), stderr: '' });
});
