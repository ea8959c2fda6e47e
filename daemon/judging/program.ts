/** Where the program of a thread that judges is. Starts nothing. */

/** The compiled program: Node 20 can't run TypeScript, so tests that run from source find it in `build/`. */
export function workerFile(here: string = import.meta.url): URL {
  return new URL(here.endsWith('.ts') ? '../../build/daemon/judging/worker.js' : './worker.js', here);
}
