/**
 * Stack traces of the built commands name the lines people edit, if Node is told to read source
 * maps.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Place, root } from './installed.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.clean());

test.each([
  ['sallyport', 'shell-terminal/main.ts'],
  ['sallyportd', 'daemon/main.ts'],
  ['sallyport-mcp', 'bridge/main.ts'],
])('%s', (command, source) => {
  // Prints the stack in place of the version.
  const preload = join(place.folder, 'stack.cjs');
  writeFileSync(
    preload,
    'process.stdout.write = () => { process.stderr.write(new Error("here").stack); return true; };',
  );
  const stack = execFileSync('sh', ['-c', '"$0" --version 2>&1', join(root, 'build/bin', command)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_OPTIONS: `--enable-source-maps --require=${preload}` },
  });
  const line = Number(new RegExp(`${source}:(\\d+)`).exec(stack)?.[1]);
  expect(readFileSync(join(root, source), 'utf8').split('\n')[line - 1]).toMatch(/version/);
});
