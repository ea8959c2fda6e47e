/** Whether there is a keychain that keeps what it is given (spec §1). Leaves nothing in it. */

import { randomUUID } from 'node:crypto';
import { SecretStoreUnavailable } from '../../access/secret-store.ts';
import type { Keychain } from './keychain-process.ts';

type BackendDecision =
  | { readonly backend: 'keychain' }
  /** `problem` is one sentence on why there is no working keychain. */
  | { readonly backend: 'file'; readonly problem: string };

/** Runs once in a store's life, when it is made. */
export async function decideSecretBackend(keychain: Keychain, storeId: string): Promise<BackendDecision> {
  try {
    await probeKeychain(keychain, storeId);
    return { backend: 'keychain' };
  } catch (error) {
    if (error instanceof SecretStoreUnavailable) return { backend: 'file', problem: error.message };
    throw error;
  }
}

/**
 * Writes a random item, reads it back and deletes it. @throws SecretStoreUnavailable if any of that
 * fails.
 */
export async function probeKeychain(keychain: Keychain, storeId: string): Promise<void> {
  // A constant: an item written late, after a prompt was finally answered, is found and deleted by
  // the next probe.
  const account = `${storeId}/store/probe`;
  const value = randomUUID();
  await keychain.set(account, value);
  const readBack = await keychain.get(account);
  await keychain.delete(account);
  if (readBack !== value || (await keychain.get(account)) !== null) {
    throw new SecretStoreUnavailable(
      "The keychain can't be used: it does not give back, or does not delete, what was put into it.",
    );
  }
}
