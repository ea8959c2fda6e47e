/**
 * Has V8 take less memory for WebAssembly. The options are set by the running
 * program: so they reach every way to start it, and the code that was kept for it still fits
 * (shared/start-built.ts). They count for the whole process, from here on.
 */

import { setFlagsFromString } from 'node:v8';

const options = [
  // WebAssembly is compiled by the quick compiler alone. The optimizing one takes 550 MB for one
  // function of PostgreSQL's grammar, and saves 20 µs a parse. `--liftoff-only` says the same, but
  // counts on a command line only.
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
];

export function spareMemory(): void {
  for (const option of options) setFlagsFromString(option);
}
