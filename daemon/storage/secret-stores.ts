/**
 * Which of keychain and file holds a store's secrets (SPEC §1): decided when the store is made, recorded in it, changed only by
 * an asked-for move into the keychain. Never a switch: a keychain that is missing or locked later is an error that says so.
 */

import { existsSync } from 'node:fs';
import { readStoreRecord } from '../../shared/store-record.ts';
import { type SecretStore, SecretStoreUnavailable } from '../access/secret-store.ts';
import { openFileSecretStore } from './file-secret-store.ts';
import { findIndex, readIndex, writeIndex } from './keychain-index.ts';
import { finishMove, type MovePorts, moveSecretsToKeychain, undoMove } from './keychain-move.ts';
import { decideSecretBackend } from './keychain-probe.ts';
import { openQueue } from './keychain-queue.ts';
import { openKeychainSecretStore } from './keychain-secret-store.ts';
import type { SecretBackend, Store } from './store.ts';

export interface SecretStores {
  /** The same object before and after a move. */
  readonly secrets: SecretStore;
  /** For `status`: where the secrets are, one sentence each, none where all is as it should be. */
  notes(): readonly string[];
  /** For `settings set keychain required`. Does nothing where they are there already. @throws SecretStoreUnavailable */
  moveToKeychain(): Promise<void>;
}

export interface SecretStoresPorts extends MovePorts {
  readonly store: Pick<Store, 'id' | 'secretBackend' | 'recordSecretBackend'>;
  /** `store.json`, which says where the secrets were when this store last ran. */
  readonly storeRecordPath: string;
}

/** Only under the daemon's lock. @throws SecretStoreUnavailable when the secrets are in a keychain that can't be read now. */
export async function openSecretStores(ports: SecretStoresPorts): Promise<SecretStores> {
  const { store, keychain, secretsPath } = ports;
  const oneAtATime = openQueue();
  const notes: string[] = [];
  let current = await openRecorded(ports, notes);

  return {
    secrets: {
      get backend() {
        return current.backend;
      },
      read: (kind, id) => oneAtATime(() => current.read(kind, id)),
      write: (kind, id, value) => oneAtATime(() => current.write(kind, id, value)),
      delete: (kind, id) => oneAtATime(() => current.delete(kind, id)),
      list: kind => oneAtATime(() => current.list(kind)),
    },
    notes: () => (current.backend === 'file' ? [secretsInFile, ...notes] : [...notes]),
    moveToKeychain: () =>
      oneAtATime(async () => {
        if (current.backend === 'keychain') {
          await readIndex(keychain, store.id);
          return;
        }
        await moveSecretsToKeychain(ports);
        notes.length = 0;
        current = openKeychainSecretStore(keychain, store.id);
      }),
  };

  async function openRecorded(from: SecretStoresPorts, told: string[]): Promise<SecretStore> {
    const recorded = await store.secretBackend();
    switch (isOlderThanMove(recorded, from) ? await returnToKeychain(from, told) : (recorded ?? (await decide(from)))) {
      case 'file':
        return openFileSecretStore(secretsPath, store.id);
      case 'moving':
        told.push(...(await takeBack(from)));
        return openFileSecretStore(secretsPath, store.id);
      case 'keychain':
        await readIndex(keychain, store.id);
        told.push(...(await removeLeftFile(from)));
        return openKeychainSecretStore(keychain, store.id);
    }
  }
}

/**
 * A database from before the secrets were moved, put back in the place of the one that knew: it would send us to a file that is
 * gone, for a new key of the activity log, and for no owner passphrase.
 */
function isOlderThanMove(recorded: SecretBackend | null, { store, storeRecordPath }: SecretStoresPorts): boolean {
  if (recorded === 'keychain') return false;
  const known = readStoreRecord(storeRecordPath);
  return known.kind === 'read' && known.record.store === store.id && known.record.secrets === 'keychain';
}

/** @throws SecretStoreUnavailable before anything is changed. */
async function returnToKeychain({ store, keychain }: SecretStoresPorts, told: string[]): Promise<'keychain'> {
  await readIndex(keychain, store.id);
  await store.recordSecretBackend('keychain');
  told.push(olderDatabase);
  return 'keychain';
}

async function decide({ store, keychain }: SecretStoresPorts): Promise<SecretBackend> {
  const { backend } = await decideSecretBackend(keychain, store.id);
  // A crash before the record leaves the index behind; it is then found and kept.
  if (backend === 'keychain' && (await findIndex(keychain, store.id)) === null)
    await writeIndex(keychain, store.id, []);
  await store.recordSecretBackend(backend);
  return backend;
}

async function takeBack(ports: SecretStoresPorts): Promise<readonly string[]> {
  try {
    await undoMove(ports);
    return [];
  } catch (error) {
    if (!(error instanceof SecretStoreUnavailable)) throw error;
    // Without the file the copies in the keychain may be all there is; new secrets in a new file would hide that.
    if (!existsSync(ports.secretsPath)) throw error;
    return [
      `A move of the secrets into the keychain was cut off; secrets.json is still in use, and copies may be left in the keychain. ${error.message}`,
    ];
  }
}

async function removeLeftFile(ports: SecretStoresPorts): Promise<readonly string[]> {
  try {
    if (await finishMove(ports)) return [];
  } catch (error) {
    if (!(error instanceof SecretStoreUnavailable)) throw error;
  }
  return [
    `${ports.secretsPath} is not used, as the secrets are in the keychain; it is not what was moved there. Remove it.`,
  ];
}

const olderDatabase =
  'The database is an older copy, from before the secrets were moved into the keychain; `sallyport activity verify` says what it lacks.';

const secretsInFile =
  'Secrets are kept in secrets.json (mode 600): any program that runs as you can read it. `sallyport settings set keychain required` moves them into the keychain.';
