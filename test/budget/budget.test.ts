/**
 * The budget check works: it fails at a file without a mechanism, a pattern without a file, a
 * mechanism without a sentence, and lines that are not as many as written.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const check = fileURLToPath(new URL('./check.mjs', import.meta.url));
const head = '# What it is made of.\n\n';
/** Written so, a pattern doesn't look like the beginning of a comment. */
const any = '*';
const access = `Access\nA client does no more than it may.\n  daemon/access/${any}\n  test/access/${any}\n`;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-budget-'));
  write('daemon/access/a.ts', code(100));
  write('test/access/a.test.ts', code(10));
  write('test/budget/mechanisms.txt', `${head}${access}`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const code = (lines: number): string => `${'export {};\n'.repeat(lines)}`;

function run(...given: string[]): Promise<{ code: number; told: string }> {
  return new Promise(resolve => {
    const env = { ...process.env, SALLYPORT_BUDGET_ROOT: root };
    const started = execFile(process.execPath, [check, ...given], { env }, (_, stdout, stderr) =>
      resolve({ code: started.exitCode ?? -1, told: stdout + stderr }),
    );
  });
}

async function expectFault(fault: string): Promise<void> {
  const { code: ended, told } = await run();
  expect({ ended, lines: told.trim().split('\n') }).toEqual({ ended: 1, lines: [expect.stringContaining(fault)] });
}

const kept = (lines: number) => ({
  code: 0,
  told: `budget   kept (1 mechanisms, ${lines} lines of code, 10 of tests)\n`,
});

test('numbers are written, and may differ a little; comments and generated files don’t count', async () => {
  expect(await run('--write')).toEqual(kept(100));
  const table = readFileSync(join(root, 'test/budget/mechanisms.txt'), 'utf8');
  expect(table.replace(/ +/g, ' ')).toBe(
    `${head}${access}`.replace('Access', 'Access 100 code 10 tests').replace(/ +/g, ' '),
  );
  write('daemon/access/a.ts', `${code(160)}\n/**\n * free\n */\n// free\n`);
  write('daemon/access/Generated/a.ts', code(500));
  expect(await run()).toEqual(kept(160));
  write('daemon/access/a.ts', code(161));
  await expectFault('Access: 161 lines of code, and the table has 100. Take something away,');
  write('daemon/access/a.ts', code(39));
  await expectFault('Access: 39 lines of code, and the table has 100. Write the number:');
  write('daemon/access/a.ts', code(100));
  write('test/access/a.test.ts', code(71));
  await expectFault('Access: 71 lines of tests, and the table has 10.');
});

test('a file without a mechanism, and a pattern without a file', async () => {
  await run('--write');
  write('daemon/alone.sh', '# free\ntrue\n');
  await expectFault('daemon/alone.sh belongs to no mechanism.');
  write('test/budget/mechanisms.txt', `${head}${access}  daemon/${any}.sh\n  daemon/gone/${any}\n`);
  await run('--write');
  await expectFault(`no kept file needs daemon/gone/${any}.`);
});

test('of two patterns the longer one has a file, and one that is left without files fails', async () => {
  write('test/budget/mechanisms.txt', `${head}${access}\nOne file\nIt is missed.\n  daemon/access/a.ts\n`);
  await run('--write');
  await expectFault(`no kept file needs daemon/access/${any}.`);
});

test('a mechanism without a sentence', async () => {
  write('test/budget/mechanisms.txt', `${head}${access.replace(/A client.*\n/, '')}`);
  await run('--write');
  await expectFault('Access needs a sentence: what would a user miss without it?');
});

test('a comment in code has at most 100 columns', async () => {
  await run('--write');
  write('daemon/access/a.ts', `${code(100)}// ${'x'.repeat(97)}\n// ${'x'.repeat(98)}\n`);
  await expectFault('daemon/access/a.ts:102: a comment has at most 100 columns.');
});
