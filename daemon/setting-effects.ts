/**
 * Applies a changed setting to what is kept, and refuses a change that can't be applied (spec §16).
 * serve-clients.ts has the server's own settings.
 */

import { SecretStoreUnavailable } from './access/secret-store.ts';
import type { SettingRegister } from './access/settings/setting-register.ts';
import type { ActivityLog, ActivityRow } from './activity.ts';
import type { Storage } from './open-storage.ts';
import type { SecretStores } from './storage/secrets/secret-stores.ts';
import { recordStore } from './storage/store/store-record.ts';

/** @throws if stored settings can't be applied: the start ends there. */
export function putSettingsIntoEffect(
  { locations, log, store, secretStores, secrets }: Storage,
  activity: Pick<ActivityLog, 'follow'>,
  settings: SettingRegister,
  history: { prune(): Promise<void> },
): void {
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

/** Applies `log.level`; at `debug` it adds a line to the log for each row of the activity log. */
function followLevel(
  log: Storage['log'],
  activity: Pick<ActivityLog, 'follow'>,
  settings: Pick<SettingRegister, 'current' | 'onChanged'>,
): void {
  let unfollow = (): void => {};
  const apply = (): void => {
    const level = settings.current()['log.level'];
    log.setLevel(level);
    unfollow();
    unfollow = level === 'debug' ? activity.follow(rows => rows.forEach(logRow)) : () => {};
  };
  const logRow = ({ number, category, action, kind, outcome, principal, requestId }: ActivityRow): void =>
    log.debug({ number, category, action, kind, outcome, principal, requestId }, 'recorded');
  settings.onChanged(key => {
    if (key === 'log.level') apply();
  });
  apply();
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
