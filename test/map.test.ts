/** Tests the map of CONTRIBUTING.md: the tree follows it, and each rule catches what it names. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const rooms = ['shared', 'daemon', 'bridge', 'shell-terminal'];

async function violations(folder: string): Promise<string[]> {
  const config = join(root, '.dependency-cruiser.cjs');
  const cruiser = join(root, 'node_modules/.bin/depcruise');
  const run = promisify(execFile)(cruiser, ['--config', config, '--output-type', 'json', ...rooms], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { stdout } = await run.catch(failure => failure);
  const { summary }: { summary: { violations: { rule: { name: string } }[] } } = JSON.parse(stdout);
  return summary.violations.map(violation => violation.rule.name);
}

test('the tree follows the map', async () => {
  expect(await violations(root)).toEqual([]);
}, 60_000);

const planted: Readonly<Record<string, readonly [from: string, imports: string]>> = {
  'shared-imports-only-what-the-map-says': ['shared/a.ts', '../daemon/refusal.ts'],
  'daemon/access-imports-only-what-the-map-says': ['daemon/access/a.ts', '../statement/b.ts'],
  'daemon/guard-imports-only-what-the-map-says': ['daemon/guard/a.ts', '../refusal.ts'],
  'daemon/statement-imports-only-what-the-map-says': ['daemon/statement/a.ts', '../engines/postgres/b.ts'],
  'daemon/classifier-imports-only-what-the-map-says': ['daemon/classifier/a.ts', '../statement/b.ts'],
  'daemon/clients/mcp-imports-only-what-the-map-says': ['daemon/clients/mcp/a.ts', '../../engines/postgres/b.ts'],
  'daemon/clients/http-imports-only-what-the-map-says': ['daemon/clients/http/a.ts', '../../shells/b.ts'],
  'daemon/shells-imports-only-what-the-map-says': ['daemon/shells/a.ts', '../storage/b.ts'],
  'daemon/shells/messages-imports-only-what-the-map-says': ['daemon/shells/messages/a.ts', '../b.ts'],
  'daemon/engines-imports-only-what-the-map-says': ['daemon/engines/a.ts', '../storage/b.ts'],
  'daemon/desktop-imports-only-what-the-map-says': ['daemon/desktop/a.ts', '../shells/b.ts'],
  'daemon/processes-imports-only-what-the-map-says': ['daemon/processes/a.ts', '../storage/b.ts'],
  'bridge-imports-only-what-the-map-says': ['bridge/a.ts', '../daemon/access/b.ts'],
  'shell-terminal-imports-only-what-the-map-says': ['shell-terminal/a.ts', '../daemon/statement/b.ts'],
  'engines-do-not-import-each-other': ['daemon/engines/mysql/a.ts', '../postgres/b.ts'],
  'one-file-names-the-engines': ['daemon/engines/c.ts', './postgres/b.ts'],
  'rules-touch-no-driver-socket-or-file': ['daemon/access/c.ts', 'node:fs'],
  'the-bridge-and-what-it-shares-import-node-alone': ['bridge/c.ts', 'zod'],
  'two-files-of-types-stand-between-shells-and-shapes': ['shared/e.ts', '../daemon/shells/b.ts'],
  'no-test-code-in-the-product': ['daemon/c.ts', '../test/b.ts'],
  'nothing-unresolvable': ['daemon/d.ts', './nowhere.ts'],
};

test('each rule catches what it forbids, even if only a type is imported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-map-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const room of [
      'shared',
      'daemon',
      'daemon/access',
      'daemon/statement',
      'daemon/clients/mcp',
      'daemon/shells',
      'daemon/storage',
    ]) {
      write(`${room}/b.ts`, 'export interface B { readonly b: 1 }\n');
    }
    for (const room of ['daemon/engines/postgres', 'test', 'bridge', 'shell-terminal']) {
      write(`${room}/b.ts`, 'export interface B { readonly b: 1 }\n');
    }
    write('daemon/refusal.ts', 'export interface B { readonly b: 1 }\n');
    for (const [from, imports] of Object.values(planted)) {
      write(from, `import type { B } from '${imports}';\nexport type C = B;\n`);
    }
    write('daemon/clients/mcp/x.ts', "import { y } from './y.ts';\nexport const x = (): unknown => y;\n");
    write('daemon/clients/mcp/y.ts', "import { x } from './x.ts';\nexport const y = (): unknown => x;\n");
    const caught = new Set(await violations(folder));
    expect([...Object.keys(planted), 'no-cycles'].filter(rule => !caught.has(rule))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
