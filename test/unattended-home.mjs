/**
 * A home that is yet to be started, as `sallyport init --unattended` begins it: nothing is
 * confirmed there. For scripts and suites.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The mark is `unattendedMark` of shared/locations.ts. */
export function beginUnattended(home) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'unattended'), '', { mode: 0o600 });
}
