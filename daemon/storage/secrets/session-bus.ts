/**
 * Whether there is a session bus (D-Bus) that a keyring could be reached by. Where there is none,
 * as on a server or in a container, no process has to be started to find that out. Asks nobody.
 */

import { existsSync } from 'node:fs';
import type { KeychainEnvironment } from '../../../shared/keychain-call.ts';

/**
 * As GLib finds it: the address it is given, else the socket in the runtime folder. GLib would
 * start a bus only where there is a DISPLAY, which the keychain's process isn't given. An address
 * without a path can't be judged by looking, so it counts as a bus.
 */
export function hasSessionBus(environment: KeychainEnvironment): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime, HOME: home } = environment;
  if (address === undefined) return existsSync(`${runtime || `${home ?? ''}/.cache`}/bus`);
  return address.split(';').some(each => {
    const path = /^unix:path=([^,]*)/.exec(each)?.[1];
    return path === undefined || path.includes('%') || existsSync(path);
  });
}
