/** Where the keychain's own program is, and what it may see of the daemon's environment. Starts nothing. */

import { fileURLToPath } from 'node:url';

/** Of the daemon's environment what a keychain is found by. SECRET_BACKEND is not: it would swap the keychain for a file. */
export function keychainEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ['HOME', 'USER', 'LOGNAME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** The compiled program: Node 20 can't run TypeScript, so tests that run from source find it in `build/`. */
export function keychainWorkerFile(here: string = import.meta.url): string {
  const compiled = here.endsWith('.ts') ? '../../build/daemon/storage/keychain-worker.js' : './keychain-worker.js';
  return fileURLToPath(new URL(compiled, here));
}
