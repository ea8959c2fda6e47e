/**
 * The secret that shells prove themselves by (spec §11): made once for a store, read at each start; and once more where it
 * came to the keychain from a file, which others may have read.
 */

import { shellSecretFor, wasMadeInKeychain } from '../access/privilege-increases/owner-app.ts';
import type { SecretStore } from '../access/secret-store.ts';
import { SecretStoreUnavailable } from '../access/secret-store.ts';

/** @throws SecretStoreUnavailable */
export async function shellSecret(secrets: SecretStore, newSecret: () => string): Promise<string> {
  const known = await secrets.read('shell', 'secret');
  if (known.kind === 'found' && known.value !== '' && (secrets.backend === 'file' || wasMadeInKeychain(known.value)))
    return known.value;
  // Never made anew while the store can't be read: shells would be locked out of the secret that is still in it.
  if (known.kind === 'unavailable') throw new SecretStoreUnavailable(known.problem);
  const secret = shellSecretFor(secrets.backend, newSecret());
  await secrets.write('shell', 'secret', secret);
  return secret;
}
