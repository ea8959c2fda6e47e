/**
 * Starts a home's first daemon without a keychain. From then on, its store keeps its secrets in a
 * file, and no system asks its owner.
 */

import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';

/** Off a Mac, nothing has to be done for it if no Secret Service runs, as in every CI. */
export function startWithSecretsInFile(project, sallyport, environment) {
  const keyring = join(project, 'node_modules/@napi-rs/keyring');
  const start = () =>
    execFileSync(sallyport, ['start'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  if (process.platform !== 'darwin') return start();
  renameSync(keyring, `${keyring}.away`);
  try {
    return start();
  } finally {
    renameSync(`${keyring}.away`, keyring);
  }
}
