/**
 * The budget check works: a room over its budget fails and is named; comments, empty lines and
 * generated code don't count.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const check = fileURLToPath(new URL('./check.mjs', import.meta.url));

function run(root: string, ...given: string[]): Promise<{ code: number; told: string }> {
  return new Promise(resolve => {
    const env = { ...process.env, SALLYPORT_BUDGET_ROOT: root };
    const started = execFile(process.execPath, [check, ...given], { env }, (_, stdout, stderr) =>
      resolve({ code: started.exitCode ?? -1, told: stdout + stderr }),
    );
  });
}

test('a room with more code lines than its budget fails; comments and generated files don’t count', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sallyport-budget-'));
  const write = (lines: readonly string[]): void => writeFileSync(join(root, 'daemon/access/a.ts'), lines.join('\n'));
  const code = Array.from({ length: 100 }, (_, at) => `export const a${at} = ${at};`);
  try {
    mkdirSync(join(root, 'daemon/access'), { recursive: true });
    mkdirSync(join(root, 'test/budget'), { recursive: true });
    write(code);
    expect(await run(root, '--write')).toEqual({ code: 0, told: 'budget   kept (100 code lines)\n' });
    write([...code, ...code.slice(0, 60), '', '/**', ' * free', ' */', '// free']);
    expect(await run(root)).toEqual({ code: 0, told: 'budget   kept (160 code lines)\n' });
    mkdirSync(join(root, 'daemon/access/Generated'));
    writeFileSync(join(root, 'daemon/access/Generated/a.ts'), code.join('\n'));
    expect(await run(root)).toEqual({ code: 0, told: 'budget   kept (160 code lines)\n' });
    write([...code, `// ${'x'.repeat(97)}`, `// ${'x'.repeat(98)}`]);
    const tooWide = await run(root);
    expect(tooWide.code).toBe(1);
    expect(tooWide.told).toContain('daemon/access/a.ts:102: a comment has at most 100 columns.');
    expect(tooWide.told).not.toContain('a.ts:101');
    write([...code, ...code.slice(0, 61)]);
    const over = await run(root);
    expect(over.code).toBe(1);
    expect(over.told).toContain('daemon/access has 161 code lines, and its budget is 160 (test/budget/rooms.txt).');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
