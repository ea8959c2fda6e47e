/**
 * Draws the pictures of the app's screens into .readme/gallery, and the app's icon. `--check` only
 * says which pictures are out of date. Exits with Gallery's code; 1 if there is no Swift.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildFlags, swiftCommand } from './swift-toolchain.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const swift = swiftCommand();

function main(words) {
  if (swift === null) {
    process.stderr.write('There is no Swift here; test/install/swift.sh installs it on Debian.\n');
    return 1;
  }
  const [command, ...first] = swift;
  const run = ['run', '--quiet', ...buildFlags, 'Gallery', ...words];
  const { status } = spawnSync(command, [...first, ...run, '../.readme/gallery', 'packaging/icon/icon.svg'], {
    cwd: fileURLToPath(new URL('../../shell-macos', import.meta.url)),
    env: { ...process.env, INSWIFT_DIR: project },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
