/** Where the keychain's own program is. Starts nothing. */

import { fileURLToPath } from 'node:url';

/** The compiled program: Node 20 can't run TypeScript, so tests that run from source find it in `build/`. */
export function keychainWorkerFile(here: string = import.meta.url): string {
  const compiled = here.endsWith('.ts') ? '../../build/daemon/storage/keychain-worker.js' : './keychain-worker.js';
  return fileURLToPath(new URL(compiled, here));
}
