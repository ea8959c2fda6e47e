/**
 * The keychain's own process: if it hangs, dies or is missing, the result is one sentence, and
 * nothing keeps running.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { SecretStoreUnavailable } from '../../../daemon/access/secret-store.ts';
import { type Keychain, openKeychain } from '../../../daemon/storage/secrets/keychain-process.ts';
import { hasSessionBus } from '../../../daemon/storage/secrets/session-bus.ts';
import { type KeychainEnvironment, keychainEnvironment } from '../../../shared/keychain-call.ts';
import { programFile } from '../../../shared/programs.ts';
import { needsLinux } from '../../needs.ts';
import { until } from '../../waiting/until.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { describeWithKeychain, patient } from '../keychain-for-tests.ts';

const folder = temporaryFolder();
/** An address that can't be rejected by its form. */
const someBus = { DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=/sallyport-test' };
const opened: Keychain[] = [];

/** A program in the worker's place, for what no keychain does on demand. */
function withProgram(text: string): Keychain {
  const workerFile = join(folder, `worker-${opened.length}.cjs`);
  writeFileSync(workerFile, text);
  const keychain = openKeychain({ environment: someBus, limits: patient, workerFile });
  opened.push(keychain);
  return keychain;
}

afterEach(async () => {
  for (const keychain of opened) await keychain.close();
});

test('a process that a call kills is unavailable, and the next call gets another', async () => {
  const mark = join(folder, 'died-once');
  const keychain = withProgram(`
    const fs = require('node:fs');
    process.on('message', () => {
      if (fs.existsSync(${JSON.stringify(mark)})) return process.send({ kind: 'done', value: 'alive' });
      fs.writeFileSync(${JSON.stringify(mark)}, '');
      process.kill(process.pid, 'SIGSEGV');
    });`);
  await expect(keychain.get('a')).rejects.toThrow(/ended with SIGSEGV/);
  expect(await keychain.get('a')).toBe('alive');
});

test('a missing module is unavailable', async () => {
  const keychain = withProgram(
    `process.on('message', () => process.send({ kind: 'no_module', problem: 'Cannot find package' }));`,
  );
  const failure = keychain.get('a');
  await expect(failure).rejects.toThrow(SecretStoreUnavailable);
  await expect(failure).rejects.toThrow(/not installed/);
});

test('a missing program is unavailable', async () => {
  const keychain = openKeychain({ environment: someBus, limits: patient, workerFile: join(folder, 'nothing.cjs') });
  await expect(keychain.get('a')).rejects.toThrow(SecretStoreUnavailable);
});

needsLinux.test('without a session bus it is unavailable, and no process starts', async () => {
  const mark = join(folder, 'started');
  const workerFile = join(folder, 'marking.cjs');
  writeFileSync(workerFile, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  const keychain = openKeychain({ environment: { HOME: folder }, limits: patient, workerFile });
  await expect(keychain.set('a', 'b')).rejects.toThrow(
    "The keychain can't be used: it is reached by a session bus (D-Bus), and the daemon sees none: it looks where a login puts it, at /run/user/UID/bus, and not into a terminal's DBUS_SESSION_BUS_ADDRESS.",
  );
  await keychain.close();
  expect(existsSync(mark)).toBe(false);
});

test('a session bus is looked for in the same places as by GLib', () => {
  const runtime = join(folder, 'runtime');
  mkdirSync(join(folder, '.cache'));
  mkdirSync(runtime);
  const bus = join(runtime, 'bus');
  const none = `unix:path=${folder}/none`;
  const found = (environment: KeychainEnvironment) => hasSessionBus({ HOME: folder, ...environment });
  expect(found({ XDG_RUNTIME_DIR: runtime })).toBe(false);
  writeFileSync(bus, '');
  expect(found({ XDG_RUNTIME_DIR: runtime })).toBe(true);
  expect(found({ XDG_RUNTIME_DIR: '' })).toBe(false);
  expect(found({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus},guid=0f` })).toBe(true);
  expect(found({ DBUS_SESSION_BUS_ADDRESS: none, XDG_RUNTIME_DIR: runtime })).toBe(false);
  expect(found({ DBUS_SESSION_BUS_ADDRESS: `${none};unix:path=${bus}` })).toBe(true);
  for (const other of ['unix:abstract=/x', 'tcp:host=127.0.0.1,port=1', 'unix:path=/a%20b', 'autolaunch:'])
    expect(found({ DBUS_SESSION_BUS_ADDRESS: other })).toBe(true);
  expect(found({})).toBe(false);
  writeFileSync(join(folder, '.cache', 'bus'), '');
  expect(found({})).toBe(true);
});

test('the environment names a keychain and nothing else', () => {
  const given = {
    HOME: '/h',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
    SECRET_BACKEND: 'file',
    LD_PRELOAD: '/evil.so',
  };
  expect(keychainEnvironment(given)).toEqual({ HOME: '/h', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' });
});

/** A busy machine may need more than a call's one second just to start the process. */
const kept = (keychain: ReturnType<typeof openKeychain>, name: string): Promise<void> =>
  until(async () => {
    await keychain.set(name, 'value');
    return true;
  }, 'it is kept');

describeWithKeychain('the keychain process', under => {
  test('a bus without a listener is unavailable, reported in one sentence', async () => {
    const keychain = openKeychain({ environment: { HOME: folder, ...someBus }, limits: patient });
    const failure = keychain.get('a').catch((error: Error) => error.message);
    expect(await failure).toMatch(/^The keychain can't be used: (?!it is reached)[^\n]+\.$/);
    await keychain.close();
  });

  test('a keyring that doesn’t answer makes a call unavailable in time, the next at once, and is found again', async () => {
    const { service } = under();
    const keychain = under().open({ callSeconds: 1 });
    await kept(keychain, 'hang');
    service.pause();
    try {
      await expect(keychain.get('hang')).rejects.toThrow(/no answer within 1 s/);
      await expect(keychain.get('hang')).rejects.toThrow(/earlier call/);
    } finally {
      service.resume();
    }
    await until(async () => (await keychain.get('hang')) === 'value', 'the keyring is found again');
    await keychain.close();
  });

  test('a keyring that was restarted is found by the process that knew the old one', async () => {
    const { service } = under();
    const keychain = under().open();
    await keychain.set('restarted', 'value');
    const before = ourWorkers();
    await service.end();
    await service.begin('unlocked');
    expect(await keychain.get('restarted')).toBe('value');
    expect(ourWorkers()).toEqual(before);
    await keychain.close();
  });

  test('a stored secret is on the keyring’s disk, and the kernel’s memory doesn’t count', async () => {
    const { service } = under();
    const keychain = under().open();
    await keychain.set('kept', 'value');
    await service.end();
    await expect(keychain.set('kept', 'another')).rejects.toThrow(
      /^The keychain can't be used: .*org\.freedesktop\.secrets/,
    );
    await expect(keychain.get('kept')).rejects.toThrow(SecretStoreUnavailable);
    await service.begin('unlocked');
    expect(await keychain.get('kept')).toBe('value');
    await keychain.close();
  });

  test('three hundred calls in a row keep only a few connections open', async () => {
    const keychain = under().open();
    await keychain.set('often', 'value');
    for (let call = 0; call < 300; call += 1) expect(await keychain.get('often')).toBe('value');
    const [pid] = ourWorkers();
    expect(readdirSync(`/proc/${pid}/fd`).length).toBeLessThan(80);
    await keychain.close();
  }, 60_000);

  test('one that never answers is given up with its process', async () => {
    const { service } = under();
    const keychain = under().open({ callSeconds: 1, stuckSeconds: 1 });
    await kept(keychain, 'stuck');
    const before = ourWorkers();
    expect(before).toHaveLength(1);
    service.pause();
    try {
      await expect(keychain.get('stuck')).rejects.toThrow(/no answer/);
      expect(ourWorkers()).toEqual(before);
      await until(() => ourWorkers().length === 0, 'its process is gone');
    } finally {
      service.resume();
    }
    await until(async () => (await keychain.get('stuck')) === 'value', 'the keyring is found again');
    await keychain.close();
  });

  test('an idle process is ended, and started again when it is needed', async () => {
    const keychain = under().open({ idleSeconds: 0.2 });
    await keychain.set('rest', 'value');
    expect(ourWorkers()).toHaveLength(1);
    await until(() => ourWorkers().length === 0, 'the process at rest is ended');
    expect(await keychain.get('rest')).toBe('value');
  });

  test.each(['exit', 'kill'])('the process ends with the daemon, even during a call (%s)', async how => {
    const { service } = under();
    const daemon = join(folder, `daemon-${how}.cjs`);
    const told = join(folder, `pid-${how}`);
    writeFileSync(
      daemon,
      `const { fork } = require('node:child_process');
      const child = fork(process.argv[2], [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      require('node:fs').writeFileSync(process.argv[3], String(child.pid));
      child.send({ call: 'get', account: 'a' });
      setTimeout(() => ${how === 'exit' ? 'process.exit(0)' : "process.kill(process.pid, 'SIGKILL')"}, 500);`,
    );
    service.pause();
    try {
      try {
        execFileSync(process.execPath, [daemon, programFile('keychain-worker'), told], {
          env: { ...service.environment },
        });
      } catch (error) {
        expect(how).toBe('kill');
        expect(error).toMatchObject({ signal: 'SIGKILL' });
      }
      const pid = Number(readFileSync(told, 'utf8'));
      expect(pid).toBeGreaterThan(1);
      await until(() => !running().some(row => row.pid === pid), 'it has ended with the daemon');
    } finally {
      service.resume();
    }
  });
});

/** Keychain processes that this test file's own process started. */
function ourWorkers(): readonly number[] {
  return running()
    .filter(({ parent }) => parent === process.pid)
    .map(({ pid }) => pid);
}

function running(): readonly { readonly pid: number; readonly parent: number }[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=', '-o', 'ppid=', '-o', 'stat=', '-o', 'args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const rows = listed.split('\n').filter(row => row.includes(basename(programFile('keychain-worker'))));
  return rows
    .map(row => row.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}
