/**
 * Secrets in the login keychain (spec §1), one item each. Tells found, absent and unavailable
 * apart: a missing item counts as absent only if the keychain shows the store's index before and
 * after. Nothing is written or deleted before that.
 */

import {
  type SecretKind,
  type SecretRead,
  type SecretStore,
  SecretStoreUnavailable,
} from '../../access/secret-store.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { MakeAppItem } from './app-item.ts';
import { refuseUnfit } from './keychain-fit.ts';
import { type Account, itemAccount, readIndex, setAndCompare, writeIndex } from './keychain-index.ts';
import type { Keychain } from './keychain-process.ts';

/**
 * @param keychain already has this store's index (secret-stores.ts).
 * @param makeAppItem set if this daemon is Sallyport.app's.
 */
export function openKeychainSecretStore(
  keychain: Keychain,
  storeId: string,
  makeAppItem: MakeAppItem | null = null,
): SecretStore {
  const inTurn = oneAtATime();

  /** @throws SecretStoreUnavailable */
  async function find(account: Account): Promise<string | null> {
    const item = itemAccount(storeId, account);
    const first = await keychain.get(item);
    if (first !== null) return first;
    // Asks again between two looks at the index: the keychain may have been locked at first and
    // unlocked since.
    await readIndex(keychain, storeId);
    const second = await keychain.get(item);
    if (second === null) await readIndex(keychain, storeId);
    return second;
  }

  async function write(account: Account, value: string): Promise<void> {
    await enlist(account);
    await setAndCompare(keychain, itemAccount(storeId, account), value);
  }

  async function enlist(account: Account): Promise<void> {
    const { accounts } = await readIndex(keychain, storeId);
    if (!accounts.includes(account)) await writeIndex(keychain, storeId, [...accounts, account]);
  }

  /** @returns null if the helper couldn't make it; then there is no item. */
  async function makeForApp(account: Account): Promise<string | null> {
    if (makeAppItem === null) return null;
    const item = itemAccount(storeId, account);
    await enlist(account);
    // The helper adds and never replaces: a caller who could replace the item could lock the app
    // out.
    await keychain.delete(item);
    return makeAppItem(item, () => keychain.get(item));
  }

  return {
    backend: 'keychain',
    read: (kind, id) =>
      inTurn(async (): Promise<SecretRead> => {
        try {
          const value = await find(accountOf(kind, id));
          return value === null ? { kind: 'absent' } : { kind: 'found', value };
        } catch (error) {
          if (error instanceof SecretStoreUnavailable) return { kind: 'unavailable', problem: error.message };
          throw error;
        }
      }),
    write: (kind, id, value) =>
      inTurn(async () => {
        refuseUnfit(id, value);
        await write(accountOf(kind, id), value);
      }),
    makeShellSecret: value =>
      inTurn(async () => {
        const made = await makeForApp('shell/secret');
        if (made === null) await write('shell/secret', value);
        return made ?? value;
      }),
    delete: (kind, id) =>
      inTurn(async () => {
        const account = accountOf(kind, id);
        if (!(await readIndex(keychain, storeId)).accounts.includes(account)) return;
        await keychain.delete(itemAccount(storeId, account));
        if ((await find(account)) !== null) {
          throw new SecretStoreUnavailable('The keychain did not delete a secret; delete it in its password manager.');
        }
        const { accounts } = await readIndex(keychain, storeId);
        await writeIndex(
          keychain,
          storeId,
          accounts.filter(listed => listed !== account),
        );
      }),
    list: kind =>
      inTurn(async () => {
        const start = `${kind}/`;
        const ids: string[] = [];
        for (const account of (await readIndex(keychain, storeId)).accounts) {
          // A crash between two writes, or a person in the password manager, may leave an account
          // without its item.
          if (account.startsWith(start) && (await find(account)) !== null) ids.push(account.slice(start.length));
        }
        return ids;
      }),
  };
}

function accountOf(kind: SecretKind, id: string): Account {
  return `${kind}/${id}`;
}
