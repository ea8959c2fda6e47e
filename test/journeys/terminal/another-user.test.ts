/**
 * Root, through sudo, uses the home folder of a person, and people use each other's: nothing is
 * created there, and the sentence names the owner.
 */

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { needsRoot } from '../../needs.ts';
import { daemonsOf, signalEach } from '../../servers/daemons.ts';
import { executable } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

/** `nobody`, with a home from this test. */
const person = 65_534;
const stranger = 65_533;

let folder: string;
let userHome: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/sallyport-another-user-');
  chmodSync(folder, 0o755);
  userHome = join(folder, 'ada');
  home = join(userHome, '.local', 'share', 'sallyport');
  mkdirSync(userHome, { mode: 0o755 });
  chownSync(userHome, person, person);
});
afterEach(async () => {
  const daemons = daemonsOf(home);
  signalEach(daemons(), 'SIGTERM');
  await until(() => daemons().length === 0, 'its daemons have ended');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** As sudo runs it when it leaves HOME unchanged. */
function run(words: readonly string[], uid: number, environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: userHome, ...environment };
  const child = spawn(executable, words, { cwd: '/', env, uid, gid: uid });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += text));
  return new Promise(resolve => child.once('close', code => resolve({ code, said })));
}

needsRoot.test(
  'root makes nothing in the home folder of a person, whatever it should start or store there',
  async () => {
    const commands = [
      ['start'],
      ['start', '--foreground'],
      ['restart'],
      ['stop', '--until-login'],
      ['doctor'],
      ['status'],
    ];
    for (const words of [...commands, ['service', 'install'], ['demo'], ['init', '--unattended', '/dev/null']]) {
      const { code, said } = await run(words, 0);
      expect([words, code]).not.toEqual([words, 0]);
      if (words[0] !== 'init')
        expect([words, said]).toEqual([words, expect.stringContaining('belongs to another user')]);
      if (words[0] !== 'init' && words[0] !== 'doctor') expect(said).toContain('run this as that user, without sudo');
    }
    expect(readdirSync(userHome)).toEqual([]);
  },
  120_000,
);

needsRoot.test(
  'the daemon of another user is reported as theirs, to root and to people, not as missing',
  async () => {
    expect(await run(['start'], person)).toMatchObject({ code: 0 });
    const asRoot = await run(['status'], 0);
    expect(asRoot).toEqual({ code: 1, said: expect.stringContaining(`${home} belongs to another user`) });
    // Only the owner can enter the folder, so a stranger sees just that it is there.
    const asStranger = await run(['status'], stranger, { HOME: '/', SALLYPORT_HOME: home });
    expect(asStranger.said).toContain(
      `${join(userHome, '.local')} belongs to another user; only that user can run Sallyport there`,
    );
    expect(asStranger.said).not.toContain('not running');
    // HOME is still theirs, as under `su -m`: nobody is told to take it over.
    const withTheirHome = await run(['status'], stranger);
    expect(withTheirHome.said).toContain('belongs to another user; only that user can run Sallyport there');
    expect((await run(['stop'], person)).code).toBe(0);
  },
  60_000,
);

needsRoot.test(
  'under sudo, with root’s own home, root’s Sallyport is the one that isn’t running',
  async () => {
    const { code, said } = await run(['status'], 0, { HOME: folder, SUDO_USER: 'ada' });
    expect({ code, said }).toEqual({
      code: 69,
      said: 'sallyport: Sallyport is not running for root; run this without sudo to reach the one of ada.\n',
    });
    expect((await run(['status'], 0, { HOME: folder })).said).toBe(
      'sallyport: Sallyport is not running; `sallyport start` starts it.\n',
    );
  },
  60_000,
);

needsRoot.test(
  'each command names a root folder in the way, with what to do, and none crashes',
  async () => {
    mkdirSync(join(userHome, '.local'), { mode: 0o700 });
    for (const words of [['doctor'], ['status'], ['start']]) {
      const { code, said } = await run(words, person);
      expect([words, code]).not.toEqual([words, 0]);
      expect(said).not.toContain('unexpected error');
      const place = join(userHome, '.local');
      expect([words, said]).toEqual([words, expect.stringContaining(`${place} belongs to another user`)]);
      expect(said.replace(/\s+/g, ' ')).toContain(`sudo chown -R "$USER" ${place}`);
    }
  },
  60_000,
);

needsRoot.test(
  'SALLYPORT_HOME that no shell expanded: ~/ is the home folder, and a relative folder is refused',
  async () => {
    const { code, said } = await run(['start'], person, { SALLYPORT_HOME: '~/sp' });
    expect({ code, said }).toMatchObject({ code: 0 });
    home = join(userHome, 'sp');
    expect(existsSync(join(home, 'sallyport.db'))).toBe(true);
    expect((await run(['stop'], person, { SALLYPORT_HOME: home })).code).toBe(0);
    for (const words of [['start'], ['status'], ['connect', 'cursor'], ['doctor']])
      expect(await run(words, person, { SALLYPORT_HOME: 'sp' })).toEqual({
        code: 1,
        said: 'sallyport: SALLYPORT_HOME is "sp", which is not a whole path; begin it with / or ~/.\n',
      });
    expect(readdirSync(userHome).toSorted()).toEqual(['sp']);
  },
  60_000,
);
