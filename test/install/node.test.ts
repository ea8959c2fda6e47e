/**
 * The Node that `make` gets from npm if the machine's own is too old: when, which, and its message
 * if it can't.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Place, root } from './installed.ts';
import { needsOlderNode, olderNode } from './older-node.ts';

const script = join(root, 'bridge/packaging/node.sh');
const lock = join(root, 'bridge/packaging/node');

let place: Place;
let bin: string;
beforeEach(() => {
  place = new Place();
  bin = join(place.folder, 'bin');
  mkdirSync(bin);
  for (const name of ['sh', 'uname', 'dirname', 'cp', 'mkdir', 'cat', 'touch', 'sleep'])
    symlinkSync(join('/bin', name), join(bin, name));
});
afterEach(() => place.clean());

/** Runs with only that PATH. */
function ran(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('/bin/sh', [script, ...words], {
    cwd: place.folder,
    env: { PATH: bin },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function program(name: string, text: string): void {
  // The file there may be a link to the machine's own.
  rmSync(join(bin, name), { force: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755, flag: 'wx' });
}

test('a machine whose Node is new enough needs none, and one without Node does', () => {
  expect(ran('wanted')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^build\/node\/.*\/bin\/node\n$/) });
  symlinkSync(process.execPath, join(bin, 'node'));
  expect(ran('wanted')).toEqual({ status: 0, stdout: '', stderr: '' });
});

needsOlderNode.test(
  'an older one: without npm, or if npm has none for the machine, a sentence says what to install',
  () => {
    symlinkSync(olderNode(), join(bin, 'node'));
    const into = join(place.folder, 'into');
    expect(ran('wanted').stdout).toMatch(/^build\/node\/node_modules\/node-[\w-]+\/bin\/node\n$/);
    const begins = /^Sallyport needs Node 24\.15 or newer, here is v\d+\.\d+\.\d+, and /;
    const withoutNpm = ran('fetch', lock, into);
    expect(withoutNpm.status).toBe(1);
    expect(withoutNpm.stderr).toMatch(begins);
    expect(withoutNpm.stderr).toMatch(/there is no npm to fetch one with: install npm, or a newer Node\.\n$/);
    program('npm', 'echo "npm error network" >&2; exit 1');
    expect(ran('fetch', lock, into)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^npm error network\n.* npm could not fetch one: /),
    });
    program('uname', 'echo Plan9');
    expect(ran('fetch', lock, into).stderr).toMatch(/npm has none for this kind of machine: install a newer Node\.\n$/);
  },
  60_000,
);

test('one from npm that doesn’t run here is reported', () => {
  const into = join(place.folder, 'into');
  const file = ran('file', into).stdout.trim();
  program('npm', ':');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect(ran('fetch', lock, into)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("doesn't run on this machine"),
  });
});

test('each kind of machine has one exact version, new enough, and only this one’s was fetched', () => {
  const { optionalDependencies: versions } = JSON.parse(readFileSync(join(lock, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(lock, 'package-lock.json'), 'utf8'));
  expect(Object.keys(versions)).toHaveLength(4);
  for (const [name, version] of Object.entries<string>(versions)) {
    const { os, cpu, integrity, version: locked } = packages[`node_modules/${name}`];
    expect([locked, typeof os, typeof cpu, integrity]).toEqual([
      version,
      'string',
      'string',
      expect.stringMatching(/^sha512-/),
    ]);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    expect(major > 24 || (major === 24 && minor >= 15)).toBe(true);
  }
  const fetched = join(root, 'build/node/node_modules');
  if (existsSync(fetched)) expect(readdirSync(fetched).filter(name => name.startsWith('node-'))).toHaveLength(1);
});
