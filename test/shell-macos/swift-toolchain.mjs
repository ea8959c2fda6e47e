/**
 * Which Swift there is on this machine: its own, or the one that test/install/swift.sh puts into a
 * chroot. Runs nothing.
 */

import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * On Linux: Debian's own linker is missing what tests need; tests are found in the index, but not
 * in that of the system's modules; nobody debugs there; and one compiler a module reads it once.
 * All builds say the same, so that each goes on where another ended.
 */
export const buildFlags =
  process.platform === 'linux'
    ? readFileSync(new URL('../../shell-macos/linux-build-flags', import.meta.url), 'utf8')
        .trim()
        .split(' ')
    : [];

export function swiftCommand() {
  // The chroot first: on Linux a Swift of another version may stand in PATH. Only root may go into
  // it.
  if (process.getuid?.() === 0 && isOnPath('inswift')) return ['inswift', 'swift'];
  return isOnPath('swift') ? ['swift'] : null;
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
