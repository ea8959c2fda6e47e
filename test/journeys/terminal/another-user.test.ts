/**
 * Root, as sudo makes it, in the home folder of a person, and people in each other's: nothing is
 * made there, and the sentence says whose it is.
 */

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { needsRoot } from '../../needs.ts';
import { daemonsOf } from '../../servers/daemons.ts';
import { executable } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

/** `nobody`, whose home this test makes. */
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
  for (const pid of daemons()) process.kill(pid, 'SIGTERM');
  await until(() => daemons().length === 0, 'its daemons have ended');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** As sudo starts it where it leaves HOME as it was. */
function run(words: readonly string[], uid: number, environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: userHome, ...environment };
  const child = spawn(executable, words, { cwd: '/', env, uid, gid: uid });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += text));
  return new Promise(resolve => child.once('close', code => resolve({ code, said })));
}

needsRoot.test(
  'root makes nothing in the home folder of a person, whatever it is asked to start or keep there',
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
  'the daemon of another user is told to be theirs, to root and to people, not to be none',
  async () => {
    expect(await run(['start'], person)).toMatchObject({ code: 0 });
    const asRoot = await run(['status'], 0);
    expect(asRoot).toEqual({ code: 1, said: expect.stringContaining(`${home} belongs to another user`) });
    // The folder is theirs alone, so a stranger sees no further than to it.
    const asStranger = await run(['status'], stranger, { HOME: '/', SALLYPORT_HOME: home });
    expect(asStranger.said).toContain(
      `${join(userHome, '.local')} belongs to another user; only that user can run Sallyport there`,
    );
    expect(asStranger.said).not.toContain('not running');
    // Whose HOME it still is, as under `su -m`: nobody is told to make it theirs.
    const withTheirHome = await run(['status'], stranger);
    expect(withTheirHome.said).toContain('belongs to another user; only that user can run Sallyport there');
    expect((await run(['stop'], person)).code).toBe(0);
  },
  60_000,
);

needsRoot.test(
  'under sudo, with root’s own home, root’s Sallyport is the one that is not running',
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
  'a folder of root in the way is named by every command, with what to do, and breaks none',
  async () => {
    mkdirSync(join(userHome, '.local'), { mode: 0o700 });
    for (const words of [['doctor'], ['status'], ['start']]) {
      const { code, said } = await run(words, person);
      expect([words, code]).not.toEqual([words, 0]);
      expect(said).not.toContain('did not foresee');
      const place = join(userHome, '.local');
      expect([words, said]).toEqual([words, expect.stringContaining(`${place} belongs to another user`)]);
      expect(said.replace(/\s+/g, ' ')).toContain(`sudo chown -R "$USER" ${place}`);
    }
  },
  60_000,
);

needsRoot.test(
  'SALLYPORT_HOME that no shell has read: ~/ is the home folder, and a folder from here is refused',
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
