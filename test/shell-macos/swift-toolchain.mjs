/**
 * Finds the Swift of this machine: its own, or the one that test/install/swift.sh puts into a
 * chroot. Runs nothing.
 */

import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * For Linux. Debian's own linker lacks what tests need. Tests are found in the index, but not in
 * that of the system's modules. Nobody debugs there. One compiler per module reads the index once.
 * All builds use the same flags, so each continues where another ended.
 */
export const buildFlags =
  process.platform === 'linux'
    ? readFileSync(new URL('../../shell-macos/linux-build-flags', import.meta.url), 'utf8')
        .trim()
        .split(' ')
    : [];

export function swiftCommand() {
  // The chroot first: on Linux, PATH may have a Swift of another version. Only root may enter the
  // chroot.
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
