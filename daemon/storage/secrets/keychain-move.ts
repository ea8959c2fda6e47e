/**
 * Moves a store's secrets from its file into the keychain, and undoes an interrupted move. The
 * store's record says which place counts: the file until it says `keychain`, so a crash at any
 * point loses nothing.
 */

import { existsSync } from 'node:fs';
import { type SecretStore, SecretStoreUnavailable, secretKinds } from '../../access/secret-store.ts';
import type { Store } from '../store/store.ts';
import { openFileSecretStore, removeSecretsFile } from './file-secret-store.ts';
import {
  type Account,
  deleteIndex,
  findIndex,
  itemAccount,
  readIndex,
  setAndCompare,
  writeIndex,
} from './keychain-index.ts';
import { probeKeychain } from './keychain-probe.ts';
import type { Keychain } from './keychain-process.ts';

export interface MovePorts {
  readonly store: Pick<Store, 'id' | 'recordSecretBackend'>;
  readonly secretsPath: string;
  readonly keychain: Keychain;
}

/**
 * No other change of a secret may run meanwhile. Takes some 15 ms a secret.
 * @throws SecretStoreUnavailable: the file then stays in use, and the copies are deleted from the
 *   keychain.
 */
export async function moveSecretsToKeychain(ports: MovePorts): Promise<void> {
  const { store, keychain, secretsPath } = ports;
  await probeKeychain(keychain, store.id);
  await store.recordSecretBackend('moving');
  try {
    await fill(keychain, store.id, await everySecret(openFileSecretStore(secretsPath, store.id)));
  } catch (error) {
    await undoMove(ports).catch(() => {});
    throw error;
  }
  await store.recordSecretBackend('keychain');
  removeSecretsFile(secretsPath);
}

/**
 * Undoes a move that crashed before the record said `keychain`.
 * @throws SecretStoreUnavailable: try again at the next start.
 */
export async function undoMove({ store, keychain, secretsPath }: MovePorts): Promise<void> {
  // A locked keychain would look as if nothing had been copied.
  await probeKeychain(keychain, store.id);
  const index = await findIndex(keychain, store.id);
  if (index !== null) {
    if (index.accounts.length > 0 && !existsSync(secretsPath))
      throw new SecretStoreUnavailable(missingFile(secretsPath));
    await empty(keychain, store.id, index.accounts);
    await deleteIndex(keychain, store.id);
  }
  await store.recordSecretBackend('file');
}

/**
 * Finishes a move that crashed between the record and the file's removal. A file that differs from
 * the keychain is not from a move, and stays. @returns whether the file is gone. @throws
 * SecretStoreUnavailable
 */
export async function finishMove({ store, keychain, secretsPath }: MovePorts): Promise<boolean> {
  if (!existsSync(secretsPath)) return true;
  const { accounts } = await readIndex(keychain, store.id);
  for (const [account, value] of await everySecret(openFileSecretStore(secretsPath, store.id))) {
    if (!accounts.includes(account)) return false;
    if ((await keychain.get(itemAccount(store.id, account))) !== value) return false;
  }
  removeSecretsFile(secretsPath);
  return true;
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

/** Afterwards the keychain holds exactly these secrets of the store, each read back. */
async function fill(keychain: Keychain, storeId: string, secrets: ReadonlyMap<Account, string>): Promise<void> {
  const before = (await findIndex(keychain, storeId))?.accounts ?? [];
  await writeIndex(keychain, storeId, [...new Set([...before, ...secrets.keys()])]);
  await empty(
    keychain,
    storeId,
    before.filter(account => !secrets.has(account)),
  );
  for (const [account, value] of secrets) await setAndCompare(keychain, itemAccount(storeId, account), value);
  await writeIndex(keychain, storeId, [...secrets.keys()]);
}

async function empty(keychain: Keychain, storeId: string, accounts: readonly Account[]): Promise<void> {
  for (const account of accounts) await keychain.delete(itemAccount(storeId, account));
  for (const account of accounts) {
    if ((await keychain.get(itemAccount(storeId, account))) === null) continue;
    throw new SecretStoreUnavailable('The keychain did not delete a secret; delete it in its password manager.');
  }
  if (accounts.length > 0) await readIndex(keychain, storeId);
}

function missingFile(path: string): string {
  return `${path} is missing although the secrets were being moved out of it; restore it from a backup, then start Sallyport again.`;
}
