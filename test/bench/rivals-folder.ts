/**
 * Installs other database servers for MCP from npm, in a folder apart from our own dependencies.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../torture/root.ts';

const folder = join(root, 'build', 'rivals');
const modules = join(folder, 'node_modules');

/** Each is pinned, so that what a page says of it can be seen again. */
export const rivals = {
  dbhub: { name: '@bytebase/dbhub', version: '1.4.0', program: 'dist/index.js' },
  'MCP Toolbox': { name: '@toolbox-sdk/server', version: '1.12.0', program: '' },
  'server-postgres': { name: '@modelcontextprotocol/server-postgres', version: '0.6.2', program: 'dist/index.js' },
  'mcp-server-mysql': { name: '@benborla29/mcp-server-mysql', version: '2.0.9', program: 'dist/index.js' },
} as const;
export type Rival = keyof typeof rivals;

/** The names of those that couldn't be installed, with the reason. */
export type Missing = ReadonlyMap<Rival, string>;

export const toolbox = join(modules, `@toolbox-sdk/server-${process.platform}-${process.arch}/bin/toolbox`);
export const dbhub = programOf('dbhub');

export function programOf(rival: Rival): string {
  const { name, program } = rivals[rival];
  return rival === 'MCP Toolbox' ? toolbox : join(modules, name, program);
}

/** `@bytebase/dbhub 1.4.0` */
export function packageOf(rival: Rival): string {
  const { name, version } = rivals[rival];
  return `${name} ${version}`;
}

/** Fetches those that are missing. */
export function installRivals(
  say: (text: string) => void,
  wanted: readonly Rival[] = ['dbhub', 'MCP Toolbox'],
): Missing {
  const absent = wanted.filter(rival => !existsSync(programOf(rival)));
  if (absent.length === 0) return new Map();
  say(`Fetching ${absent.map(packageOf).join(', ')} from npm (up to 640 MB unpacked) …`);
  const why = install(absent.map(rival => `${rivals[rival].name}@${rivals[rival].version}`));
  return new Map(absent.filter(rival => !existsSync(programOf(rival))).map(rival => [rival, why]));
}

/**
 * Runs none of their install scripts, and leaves those that are there.
 * @returns why it failed, or ''.
 */
function install(packages: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const list = join(folder, 'package.json');
  if (!existsSync(list)) writeFileSync(list, '{ "private": true }\n');
  try {
    const words = ['install', '--save-exact', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', [...words, ...packages], { cwd: folder, stdio: 'pipe' });
    return '';
  } catch (error) {
    return `npm: ${String((error as { stderr?: Buffer }).stderr ?? error).slice(0, 500)}`;
  }
}
