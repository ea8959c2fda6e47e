/** The command that prints a password, as real shells and their children run it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { passwordCommands } from '../../../daemon/storage/secrets/password-command.ts';
import { until } from '../../waiting/until.ts';

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

/** A child of the shell that keeps its output open and writes down its own process id. */
const withChild = () => `sh -c 'echo $$ >${folder}/pid; exec sleep 300' & wait`;
async function childOf(): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      if (pid > 0) return pid;
    } catch {
      // It hasn't started.
    }
    await sleep(10);
  }
}

test('the password doesn’t include its last line break, nor its stderr', async () => {
  const { run } = passwordCommands();
  expect(await run(`echo careful >&2; printf 'a b\\r\\n'`)).toBe('a b');
});

test('callers during its run share one answer, and the next one asks anew', async () => {
  const { run } = passwordCommands();
  const count = `echo x >>${folder}/runs; sleep 0.2; wc -l <${folder}/runs`;
  const answers = await Promise.all([run(count), run(count), run(count)]);
  expect(answers.map(Number)).toEqual([1, 1, 1]);
  expect(Number(await run(count))).toBe(2);
});

test('one that keeps running is ended with its children', async () => {
  const { run } = passwordCommands(1);
  const asked = run(withChild());
  const child = await childOf();
  await expect(asked).rejects.toThrow('the password command gave no password within 1 s');
  await until(() => !isAlive(child), 'the child has ended', 2);
});

test('and so it is when Sallyport stops', async () => {
  const commands = passwordCommands();
  const asked = commands.run(withChild());
  const child = await childOf();
  commands.close();
  await expect(asked).rejects.toThrow('the password command was ended by SIGKILL');
  await until(() => !isAlive(child), 'the child has ended', 2);
});

test('the person sees its output, cut and safe to show; the message has none of it', async () => {
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

const endsIn = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const counted = (): number => readFileSync(join(folder, 'runs'), 'utf8').length;

test('a password that says when it ends is kept until a minute before, any other isn’t', async () => {
  const { run } = passwordCommands();
  const printing = (expiresAt: string) =>
    `printf x >>${folder}/runs; printf '{"password":"p%s","expiresAt":"${expiresAt}"}\\n' $(wc -c <${folder}/runs)`;
  const soon = printing(endsIn(62));
  expect([await run(soon), await run(soon)]).toEqual(['p1', 'p1']);
  await sleep(2_100);
  expect(await run(soon)).toBe('p2');
  const ended = printing(endsIn(30));
  expect([await run(ended), await run(ended)]).toEqual(['p3', 'p4']);
  expect(counted()).toBe(4);
});

test('one that the server refused is asked for again once, however many were refused', async () => {
  const { run, another } = passwordCommands();
  const command = `printf x >>${folder}/runs; sleep 0.2; printf '{"password":"p%s","expiresAt":"${endsIn(900)}"}' $(wc -c <${folder}/runs)`;
  expect(await run(command)).toBe('p1');
  const anew = [another(command, 'p1'), another(command, 'p1'), another(command, 'p1')];
  expect(await Promise.all(anew)).toEqual(['p2', 'p2', 'p2']);
  // Refused late: there is a newer one by now.
  expect(await another(command, 'p1')).toBe('p2');
  expect(counted()).toBe(2);
});

test('one that was printed for the refused dial itself isn’t asked for again', async () => {
  const { run, another } = passwordCommands();
  const command = `printf x >>${folder}/runs; echo p1`;
  expect(await another(command, await run(command))).toBeNull();
  expect(counted()).toBe(1);
});

test.each([
  ['{"user":"anna","secret":"hunter2"}', 'the password command printed JSON without a text named password'],
  [
    '{"password":"hunter2","expiresAt":"2026-01-31 12:00"}',
    'the password command printed JSON whose expiresAt is no time such as "2026-01-31T12:00:00Z"',
  ],
])('incomplete JSON is refused, and not repeated: %s', async (printed, problem) => {
  const failure = await passwordCommands()
    .run(`printf '%s' '${printed}'`)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: problem, toPerson: `${problem}.` });
});

test('a flood of output isn’t a password', async () => {
  const failed = passwordCommands().run('yes');
  await expect(failed).rejects.toThrow('the password command printed more than a password');
});
