/** What a change of a setting does to what is kept, and which change can't be (spec §16). The server's own settings: doors.ts. */

import { SecretStoreUnavailable } from './access/secret-store.ts';
import type { SettingRegister } from './access/settings/setting-register.ts';
import type { ActivityLog } from './activity.ts';
import { followLevel } from './log-level.ts';
import type { Storage } from './open-storage.ts';
import type { SecretStores } from './storage/secrets/secret-stores.ts';
import { recordStore } from './storage/store/store-record.ts';

interface SettledByThem extends Pick<Storage, 'locations' | 'log' | 'store' | 'secretStores' | 'secrets'> {
  readonly settings: SettingRegister;
  readonly activity: Pick<ActivityLog, 'follow'>;
  readonly history: { prune(): Promise<void> };
}

/** @throws where the settings that are kept can't hold: the start ends there. */
export function putSettingsIntoEffect(state: SettledByThem): void {
  const { locations, log, store, secretStores, secrets, activity, settings, history } = state;
  if (settings.current().keychain === 'required' && secrets.backend === 'file') throw new Error(keychainGone);
  followLevel(log, activity, settings);
  settings.onChanged(key => {
    if (key === 'history.days') void history.prune();
  });
  settings.onChange(async (key, next) => {
    if (key !== 'keychain' || next.keychain !== 'required') return null;
    const problem = await moveProblem(secretStores);
    if (problem === null) recordStore(locations.storeRecord, store.id, secrets.backend);
    return problem;
  });
}

async function moveProblem(stores: SecretStores): Promise<string | null> {
  try {
    await stores.moveToKeychain();
    return null;
  } catch (error) {
    if (error instanceof SecretStoreUnavailable) return `The secrets stay where they are. ${error.message}`;
    throw error;
  }
}

const keychainGone =
  'the keychain is required, but the secrets of this store are in a file; put back the store that belongs to this home';
