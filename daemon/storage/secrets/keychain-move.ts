/**
 * Moves a store's secrets from its file into the keychain: copies each and reads it back, lists
 * them, records the place, removes the file. The file counts until the record says `keychain`, so a
 * crash loses nothing; copies that it leaves are replaced by the next move.
 */

import { type SecretStore, SecretStoreUnavailable, secretKinds } from '../../access/secret-store.ts';
import type { Store } from '../store/store.ts';
import { openFileSecretStore, removeSecretsFile } from './file-secret-store.ts';
import { type Account, deleteIndex, findIndex, itemAccount, setAndCompare, writeIndex } from './keychain-index.ts';
import { probeKeychain } from './keychain-probe.ts';
import type { Keychain } from './keychain-process.ts';

export interface MovePorts {
  readonly store: Pick<Store, 'id' | 'recordSecretBackend'>;
  readonly secretsPath: string;
  readonly keychain: Keychain;
}

/**
 * No other change of a secret may run meanwhile. Takes some 15 ms a secret.
 * @throws SecretStoreUnavailable: the file then stays in use.
 */
export async function moveSecretsToKeychain({ store, keychain, secretsPath }: MovePorts): Promise<void> {
  await probeKeychain(keychain, store.id);
  const secrets = await everySecret(openFileSecretStore(secretsPath, store.id));
  // Without its index the keychain counts as empty: some copies must never stand for all secrets.
  const left = await findIndex(keychain, store.id);
  if (left !== null) await deleteIndex(keychain, store.id);
  for (const account of left?.accounts ?? [])
    if (!secrets.has(account)) await keychain.delete(itemAccount(store.id, account));
  for (const [account, value] of secrets) await setAndCompare(keychain, itemAccount(store.id, account), value);
  await writeIndex(keychain, store.id, [...secrets.keys()]);
  await store.recordSecretBackend('keychain');
  removeSecretsFile(secretsPath);
}

async function everySecret(file: SecretStore): Promise<ReadonlyMap<Account, string>> {
  const secrets = new Map<Account, string>();
  for (const kind of secretKinds) {
    for (const id of await file.list(kind)) {
      const read = await file.read(kind, id);
      if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
      if (read.kind === 'found') secrets.set(`${kind}/${id}`, read.value);
    }
  }
  return secrets;
}
