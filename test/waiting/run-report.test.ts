/**
 * What a run of tests says of itself: how far it is, whose output a line is, which suites failed on
 * time alone, and which took longest. Real runs over suites written here.
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
function said(suites: Readonly<Record<string, string>>, root = mkdtempSync(join(folder, 'of-'))): string {
  rmSync(join(root, 'test'), { recursive: true, force: true });
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

test('how long each suite took is in a file, the longest first, and the ten longest are named', () => {
  const slow = "test('a', () => new Promise(resolve => setTimeout(resolve, 1_000)));";
  const ten = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`s${index}`, "test('a', () => {});"]));
  const root = mkdtempSync(join(folder, 'of-'));
  const times = () => readFileSync(join(root, 'build/suite-times'), 'utf8').trimEnd().split('\n');
  const [heading = '', ...named] =
    said({ ...ten, slow }, root).match(/^The 10 longest.*|^ *\d+\.\d s {2}test.*/gm) ?? [];
  expect([heading, named.length, times().length]).toEqual([expect.stringContaining('build/suite-times'), 10, 12]);
  expect([named[0], times()[0]]).toEqual(
    Array(2).fill(expect.stringMatching(/^ +[1-9]\d?\.\d s {2}test\/slow\.test\.ts$/)),
  );
  expect(times().slice(0, 10)).toEqual(named);

  expect(said({ s3: slow, slow: "test('a', () => {});" }, root)).not.toContain('longest suites');
  expect(times().map(line => line.split('/')[1])).toEqual(['s3.test.ts', 'slow.test.ts']);
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
