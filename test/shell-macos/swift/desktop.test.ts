/** The tryout's Swift program, as far as it can be read without AppKit. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { needs } from '../../needs.ts';
import { swiftCommand } from '../swift-toolchain.mjs';

const swift = swiftCommand();
const folder = fileURLToPath(new URL('../tryout/', import.meta.url));

needs(swift === null ? 'no Swift; sh test/install/swift.sh' : null).test('it is Swift', () => {
  const [command = '', ...words] = [...(swift ?? []).slice(0, -1), 'swiftc', '-frontend', '-parse', 'desktop.swift'];
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, INSWIFT_DIR: folder },
  });
  expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
});
