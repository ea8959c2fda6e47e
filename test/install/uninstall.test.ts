/**
 * `make uninstall` in its four states: the daemon running or not, typed by its owner or with sudo.
 * Also without rights, and what it says about the files that stay. During the test the person is a
 * user of this machine.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { missingPrograms, needs, needsRoot } from '../needs.ts';
import { Place, shell } from './installed.ts';

const missing = missingPrograms(['useradd', 'userdel', 'su'], '');
const canRun = process.getuid?.() !== 0 ? needsRoot : needs(missing);

const person = `sp-test-${process.pid}`;
const uid = 50_000 + (process.pid % 5_000);
let place: Place;
let source: string;
let prefix: string;
let userHome: string;

beforeAll(() => {
  if (process.getuid?.() !== 0 || missing !== null) return;
  place = new Place();
  chmodSync(place.folder, 0o755);
  userHome = join(place.folder, 'ada');
  execFileSync('useradd', [
    '--uid',
    String(uid),
    '--home-dir',
    userHome,
    '--create-home',
    '--shell',
    '/bin/sh',
    person,
  ]);
  source = place.copyOfProject();
  chmodSync(join(source, '..'), 0o755);
  prefix = join(place.folder, 'usr');
});
afterAll(async () => {
  if (place === undefined) return;
  for (const pid of processesOfPerson()) process.kill(pid, 'SIGKILL');
  await place.clean();
  execFileSync('userdel', [person]);
});

/** Without processes that have ended but aren't reaped. */
function processesOfPerson(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      try {
        return statSync(`/proc/${pid}`).uid === uid && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
      } catch {
        return false;
      }
    });
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** Runs as root; with sudo if the person typed it. */
function ended(file: string, words: readonly string[], environment: object = {}, cwd = source): Ended {
  const { status, stdout, stderr } = spawnSync(file, words, {
    cwd,
    env: { ...shell, ...environment },
    encoding: 'utf8',
  });
  return { code: status, said: `${stdout}${stderr}` };
}

const installer = (what: string, environment: object = {}): Ended =>
  ended('sh', ['bridge/packaging/place.sh', what, prefix], environment);
const asPerson = (line: string, cwd = userHome): Ended => ended('su', [person, '-c', line], { PATH: shell.PATH }, cwd);
const command = (words: string): Ended => asPerson(`${prefix}/bin/sallyport ${words}`);
const underSudo = { SUDO_USER: person, HOME: '/root' };

beforeEach(() => {
  if (place === undefined) return;
  expect(installer('install')).toMatchObject({ code: 0 });
  chownSync(prefix, 0, 0);
});

/** The owners of all files in the person's home folder. */
function ownersAtHome(): number[] {
  const files = readdirSync(userHome, { recursive: true, encoding: 'utf8' });
  return [...new Set(files.map(file => statSync(join(userHome, file), { throwIfNoEntry: false })?.uid ?? uid))];
}

canRun.test(
  'under sudo, the daemon running: the daemon, the entry and the service are the person’s, and no file of root’s stays with them',
  () => {
    mkdirSync(join(userHome, '.cursor'), { recursive: true });
    writeFileSync(join(userHome, '.cursor', 'mcp.json'), '{\n  "mcpServers": {}\n}\n');
    for (const path of ['.cursor', '.cursor/mcp.json']) chownSync(join(userHome, path), uid, uid);
    expect(command('start')).toMatchObject({ code: 0 });
    expect(command('connect cursor --write')).toMatchObject({ code: 0 });
    const home = join(userHome, '.local', 'share', 'sallyport');
    expect(processesOfPerson()).toHaveLength(1);
    const { code, said } = installer('uninstall', underSudo);
    const file = join(userHome, '.cursor', 'mcp.json');
    expect({ code, said }).toEqual({
      code: 0,
      said: [
        'These AI clients have an entry "sallyport":',
        `  cursor: ${file}`,
        `Kept: the entry "sallyport" in ${file}`,
        "Each client will say that it can't start Sallyport.",
        'While Sallyport is installed, `sallyport connect CLIENT --remove` takes an entry out. Afterwards, take it out by hand.',
        'Stopped Sallyport, which was running.',
        `Your connections, passwords, settings and log stay in ${home}. To be rid of them: rm -r ${home}`,
        `A copy of a client's file stays: ${file}.before-sallyport`,
        `Removed ${prefix}/lib/sallyport and its commands in ${prefix}/bin.`,
        '',
      ].join('\n'),
    });
    expect(processesOfPerson()).toEqual([]);
    expect(existsSync(prefix)).toBe(false);
    expect(ownersAtHome()).toEqual([uid]);
  },
  120_000,
);

canRun.test(
  'under sudo, no daemon running; the command itself is the person’s to type',
  () => {
    const typed = ended(join(prefix, 'bin/sallyport'), ['uninstall'], underSudo);
    expect(typed).toEqual({ code: 1, said: expect.stringContaining(`so that it finds what is ${person}'s`) });
    expect(existsSync(join(prefix, 'bin/sallyport'))).toBe(true);
    const { code, said } = installer('uninstall', underSudo);
    expect(said).toContain(`Removed ${prefix}/lib/sallyport`);
    expect(said).not.toMatch(/Stopped|still runs|not running/);
    expect(code).toBe(0);
  },
  60_000,
);

canRun.test(
  'by root itself, without a daemon of root’s: a person’s daemon that runs from there is named',
  () => {
    expect(command('start')).toMatchObject({ code: 0 });
    const { code, said } = installer('uninstall', { SALLYPORT_HOME: place.home });
    expect(said).toMatch(
      /^Process \d+ of \S+ still runs from .*\/lib\/sallyport, which is removed now\. End it: kill \d+$/m,
    );
    expect({ code, isThere: existsSync(prefix) }).toEqual({ code: 0, isThere: false });
    expect(said).toMatch(/^Connections, passwords and settings of whoever used it stay in their home folders/m);
    for (const pid of processesOfPerson()) process.kill(pid, 'SIGTERM');
  },
  60_000,
);

canRun.test(
  'without rights neither starts, and the sentence names both ways',
  () => {
    const before = readdirSync(prefix, { recursive: true }).length;
    for (const what of ['install', 'uninstall']) {
      const { code, said } = asPerson(`sh bridge/packaging/place.sh ${what} ${prefix}`, source);
      expect({ code, said }).toEqual({
        code: 1,
        said: `You can't write to ${prefix}/lib, so nothing was changed. Use \`sudo make ${what}\`, or a folder of your own: make ${what} PREFIX="$HOME/.local"\n`,
      });
    }
    expect(readdirSync(prefix, { recursive: true })).toHaveLength(before);
  },
  60_000,
);

canRun.test(
  'by a person in a folder of their own, the daemon running and not',
  () => {
    prefix = join(userHome, '.local');
    for (const starts of [true, false]) {
      expect(asPerson(`sh bridge/packaging/place.sh install ${prefix}`, source)).toMatchObject({ code: 0 });
      if (starts) expect(command('start')).toMatchObject({ code: 0 });
      const { code, said } = asPerson(`sh bridge/packaging/place.sh uninstall ${prefix}`, source);
      expect([code, /^Stopped Sallyport/m.test(said)]).toEqual([0, starts]);
    }
  },
  120_000,
);

canRun.test('a program that runs as the person under sudo gets its words unchanged', () => {
  const words = ['printf', '%s|', 'a b', "it's", '$HOME', '"', '\\', ''];
  const { said } = ended('sh', ['bridge/packaging/as-person.sh', ...words], underSudo);
  expect(said).toBe(`${words.slice(2).join('|')}|`);
  expect(ended('sh', ['bridge/packaging/as-person.sh', 'sh', '-c', 'echo $(id -u) $HOME'], underSudo).said).toBe(
    `${uid} ${userHome}\n`,
  );
});
