/**
 * Decides which place holds a store's secrets at a start (spec §1) from what the database,
 * `store.json`, `secrets.json` and the keychain say. There is no start if they contradict each
 * other or the store's secrets are missing: new secrets would mean no owner passphrase, another log
 * key and no tokens. Changes nothing.
 */

import { dirname } from 'node:path';
import type { StoreRecordRead } from '../../../shared/store-record.ts';
import { SecretStoreUnavailable } from '../../access/secret-store.ts';
import type { SecretBackend } from '../store/store.ts';

interface SecretPlaceClues {
  readonly storeId: string;
  /** What the database says; null for a new one. */
  readonly recorded: SecretBackend | null;
  readonly storeRecord: StoreRecordRead;
  readonly storeRecordPath: string;
  readonly secretsPath: string;
  /**
   * The id of the store that `secrets.json` belongs to; null if there is no such file.
   * @throws SecretStoreUnavailable if unreadable.
   */
  secretsFileStore(): string | null;
  /**
   * True if the keychain lists secrets of this store. Asked only if nothing else tells.
   * @throws SecretStoreUnavailable
   */
  keychainHasSome(): Promise<boolean>;
}

type SecretPlace =
  | SecretBackend
  /** This store has no secrets yet, so there is a choice. */
  | 'undecided'
  /** The keychain, though the database is from before the secrets moved there. */
  | 'moved_since';

/** @throws SecretStoreUnavailable with a sentence on why there is no start. */
export async function placeOfSecrets(clues: SecretPlaceClues): Promise<SecretPlace> {
  const { storeId, recorded, storeRecord, storeRecordPath, secretsPath } = clues;
  const known = storeRecord.kind === 'read' ? storeRecord.record : null;
  const home = dirname(storeRecordPath);
  const orAnew = `or move everything in ${home} away to begin anew.`;

  if (known !== null && known.store !== storeId)
    throw refused(
      `${storeRecordPath} names another store than the database; put back the sallyport.db it was made for`,
    );
  if (recorded === 'keychain') return 'keychain';
  if (known?.secrets === 'keychain') return 'moved_since';
  const fileStore = clues.secretsFileStore();
  if (fileStore !== null && fileStore !== storeId)
    throw refused(`${secretsPath} belongs to another store; put back the one of this store, or the database it is of`);
  if (recorded === null && known === null && fileStore === null) {
    if (storeRecord.kind === 'absent') return 'undecided';
    throw refused(`the database is new, but ${storeRecordPath} is of a store before it; put back its sallyport.db`);
  }
  // Only `store.json` tells a file in use from one whose secrets have moved on. Without it the
  // keychain is asked.
  const isAlsoInKeychain = known === null && (await keychainHasSome(clues));
  if (isAlsoInKeychain && fileStore !== null)
    throw refused(
      `both ${secretsPath} and the keychain hold secrets of this store, and store.json, which says which of them holds, can't be read; put store.json back, move secrets.json away to go on with the keychain`,
    );
  if (isAlsoInKeychain) return 'moved_since';
  if (fileStore === null)
    throw refused(
      `${secretsPath} is missing, and with it the tokens, passwords and the activity log's key; restore it from a backup, unlock the keychain if they were moved there`,
    );
  return recorded ?? 'file';

  function refused(sentence: string): SecretStoreUnavailable {
    return new SecretStoreUnavailable(`${sentence}, ${orAnew}`);
  }
}

/**
 * An unavailable keychain counts as empty: then the file is all there is, or its absence is
 * reported.
 */
async function keychainHasSome(clues: SecretPlaceClues): Promise<boolean> {
  try {
    return await clues.keychainHasSome();
  } catch (error) {
    if (error instanceof SecretStoreUnavailable) return false;
    throw error;
  }
}
