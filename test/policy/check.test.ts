/** `make check` notices a schema that differs from the shape of policy files; `--write` fixes it. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const project = fileURLToPath(new URL('../../', import.meta.url));
const schema = 'shared/sallyport.schema.json';

test('a schema with another level is named, and written anew', () => {
  const tree = mkdtempSync(join(tmpdir(), 'sallyport-schema-'));
  const check = (...words: string[]) =>
    spawnSync(process.execPath, [join(project, 'test/policy/check.mjs'), ...words, tree], { encoding: 'utf8' });
  try {
    mkdirSync(join(tree, 'shared'));
    const file = join(tree, schema);
    cpSync(join(project, schema), file);
    expect(check().status).toBe(0);
    const right = readFileSync(file, 'utf8');
    writeFileSync(file, right.replace('"read-write"', '"full"'));
    const edited = check();
    expect([edited.status, edited.stderr]).toEqual([1, expect.stringContaining(`${schema} says other than`)]);
    expect(check('--write').status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(right);
  } finally {
    rmSync(tree, { recursive: true });
  }
});
