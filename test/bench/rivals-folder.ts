/**
 * Installs other database servers for MCP from npm, in a folder apart from our own dependencies.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../torture/root.ts';

/** The names of those that couldn't be installed, with the reason. */
export type Missing = ReadonlyMap<'dbhub' | 'MCP Toolbox', string>;

const folder = join(root, 'build', 'rivals');
const machine = `${process.platform}-${process.arch}`;

export const packages = { '@bytebase/dbhub': '1.4.0', '@toolbox-sdk/server': '1.12.0' };
export const dbhub = join(folder, 'node_modules/@bytebase/dbhub/dist/index.js');
export const toolbox = join(folder, `node_modules/@toolbox-sdk/server-${machine}/bin/toolbox`);

/** Fetches those that are missing. */
export function installRivals(say: (text: string) => void): Missing {
  const missing = new Map<'dbhub' | 'MCP Toolbox', string>();
  if (!existsSync(dbhub) || !existsSync(toolbox)) {
    say('Fetching the rivals from npm (300 MB unpacked) …');
    const why = install(packages);
    if (!existsSync(dbhub)) missing.set('dbhub', why);
    if (!existsSync(toolbox)) missing.set('MCP Toolbox', why);
  }
  return missing;
}

/**
 * Runs none of their install scripts.
 * @returns why it failed, or ''.
 */
function install(dependencies: Record<string, string>): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  try {
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', words, { cwd: folder, stdio: 'pipe' });
    return '';
  } catch (error) {
    return `npm: ${String((error as { stderr?: Buffer }).stderr ?? error).slice(0, 500)}`;
  }
}
