/** Where this install has its other commands. */

import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The real path of `sallyport-mcp`, which clients are configured with; null where this install has none. */
export function bridgeBeside(script: string): string | null {
  try {
    const folder = dirname(realpathSync(script));
    // The second: run as build/bundle/sallyport.js, the commands being in build/bin. The third: in Sallyport.app, whose code is
    // under Contents/Resources/sallyport.
    const places = [folder, join(folder, '..', 'bin'), join(folder, '..', '..', '..', 'MacOS')];
    return places.map(place => join(place, 'sallyport-mcp')).find(isExecutable) ?? null;
  } catch {
    return null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
