/**
 * Whether there is a session bus (D-Bus) to reach a keyring by. On a server or in a container there
 * is none, so no process has to be started to find out. Connects to nothing.
 */

import { existsSync } from 'node:fs';
import type { KeychainEnvironment } from '../../../shared/keychain-call.ts';

/**
 * Looks where GLib looks: at the address in the environment, else at the socket in the runtime
 * folder. (GLib starts a bus only with a DISPLAY, which the keychain's process doesn't get.) An
 * address without a path can't be checked, so it counts as a bus.
 */
export function hasSessionBus(environment: KeychainEnvironment): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime, HOME: home } = environment;
  if (address === undefined) return existsSync(`${runtime || `${home ?? ''}/.cache`}/bus`);
  return address.split(';').some(each => {
    const path = /^unix:path=([^,]*)/.exec(each)?.[1];
    return path === undefined || path.includes('%') || existsSync(path);
  });
}
