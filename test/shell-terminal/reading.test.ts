/**
 * What the terminal shell reads: durations and words, passwords from stdin, the shell's secret,
 * whether a process lives.
 */

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive } from '../../shared/process-alive.ts';
import { CliError } from '../../shell-terminal/cli-error.ts';
import { keychainItem } from '../../shell-terminal/keychain-item.ts';
import { secretFromStdin } from '../../shell-terminal/password.ts';
import { findShellSecret, readShellSecret } from '../../shell-terminal/shell-secret.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';
import {
  durationSeconds,
  expiryWords,
  externalClientsWords,
  meaningOf,
  scopeWords,
  wholeNumber,
  wordFor,
} from '../../shell-terminal/words.ts';
import { until } from '../waiting/until.ts';

describe('words', () => {
  test.each([
    ['90s', 90],
    ['30m', 1_800],
    ['1h', 3_600],
    ['2d', 172_800],
    ['1h30m', 5_400],
  ])('%s', (typed, seconds) => expect(durationSeconds('for', typed)).toBe(seconds));

  test.each(['', '0s', '1', 'h', '-1h', '1.5h', '1h ', '1w', '9999999s', '1h30'])('%j is no duration', typed => {
    expect(() => durationSeconds('for', typed)).toThrow('--for must be a duration');
  });

  test('mean the daemon’s words, which are accepted too', () => {
    expect(meaningOf('scope', scopeWords, 'read-only')).toBe('readOnly');
    expect(meaningOf('scope', scopeWords, 'fullAccess')).toBe('fullAccess');
    expect(meaningOf('expires', expiryWords, '30')).toBe(30);
    expect(wordFor(externalClientsWords, 'readWrite')).toBe('read-write');
    for (const typed of ['', 'READ-ONLY', 'constructor', '__proto__']) {
      expect(() => meaningOf('scope', scopeWords, typed)).toThrow(CliError);
    }
    expect(() => wholeNumber('timeout', '1e3')).toThrow('whole number');
  });
});

describe('a password typed unseen', () => {
  function typist() {
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      raw: [] as boolean[],
      setRawMode(on: boolean) {
        this.raw.push(on);
        return this;
      },
    });
    const stderr = new PassThrough();
    const terminal = { stdin, stderr } as unknown as Terminal;
    return {
      stdin,
      reading: secretFromStdin(terminal, '--password-stdin', 'Password: '),
      echoed: () => String(stderr.read() ?? ''),
    };
  }

  test('ends at Enter, with nothing echoed and the terminal as it was', async () => {
    const { stdin, reading, echoed } = typist();
    stdin.write('hunteX');
    stdin.write('\u007fr2 ü🦊\r');
    expect(await reading).toBe('hunter2 ü🦊');
    expect(echoed()).toBe('Password: \n');
    expect(stdin.raw).toEqual([true, false]);
  });

  test('Ctrl-U starts over, Ctrl-C gives up', async () => {
    const again = typist();
    again.stdin.write('wrong\u0015right\n');
    expect(await again.reading).toBe('right');
    const given = typist();
    given.stdin.write('hunter2\u0003');
    await expect(given.reading).rejects.toThrow('nothing was saved');
    expect(given.stdin.raw).toEqual([true, false]);
  });
});

describe('the shell’s secret', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync('/tmp/sallyport-shell-secret-test-');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const path = () => join(folder, 'secrets.json');
  const write = (content: unknown) =>
    writeFileSync(path(), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });

  test('is found only in a private file', () => {
    expect(readShellSecret(path())).toEqual({ kind: 'absent' });
    write({ version: 1, store: 's', secrets: { 'password/x': 'p' } });
    expect(readShellSecret(path())).toEqual({ kind: 'absent' });
    write({ version: 1, store: 's', secrets: { 'shell/secret': 'abc' } });
    expect(readShellSecret(path())).toEqual({ kind: 'found', secret: 'abc' });
    chmodSync(path(), 0o640);
    expect(readShellSecret(path())).toMatchObject({ kind: 'unusable', problem: expect.stringContaining('mode 640') });
    chmodSync(path(), 0o600);
    symlinkSync(path(), join(folder, 'link'));
    expect(readShellSecret(join(folder, 'link')).kind).toBe('unusable');
    chmodSync(folder, 0o777);
    expect(readShellSecret(path()).kind).toBe('unusable');
  });

  test.each(['', '{', 'null', '[]', '{"version":2,"secrets":{"shell/secret":"abc"}}'])(
    '%j isn’t in a known form',
    content => {
      write(content);
      expect(readShellSecret(path()).kind).toBe('unusable');
    },
  );
});

describe('if the home has it', () => {
  const store = '3f0e9a52-0000-4000-8000-000000000001';
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync('/tmp/sallyport-shell-secret-test-');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const locations = () => ({ secrets: join(folder, 'secrets.json'), storeRecord: join(folder, 'store.json') });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o600 });
  const noBus = () => ({ HOME: folder, DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/none` });

  test('is the file if the store says so', async () => {
    expect(await findShellSecret(locations(), noBus())).toEqual({ kind: 'absent' });
    write('secrets.json', JSON.stringify({ version: 1, store, secrets: { 'shell/secret': 'abc' } }));
    write('store.json', JSON.stringify({ version: 1, store, secrets: 'file' }));
    expect(await findShellSecret(locations(), noBus())).toEqual({ kind: 'found', secret: 'abc' });
  });

  test('is never the file if the store says keychain', async () => {
    write('secrets.json', JSON.stringify({ version: 1, store, secrets: { 'shell/secret': 'abc' } }));
    write('store.json', JSON.stringify({ version: 1, store, secrets: 'keychain' }));
    expect(await findShellSecret(locations(), noBus())).toMatchObject({
      kind: 'unusable',
      problem: expect.stringContaining("in the keychain, which can't be read"),
    });
  });

  test.each(['', '{', 'null', '{"version":2}', '{"version":1,"store":"../x","secrets":"keychain"}', '{"version":1}'])(
    '%j isn’t in a known form',
    async content => {
      write('store.json', content);
      expect((await findShellSecret(locations(), noBus())).kind).toBe('unusable');
    },
  );

  test.each([
    [
      'says that there is none',
      `process.on('message', () => process.send({ kind: 'done', value: null }))`,
      'it is locked, or it is not the one',
      'missing',
    ],
    ['is locked', `process.on('message', () => process.send({ kind: 'locked' }))`, 'it is locked', 'unusable'],
    ['says nothing', `setInterval(() => {}, 1000)`, 'no answer within 1 s', 'unusable'],
    ['ends', `process.exit(3)`, 'ended with code 3', 'unusable'],
  ])('a keychain that %s leaves no process and no secret', async (_, script, why, kind) => {
    const workerFile = join(folder, 'worker.cjs');
    writeFileSync(workerFile, script);
    const waitMilliseconds = why.startsWith('no answer') ? 1_000 : 15_000;
    const item = await keychainItem({ account: 'a', environment: noBus(), waitMilliseconds, workerFile });
    expect(item).toEqual({ kind, why: expect.stringContaining(why) });
  });
});

test('a process that ended isn’t alive, whether or not its parent reaped it', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const ended = new Promise(resolve => child.once('exit', resolve));
  expect(isAlive(pid)).toBe(true);
  child.kill('SIGKILL');
  await ended;
  expect(isAlive(pid)).toBe(false);
  // A shell that never waits keeps its child as a zombie.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const zombie = Number(await new Promise(resolve => parent.stdout.once('data', resolve)));
  await until(() => !isAlive(zombie), 'the zombie is seen as dead');
  parent.kill('SIGKILL');
});
