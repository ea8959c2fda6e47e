/**
 * What Swift built: the program that launchd starts becomes the bundle's Node.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from '@jest/globals';
import { noDebugger } from '../../../shared/no-debugger.ts';
import { needs } from '../../needs.ts';
import { program, project } from '../built-app.ts';
import { buildFlags, swiftCommand } from '../swift-toolchain.mjs';

const shell = join(project, 'shell-macos');
const swift = swiftCommand();
const { test: ifSwiftIsHere } = needs(swift === null ? 'no Swift; sh test/install/swift.sh' : null);
// A first build on a busy machine.
const patienceMilliseconds = 15 * 60_000;

function ran(command: string, words: readonly string[], environment: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: shell,
    encoding: 'utf8',
    // A shell that reads from a pipe of Node's, which is a socket, thinks that it is a remote login
    // and reads its start files.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, INSWIFT_DIR: project, ...environment },
  });
  return `${stdout}${stderr}exit ${status}`;
}

/** Runs it where Swift runs, since it may need Swift's libraries. */
const besideSwift = swift?.[0] === 'inswift' ? ['inswift'] : [];

// SwiftPM takes a second of processor time to find that there is nothing to build, so it does that
// once for all tests.
beforeAll(() => {
  if (swift === null) return;
  const [command = '', ...first] = swift;
  expect(ran(command, [...first, 'build', '--quiet', ...buildFlags])).toMatch(/exit 0$/);
}, patienceMilliseconds);

describe('Contents/MacOS/sallyportd', () => {
  ifSwiftIsHere(
    'becomes the bundle’s own Node with the daemon’s code and no debugger, and hands on no variable that could put code into it',
    () => {
      const folder = mkdtempSync(join(shell, '.build/launcher-'));
      try {
        const contents = join(folder, 'Sally port.app/Contents');
        program(join(contents, 'Helpers/sallyport-node'), 'echo "$@"; env | grep -E "^(NODE_|DYLD_|KEPT)"');
        program(join(contents, 'Resources/sallyport/bundle/sallyportd.js'), '');
        mkdirSync(join(contents, 'MacOS'));
        // Copied inside the chroot that it runs in, which has the folder above it.
        const started = [
          'cp .build/debug/sallyportd "$1/MacOS/"; ln -s "$1/MacOS/sallyportd" "$1/../link"',
          'NODE_OPTIONS=--require=/x DYLD_INSERT_LIBRARIES=/y KEPT=1 "$1/../link" --version two',
          'rm "$1/Resources/sallyport/bundle/sallyportd.js"; "$1/MacOS/sallyportd"',
        ].join('\n');
        const [program_ = '', ...words] = [...besideSwift, 'sh', '-c', started, 'sh', contents];
        expect(ran(program_, words)).toBe(
          `${noDebugger} ${contents}/Resources/sallyport/bundle/sallyportd.js --version two\nKEPT=1\n` +
            `sallyportd could not start: ${contents}/Resources/sallyport/bundle/sallyportd.js is missing; install Sallyport again.\nexit 1`,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    patienceMilliseconds,
  );
});
