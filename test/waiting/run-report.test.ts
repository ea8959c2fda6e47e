/**
 * What a run of tests says of itself: how far it is, whose output a line is, and which suites failed
 * on time alone. Real runs over suites written here.
 */

import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const project = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sallyport-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const limits = join(project, 'test/waiting/limits.ts');
const suite = (body: string) => `import { test } from '@jest/globals';
import { lateError } from ${JSON.stringify(limits)};
${body}`;
const late = `test('slow', () => { throw lateError(1_000, 'it has ended'); });
test('hangs', () => new Promise(() => {}), 10);`;

/** @returns what a run over these suites prints, by their names. */
function said(suites: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(folder, 'of-'));
  mkdirSync(join(root, 'test'));
  for (const [name, body] of Object.entries(suites)) writeFileSync(join(root, 'test', `${name}.test.ts`), suite(body));
  const { jest } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const absolute = JSON.stringify(jest).replaceAll('<rootDir>/test/', `${project}/test/`);
  const { globalSetup: _, ...config } = JSON.parse(absolute);
  const words = [join(project, 'node_modules/jest/bin/jest.js'), '--maxWorkers=2', '--config'];
  const written = JSON.stringify({ ...config, roots: undefined, rootDir: root });
  const { stdout, stderr } = spawnSync(process.execPath, [...words, written], { cwd: root, encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

test('a suite that failed on time alone is named, with the line that runs it', () => {
  const shown = said({
    late,
    wrong: `${late} test('wrong', () => { throw new Error('no'); });`,
    right: "test('a', () => {});",
  });
  expect(shown.match(/^Failed on time alone.*/gm)).toEqual([
    "Failed on time alone: test/late.test.ts; alone: make test JEST='test/late.test.ts'",
  ]);
});

test('each line that a suite prints has its name, and the run tells how far it is', () => {
  const ten = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, "test('a', () => {});"]));
  const shown = said({
    ...ten,
    s3: "test('a', () => { process.stdout.write('one\\ntwo\\n'); process.stderr.write('three\\n'); });",
  });
  for (const line of ['one', 'two', 'three']) expect(shown).toContain(`test/s3.test.ts: ${line}\n`);
  expect(shown).toContain('10 of 12 suites\n');
});

test('no suite gives a child its own stderr, whose lines would have no name', () => {
  const tests = join(project, 'test');
  const files = globSync('**/*.test.ts', { cwd: tests, exclude: ['shell-macos/**', 'torture/**'] });
  expect(files.length).toBeGreaterThan(100);
  const own = import.meta.filename.slice(tests.length + 1);
  const giving = files.filter(file => /stdio: .*'inherit'/.test(readFileSync(join(tests, file), 'utf8')));
  // A program inside a text may: its parent has a name.
  expect(giving.filter(file => file !== own)).toEqual(['bridge/lifetime.test.ts']);
});
