/** A folder as npx keeps what it runs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param listed as npm lists the package there.
 * @returns the path of the bridge in npm's cache, and the package that npx was told.
 */
export function inNpxCache(
  folder: string,
  listed = 'file:../../sallyport-0.1.0.tgz',
): readonly [bridge: string, spec: string] {
  const cached = join(folder, '_npx/0f3c');
  mkdirSync(cached, { recursive: true });
  const dependencies = { sallyport: listed };
  writeFileSync(join(cached, 'package.json'), JSON.stringify({ dependencies }));
  const bridge = join(cached, 'node_modules/sallyport/build/npm/sallyport-mcp');
  return [bridge, `file:${join(folder, 'sallyport-0.1.0.tgz')}`];
}
