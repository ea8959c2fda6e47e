/**
 * Makes a home for scripts and suites that isn't started yet, as `sallyport init --unattended`
 * does: nothing needs confirmation in it.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The mark is `unattendedMark` of shared/locations.ts. */
export function beginUnattended(home) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'unattended'), '', { mode: 0o600 });
}
