/**
 * `sallyport service` with a real user manager of systemd: logins, crashes, stops, a daemon that
 * already runs (spec §16).
 */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemdUnit } from '../../../shell-terminal/service/systemd-unit.ts';
import { pause } from '../../bridge/bridge-process.ts';
import { needs } from '../../needs.ts';
import { hangFolder, missingForHangingFolder } from '../../servers/hanging-folder.ts';
import { executable } from '../../shell-terminal/real-home.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { missingForUserManager, type UserManager, userManager } from './user-manager.ts';

const minutes = 120_000;

needs(missingForUserManager()).describe('with systemd', () => {
  let user: UserManager;
  beforeEach(async () => {
    user = userManager();
    await user.logIn();
  }, minutes);
  afterEach(() => user.stop(), minutes);

  const sallyport = (...words: string[]) => user.run(executable, words);
  const systemctl = (...words: string[]) => user.run('systemctl', ['--user', ...words]);
  const unit = () => join(user.userHome, '.config/systemd/user/sallyport.service');
  const home = () => join(user.userHome, '.local/share/sallyport');
  const pidOf = async (): Promise<number> => JSON.parse((await sallyport('status', '--json')).stdout).pid;
  const log = (): string => readFileSync(join(home(), 'logs', 'sallyportd.log'), 'utf8');
  /** From the handshake, read from outside: each program inside takes a tenth of a second. */
  const named = (): string => String(JSON.parse(readFileSync(join(home(), 'mcp-handshake.json'), 'utf8')).pid);
  const runs = async (otherThan: string): Promise<void> =>
    until(
      async () => {
        if (named() === otherThan) return false;
        const pid = await user.property('MainPID');
        return pid !== '0' && pid !== otherThan && (await pidOf()) === Number(pid);
      },
      'it runs',
      30,
    );

  test(
    'installed, crashed, stopped, started, uninstalled',
    async () => {
      const installed = await sallyport('service', 'install');
      expect(installed.code).toBe(0);
      expect(installed.stdout).toContain(`Sallyport starts when you log in: ${unit()}`);
      expect((await systemctl('is-enabled', 'sallyport')).stdout).toBe('enabled\n');
      const first = await user.property('MainPID');
      expect(installed.stdout).toContain(`It runs now (process ${first})`);
      expect(await pidOf()).toBe(Number(first));
      const again = await sallyport('service', 'install');
      expect([again.code, again.stdout]).toEqual([0, installed.stdout]);
      expect(await user.property('MainPID')).toBe(first);

      expect((await user.run('kill', ['-9', first])).code).toBe(0);
      await runs(first);
      expect(await user.property('NRestarts')).toBe('1');
      expect(log().match(/"msg":"ready"/g)).toHaveLength(2);

      expect((await sallyport('stop')).stdout).toMatch(/^Sallyport has stopped\./);
      // If systemd started it again, that would happen a second after its end.
      await pause(1_300);
      expect([await user.property('ActiveState'), await user.property('Result')]).toEqual(['inactive', 'success']);
      expect(existsSync(join(home(), 'mcp-handshake.json'))).toBe(false);

      expect((await sallyport('start')).code).toBe(0);
      await runs('0');
      const toStop = performance.now();
      expect((await systemctl('stop', 'sallyport')).code).toBe(0);
      // It isn't killed, which would happen after ten.
      expectWithin(toStop, 9_000);
      expect(await user.property('Result')).toBe('success');
      expect(existsSync(join(home(), 'mcp-handshake.json'))).toBe(false);

      expect((await sallyport('start')).code).toBe(0);
      const removed = await sallyport('service', 'uninstall');
      expect([removed.code, removed.stdout.includes(`Removed ${unit()}\n`)]).toEqual([0, true]);
      expect(await user.property('LoadState')).toBe('not-found');
      expect((await sallyport('status')).code).toBe(69);
      expect(existsSync(join(user.userHome, '.config'))).toBe(false);
      expect((await sallyport('service', 'uninstall')).stdout).toBe('Nothing was installed.\n');
    },
    minutes,
  );

  needs(missingForHangingFolder()).test(
    'stopped while it waits for a disk that hangs, or until the next login, it isn’t started again',
    async () => {
      const hung = join(user.folder, 'hung');
      mkdirSync(hung);
      await user.logOut();
      const answers = await hangFolder(hung);
      try {
        await user.logIn();
        await sallyport('service', 'install');
        await runs('0');
        const added = await sallyport('connections', 'add', `sqlite://${hung}/shop.db`, '--name', 'Hung');
        expect(added.stderr.replace(/\s+/g, ' ')).toContain("doesn't answer");
        expect((await sallyport('stop')).stdout).toMatch(/^Sallyport has stopped\./);
        // If systemd started it again, that would happen a second after its end.
        await pause(1_300);
        const state = async () => [await user.property('ActiveState'), await user.property('Result')];
        expect([...(await state()), await user.property('NRestarts')]).toEqual(['inactive', 'success', '0']);

        await sallyport('start');
        await runs('0');
        expect((await sallyport('stop', '--until-login')).code).toBe(0);
        // As systemd does after a kill.
        await systemctl('start', 'sallyport');
        await until(async () => (await user.property('ActiveState')) === 'inactive', 'it has ended', 10);
        expect([...(await state()), (await sallyport('status')).code]).toEqual(['inactive', 'success', 69]);
        expect((await sallyport('start')).code).toBe(0);
      } finally {
        await answers();
      }
    },
    minutes,
  );

  test(
    'a login starts it, and an unchanged install survives it',
    async () => {
      await sallyport('service', 'install');
      await user.logOut();
      await user.logIn();
      await runs('0');
    },
    minutes,
  );

  test(
    'if one runs already the unit gives way to it, once, and takes over when it is gone',
    async () => {
      expect((await sallyport('start')).code).toBe(0);
      const pid = await pidOf();
      const installed = await sallyport('service', 'install');
      expect(installed.stderr.replace(/\s+/g, ' ')).toContain(`Another Sallyport runs already (process ${pid})`);
      await until(async () => (await user.property('ActiveState')) === 'inactive', 'the unit has given way', 30);
      expect([await user.property('Result'), await user.property('NRestarts')]).toEqual(['success', '0']);
      expect(await pidOf()).toBe(pid);
      await sallyport('stop');
      await sallyport('start');
      await runs('0');
    },
    minutes,
  );

  test(
    'one that can never start isn’t started for ever',
    async () => {
      await user.run('mkdir', ['-p', dirname(home())]);
      await user.run('sh', ['-c', 'echo not a folder > "$1"', 'sh', home()]);
      const installed = await sallyport('service', 'install');
      expect(installed).toMatchObject({ code: 1, stderr: expect.stringContaining('sallyport start --foreground') });
      await until(
        async () => {
          await pause(500);
          return (await user.property('ActiveState')) === 'failed';
        },
        'systemd gives up',
        60,
      );
      expect(Number(await user.property('NRestarts'))).toBeLessThanOrEqual(5);
      expect(await user.journal()).toMatch(/^sallyportd could not start: /);
      expect((await sallyport('service', 'uninstall')).code).toBe(0);
      expect(await user.property('ActiveState')).toBe('inactive');
    },
    minutes,
  );

  test(
    'a path with characters that systemd interprets',
    async () => {
      // Node itself can't load a module from a path with a backslash.
      const place = join(user.folder, 'it\'s "100%" $HOME größe');
      mkdirSync(place);
      const root = dirname(dirname(dirname(executable)));
      for (const part of ['bin', 'bundle'])
        cpSync(join(root, 'build', part), join(place, 'build', part), { recursive: true });
      cpSync(join(root, 'package.json'), join(place, 'package.json'));
      symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
      execFileSync('chmod', ['-R', 'a+rX', place]);
      const installed = await user.run(join(place, 'build/bin/sallyport'), ['service', 'install']);
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      expect(installed.stdout).toContain('It runs now');
      const daemon = await user.property('MainPID');
      expect((await user.run('cat', [`/proc/${daemon}/cmdline`])).stdout).toContain(
        join(place, 'build/bin/sallyportd'),
      );
    },
    minutes,
  );

  test(
    'each word of the command reaches the program unchanged',
    async () => {
      const program = join(user.folder, 'a\\n "b" $HOME %h');
      const words = ['a\\n "b" $HOME $$ %h %%', "it's", ' ', ''];
      writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@" > ${user.userHome}/words\n`, { mode: 0o755 });
      await user.run('mkdir', ['-p', dirname(unit())]);
      writeFileSync(unit(), systemdUnit([program, ...words]));
      expect(await systemctl('start', 'sallyport')).toMatchObject({ code: 0, stderr: '' });
      await until(() => existsSync(join(user.userHome, 'words')), 'it wrote them');
      await until(async () => (await user.property('ActiveState')) === 'inactive', 'it ended');
      expect(readFileSync(join(user.userHome, 'words'), 'utf8')).toBe(words.map(word => `${word}|`).join(''));
    },
    minutes,
  );

  test(
    'another’s unit of that name is left alone',
    async () => {
      await user.run('mkdir', ['-p', dirname(unit())]);
      writeFileSync(unit(), '[Service]\nExecStart=/bin/true\n');
      expect(await sallyport('service', 'install')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('was not written by Sallyport'),
      });
      await sallyport('service', 'uninstall');
      expect(readFileSync(unit(), 'utf8')).toBe('[Service]\nExecStart=/bin/true\n');
    },
    minutes,
  );

  test(
    'without a manager it is written for the next login',
    async () => {
      const nowhere = { XDG_RUNTIME_DIR: '/nowhere', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
      const installed = await user.run(executable, ['service', 'install'], nowhere);
      expect(installed.code).toBe(0);
      expect(installed.stderr.replace(/\s+/g, ' ')).toMatch(/systemd did not start it now \(.+\)/);
      expect(lstatSync(join(dirname(unit()), 'default.target.wants', 'sallyport.service')).isSymbolicLink()).toBe(true);
      await user.logOut();
      await user.logIn();
      await runs('0');
      expect((await systemctl('is-enabled', 'sallyport')).stdout).toBe('enabled\n');
      expect(readdirSync(dirname(unit()))).toEqual(['default.target.wants', 'sallyport.service']);
    },
    minutes,
  );
});
