/**
 * The macOS shell's rules, tested by Swift itself beside a real daemon. Skipped with a message if
 * there is no Swift.
 */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { needs } from '../../needs.ts';
import { swiftCommand } from '../swift-toolchain.mjs';

const shell = fileURLToPath(new URL('../../../shell-macos/', import.meta.url));
const project = fileURLToPath(new URL('../../../', import.meta.url));
const runner = fileURLToPath(new URL('../run.mjs', import.meta.url));
const swift = swiftCommand();
const { test: ifSwiftIsHere } = needs(swift === null ? 'no Swift; sh test/install/swift.sh' : null);
// A first build of everything on a busy machine.
const patienceMilliseconds = 15 * 60_000;

ifSwiftIsHere(
  'the Swift tests pass, those with the real daemon too (test/install/swift.sh installs Swift)',
  async () => {
    const { code, said } = await ran([process.execPath, runner]);
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  },
  patienceMilliseconds,
);

async function ran([command = '', ...words]: readonly string[]) {
  const child = spawn(command, words, {
    cwd: shell,
    env: { ...process.env, INSWIFT_DIR: project },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      said += chunk;
    });
  }
  const code = await new Promise(resolve => child.once('close', resolve));
  return { code, said };
}
