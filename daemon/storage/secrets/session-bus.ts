/**
 * Whether there is a session bus (D-Bus) that a keyring could be reached by. Where there is none, as on a server or in a container, no
 * process has to be started to find that out. Asks nobody.
 */

import { existsSync } from 'node:fs';
import type { KeychainEnvironment } from '../../../shared/keychain-call.ts';

/**
 * As GLib finds it: the address it is given, else the socket in the runtime folder. GLib would start one only on a display, and the
 * keychain's process is told of none. An address that isn't a path may be anything, so it counts.
 */
export function hasSessionBus(environment: KeychainEnvironment): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime, HOME: home } = environment;
  if (address === undefined) return existsSync(`${runtime ?? `${home ?? ''}/.cache`}/bus`);
  return address.split(';').some(each => {
    const path = /^unix:path=([^,]*)/.exec(each)?.[1];
    return path === undefined || /%/.test(path) || existsSync(path);
  });
}
