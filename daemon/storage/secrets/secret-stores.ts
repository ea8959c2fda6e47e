/**
 * Chooses keychain or file for a store's secrets (spec §1). The choice is made with the store and
 * recorded in it; only a requested move into the keychain changes it. There is no automatic switch:
 * if the keychain is missing or locked later, that is an error.
 */

import { existsSync } from 'node:fs';
import { readStoreRecord } from '../../../shared/store-record.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { Store } from '../store/store.ts';
import type { MakeAppItem } from './app-item.ts';
import { beginSecretsFile, openFileSecretStore, storeOfSecretsFile } from './file-secret-store.ts';
import { findIndex, readIndex, writeIndex } from './keychain-index.ts';
import { type MovePorts, moveSecretsToKeychain } from './keychain-move.ts';
import { decideSecretBackend } from './keychain-probe.ts';
import { openKeychainSecretStore } from './keychain-secret-store.ts';
import { placeOfSecrets } from './secret-place.ts';

export interface SecretStores {
  /** The same object before and after a move. */
  readonly secrets: SecretStore;
  /** For `status`: one sentence each about where the secrets are; empty if all is well. */
  notes(): readonly string[];
  /**
   * For `settings set keychain required`. Does nothing if the secrets are there already.
   * @throws SecretStoreUnavailable
   */
  moveToKeychain(): Promise<void>;
}

export interface SecretStoresPorts extends MovePorts {
  readonly store: Pick<Store, 'id' | 'secretBackend' | 'recordSecretBackend'>;
  /** `store.json`: where the secrets were when this store last ran. */
  readonly storeRecordPath: string;
  readonly makeAppItem?: MakeAppItem | null;
}

/**
 * Call it only under the daemon's lock.
 * @throws SecretStoreUnavailable if the keychain that holds the secrets can't be read now.
 */
export async function openSecretStores(ports: SecretStoresPorts): Promise<SecretStores> {
  const { store, keychain, secretsPath } = ports;
  const inTurn = oneAtATime();
  const notes: string[] = [];
  let current = await openRecorded(ports, notes);

  return {
    secrets: {
      get backend() {
        return current.backend;
      },
      read: (kind, id) => inTurn(() => current.read(kind, id)),
      write: (kind, id, value) => inTurn(() => current.write(kind, id, value)),
      makeShellSecret: value => inTurn(() => current.makeShellSecret(value)),
      delete: (kind, id) => inTurn(() => current.delete(kind, id)),
      list: kind => inTurn(() => current.list(kind)),
    },
    notes: () => (current.backend === 'file' ? [secretsInFile, ...notes] : [...notes]),
    moveToKeychain: () =>
      inTurn(async () => {
        if (current.backend === 'keychain') {
          await readIndex(keychain, store.id);
          return;
        }
        await moveSecretsToKeychain(ports);
        notes.length = 0;
        current = openKeychainSecretStore(keychain, store.id, ports.makeAppItem);
      }),
  };

  async function openRecorded(from: SecretStoresPorts, told: string[]): Promise<SecretStore> {
    const recorded = await store.secretBackend();
    const place = await placeOfSecrets({
      storeId: store.id,
      recorded,
      secretsPath,
      storeRecordPath: from.storeRecordPath,
      storeRecord: readStoreRecord(from.storeRecordPath),
      secretsFileStore: () => storeOfSecretsFile(secretsPath),
      keychainHasSome: async () => ((await findIndex(keychain, store.id))?.accounts.length ?? 0) > 0,
    });
    switch (place === 'undecided' ? await decide(from) : place) {
      case 'file':
        if (recorded === null) await store.recordSecretBackend('file');
        return openFileSecretStore(secretsPath, store.id);
      case 'moved_since':
        await needKeychain(from);
        await store.recordSecretBackend('keychain');
        told.push(olderDatabase);
        break;
      case 'keychain':
        await needKeychain(from);
        break;
    }
    if (existsSync(secretsPath))
      told.push(`${secretsPath} is not used, as the secrets are in the keychain. Remove it.`);
    return openKeychainSecretStore(keychain, store.id, from.makeAppItem);
  }
}

/** @throws SecretStoreUnavailable if the keychain is missing, locked or another one. */
async function needKeychain({ store, keychain }: SecretStoresPorts): Promise<void> {
  try {
    await readIndex(keychain, store.id);
  } catch (error) {
    if (!(error instanceof SecretStoreUnavailable)) throw error;
    throw new SecretStoreUnavailable(`${keychainNeeded} ${error.message}`);
  }
}

async function decide({ store, keychain, secretsPath }: SecretStoresPorts): Promise<'file' | 'keychain'> {
  const { backend } = await decideSecretBackend(keychain, store.id);
  // The file comes before the record: from then on, if either is missing, it was lost. What a crash
  // leaves in between is found and kept.
  if (backend === 'file') beginSecretsFile(secretsPath, store.id);
  else if ((await findIndex(keychain, store.id)) === null) await writeIndex(keychain, store.id, []);
  await store.recordSecretBackend(backend);
  return backend;
}

const keychainNeeded =
  'The secrets of this store are in the keychain and nowhere else; start Sallyport where the keychain can be reached.';

const olderDatabase =
  'The database is an older copy, from before the secrets were moved into the keychain; `sallyport activity verify` says what it lacks.';

const secretsInFile =
  'Secrets are kept in secrets.json (mode 600): any program that runs as you can read it. `sallyport settings set keychain required` moves them into the keychain.';
