/**
 * Where the compiled child program is. The child is always started from `build/`, because Node 20 can't run
 * TypeScript: beside this file when this file is compiled, found from the sources when tests run from source.
 */

import { fileURLToPath } from 'node:url';

export function workerFile(here: string = import.meta.url): string {
  const compiled = here.endsWith('.ts') ? '../../../build/daemon/databases/sqlite/worker.js' : './worker.js';
  return fileURLToPath(new URL(compiled, here));
}
