/** The temporary folder of a run of tests, where memory for files is there and where it isn't. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns the folder that a run would use; '' for the system's own. */
function chosen(memory: string): string {
  const script = `require(${JSON.stringify(join(import.meta.dirname, 'files-in-memory.cjs'))})(process.argv[1]);
    process.stdout.write(process.env.TMPDIR ?? '')`;
  const { TMPDIR: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script, memory], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('where nobody can write, or nothing is, the system’s temporary folder stays', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  // Even root can make no folder in a file.
  expect(chosen(file)).toBe('');
  expect(chosen(join(folder, 'missing'))).toBe('');
});

test('one of its own is gone after the run', () => {
  const own = chosen(folder);
  if (own !== '') expect(own.startsWith(join(folder, 'sallyport-'))).toBe(true);
  expect(existsSync(own)).toBe(false);
});
