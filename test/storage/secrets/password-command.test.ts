/** The command that prints a password, as real shells and their children run it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { passwordCommands } from '../../../daemon/storage/secrets/password-command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-password-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function ended(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await sleep(20);
  return !isAlive(pid);
}

/** A child of the shell that holds its output open, and writes its own number down. */
const withChild = () => `sh -c 'echo $$ >${folder}/pid; exec sleep 300' & wait`;
async function childOf(): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      if (pid > 0) return pid;
    } catch {
      // It hasn't begun.
    }
    await sleep(10);
  }
}

test('its last line break is not of the password, nor what it writes to stderr', async () => {
  const { run } = passwordCommands();
  expect(await run(`echo careful >&2; printf ' a b \\r\\n'`)).toBe(' a b ');
});

test('those who ask while it runs share one answer, and the next one asks anew', async () => {
  const { run } = passwordCommands();
  const count = `echo x >>${folder}/runs; sleep 0.2; wc -l <${folder}/runs`;
  const answers = await Promise.all([run(count), run(count), run(count)]);
  expect(answers.map(Number)).toEqual([1, 1, 1]);
  expect(Number(await run(count))).toBe(2);
});

test('one that runs on is ended with its children', async () => {
  const { run } = passwordCommands(1);
  const asked = run(withChild());
  const child = await childOf();
  await expect(asked).rejects.toThrow('the password command gave no password within 1 s');
  expect(await ended(child)).toBe(true);
});

test('and so it is where Sallyport stops', async () => {
  const commands = passwordCommands();
  const asked = commands.run(withChild());
  const child = await childOf();
  commands.close();
  await expect(asked).rejects.toThrow('the password command was ended by SIGKILL');
  expect(await ended(child)).toBe(true);
});

test('the person learns what it wrote, cut and safe to show; the message has none of it', async () => {
  const script = join(folder, 'op');
  writeFileSync(
    script,
    '#!/bin/sh\nprintf "\\033[2Jvault is locked\\nsecond " >&2\nhead -c 9000 /dev/zero | tr "\\0" a >&2\nexit 6\n',
  );
  const failure = await passwordCommands()
    .run(`sh ${script}`)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    message: 'the password command ended with exit code 6',
    toPerson: expect.stringMatching(
      /^the password command ended with exit code 6\. It wrote: \\u\{1b\}\[2Jvault is locked\nsecond a{1900,2100}$/,
    ),
  });
});

test('a flood of output is no password', async () => {
  const failed = passwordCommands().run('yes');
  await expect(failed).rejects.toThrow('the password command printed more than a password');
});
