/**
 * Loads a database driver at its first use. It doesn't use `import()`: Node caches a failed import
 * for ever, so running out of file descriptors once would break every connection until a restart.
 */

import { createRequire } from 'node:module';
import { isSea } from 'node:sea';
import { embeddedRequire } from '../../shared/embedded.ts';
import { takeSpareDescriptors } from '../../shared/spare-descriptors.ts';

const require = isSea() ? (embeddedRequire as NodeJS.Require) : createRequire(import.meta.url);
/** Node opens one file at a time here; other threads may take some meanwhile. */
const neededDescriptors = 8;

/**
 * @param load names the driver: `require => require('pg')`.
 * @throws Error with code EMFILE if too few descriptors are free. It then has touched no file: Node
 *   also caches that a package has no package.json.
 */
export function loadDriver<Driver>(load: (require: NodeJS.Require) => Driver): Driver {
  const giveBack = takeSpareDescriptors(neededDescriptors);
  if (giveBack === null) {
    throw Object.assign(new Error('out of file descriptors; close some clients'), { code: 'EMFILE' });
  }
  giveBack();
  return load(require);
}
