/**
 * Loads a database driver at its first use. Not by `import()`: Node remembers for ever that a
 * module could not be read, and file descriptors that ran out once would be the end of every
 * connection until a restart.
 */

import { createRequire } from 'node:module';
import { takeSpareDescriptors } from '../../shared/spare-descriptors.ts';

const require = createRequire(import.meta.url);
/** Node opens one file after the other here; other threads may take some meanwhile. */
const neededDescriptors = 8;

/**
 * @param load names the driver: `require => require('pg')`.
 * @throws Error with code EMFILE where too few descriptors are left, having looked at no file: Node
 *   would remember for ever, too, that a package has no package.json.
 */
export function loadDriver<Driver>(load: (require: NodeJS.Require) => Driver): Driver {
  const giveBack = takeSpareDescriptors(neededDescriptors);
  if (giveBack === null) {
    throw Object.assign(new Error('out of file descriptors; close some clients'), { code: 'EMFILE' });
  }
  giveBack();
  return load(require);
}
