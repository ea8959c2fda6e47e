/** `make check` notices a settings table that differs from the code, and `--write` fixes it. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const project = fileURLToPath(new URL('../../', import.meta.url));
const pages = ['docs/specification.md', 'docs/guide.md', 'shared/fixtures/settings.json'];
let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'sallyport-settings-'));
  for (const page of pages) cpSync(join(project, page), join(tree, page));
});
afterEach(() => rmSync(tree, { recursive: true }));

function check(...words: string[]) {
  const ran = spawnSync(process.execPath, [join(project, 'test/settings/check.mjs'), ...words, tree], {
    encoding: 'utf8',
  });
  return { code: ran.status, said: ran.stdout + ran.stderr };
}

test.each(pages)('%s with another default is named, and written anew', page => {
  expect(check()).toMatchObject({ code: 0 });
  const file = join(tree, page);
  const right = readFileSync(file, 'utf8');
  writeFileSync(file, right.replace(/(`port`.*)27432|("default": )27432/, '$1$227433'));
  expect(readFileSync(file, 'utf8')).not.toBe(right);
  const { code, said } = check();
  expect([code, said]).toEqual([1, expect.stringContaining(`${page} says other than`)]);
  expect(check('--write')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(right);
});
