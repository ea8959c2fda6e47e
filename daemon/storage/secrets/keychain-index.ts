/**
 * One keychain item per store that lists the store's other items. It is written before them. A
 * keychain that can't show it is another person's, or silently locked, so nothing that it reports
 * as absent is believed.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { type SecretKind, SecretStoreUnavailable, secretKinds } from '../../access/secret-store.ts';
import type { Keychain } from './keychain-process.ts';

/** `<kind>/<id>`, as in the file. */
export type Account = `${SecretKind}/${string}`;

const shape = z.object({
  version: z.literal(1),
  accounts: z.array(z.templateLiteral([z.enum(secretKinds), '/', z.string().min(1)])),
});

/**
 * Lists at least what is there: an account joins before its item is written, and leaves after its
 * item is deleted.
 */
interface KeychainIndex {
  readonly accounts: readonly Account[];
}

/** The account name of the item (spec §1 Secrets). */
export function itemAccount(storeId: string, account: Account): string {
  return `${storeId}/${account}`;
}

/**
 * @returns null if the keychain shows no index: it was never made, or the keychain is locked.
 * @throws SecretStoreUnavailable
 */
export async function findIndex(keychain: Keychain, storeId: string): Promise<KeychainIndex | null> {
  const text = await keychain.get(indexAccount(storeId));
  return text === null ? null : parse(text);
}

/** @throws SecretStoreUnavailable, also if there is no index. */
export async function readIndex(keychain: Keychain, storeId: string): Promise<KeychainIndex> {
  const index = await findIndex(keychain, storeId);
  if (index === null) throw new SecretStoreUnavailable(missing);
  return index;
}

/** @throws SecretStoreUnavailable, also if the keychain returns something else afterwards. */
export async function writeIndex(keychain: Keychain, storeId: string, accounts: readonly Account[]): Promise<void> {
  await setAndCompare(keychain, indexAccount(storeId), JSON.stringify({ version: 1, accounts }));
}

export async function deleteIndex(keychain: Keychain, storeId: string): Promise<void> {
  await keychain.delete(indexAccount(storeId));
}

/**
 * A second default keyring may take the new item while searches still find the old one.
 * @throws SecretStoreUnavailable
 */
export async function setAndCompare(keychain: Keychain, account: string, value: string): Promise<void> {
  await keychain.set(account, value);
  if ((await keychain.get(account)) !== value) {
    throw new SecretStoreUnavailable(
      'The keychain took a secret and then gave back another; make sure that it is unlocked and that only one keyring holds Sallyport items.',
    );
  }
}

const missing =
  'The keychain is locked, or it is not the one that holds the secrets of this Sallyport; unlock it (log in to the desktop, or open its password manager) and try again. Nothing in it was changed.';

function indexAccount(storeId: string): string {
  return `${storeId}/store/index`;
}

function parse(text: string): KeychainIndex {
  const checked = shape.safeParse(parsedJson(text));
  if (checked.success) return checked.data;
  throw new SecretStoreUnavailable(
    "The keychain's item named Sallyport that lists the others is damaged; restore the keychain from a backup.",
  );
}
