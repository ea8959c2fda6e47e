/**
 * Loads what the user has set (spec §2): connections, tokens, settings and the owner passphrase,
 * each beside what the activity log knows about it.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import type { Note } from '../shared/note.ts';
import { type ConnectionRegister, loadConnectionRegister } from './access/connection-register.ts';
import { loadOwnerPassphrase } from './access/privilege-increases/passphrase.ts';
import { loadSettingRegister, type SettingRegister } from './access/settings/setting-register.ts';
import { settingSpecs } from './access/settings/settings.ts';
import { takenBackNote, takenBackReason } from './access/store-doubt.ts';
import { loadTokenRegister, type TokenRegister } from './access/tokens/token-register.ts';
import type { Storage } from './open-storage.ts';
import type { OpenActivityLog } from './storage/activity/log.ts';
import { deleteExpiredRemovals } from './storage/expired-removals.ts';
import { isConfirmedByRoot } from './storage/root-confirmation.ts';
import { passphraseIn } from './storage/secrets/passphrase.ts';
import { settlePasswords } from './storage/secrets/passwords.ts';
import { tokenRecordsIn } from './storage/secrets/token-records.ts';
import { connectionRecordsIn } from './storage/store/connection-records.ts';
import { narrowedBy } from './storage/store/narrowings.ts';
import { settingsIn } from './storage/store/settings.ts';
import { tokenListIn } from './storage/store/token-list.ts';
import { takeUnattendedMark, unattendedWords } from './storage/unattended-home.ts';
import type { Undo } from './undo.ts';

export async function loadConnections(
  { store, secrets, reserve, clock, report, damageInStore }: Storage,
  activity: OpenActivityLog,
  takenBack: Note[],
  undo: Undo,
): Promise<ConnectionRegister> {
  const connections = await loadConnectionRegister(
    narrowedBy(reserve, connectionRecordsIn(store, damageInStore), {
      report,
      tookBack(connection) {
        takenBack.push(takenBackNote(connection));
        const { id, name } = connection;
        activity.record({
          category: 'admin',
          action: 'access.state',
          outcome: 'error',
          connection: { id, name },
          reason: takenBackReason,
        });
      },
    }),
  );
  await settlePasswords(secrets, connections).catch(report);
  undo.later(await deleteExpiredRemovals({ connections, secrets, retentionNow: clock.now, report }));
  return connections;
}

export function loadTokens(
  { store, secrets, reserve, now, log, report, damageInSecrets }: Storage,
  activity: OpenActivityLog,
): Promise<TokenRegister> {
  const records = tokenRecordsIn({
    secrets,
    list: tokenListIn(store, reserve, report, activity.wasOlderCopy),
    report,
    // A store that lost data doesn't list everything, so nothing is deleted then.
    mayDelete: activity.doubt === null,
    damaged: damageInSecrets,
    unlisted: ids =>
      log.warn(
        { tokens: ids },
        'the store does not list these tokens that the secrets have, so they count for nothing',
      ),
  });
  return loadTokenRegister({ store: records, now, randomBytes, newId: randomUUID });
}

export function loadSettings({ store, damageInStore }: Storage): Promise<SettingRegister> {
  return loadSettingRegister(settingsIn(store), key =>
    damageInStore({
      table: 'settings',
      row: key,
      meanwhile: `${key} is ${settingSpecs[key].ifUnreadable}`,
      remedy: `Run \`sallyport settings set ${key} VALUE\`.`,
    }),
  );
}

/** Who may confirm a privilege increase (spec §11). */
export async function loadOwner({ home, store, secrets, now, clock, damageInSecrets, isNew }: Storage) {
  const owner = await loadOwnerPassphrase(
    {
      store: passphraseIn(secrets, store),
      now,
      ranMilliseconds: clock.ran,
      randomBytes,
      newId: randomUUID,
      isConfirmedByRoot: resetId => isConfirmedByRoot(home, resetId),
    },
    () =>
      damageInSecrets({
        table: 'secrets',
        row: '"passphrase/owner"',
        meanwhile: 'nothing that needs the owner passphrase can be confirmed',
        remedy: 'Restore it from a backup.',
      }),
  );
  if (takeUnattendedMark(home) && isNew) {
    await owner.switchOff(unattendedWords, 'unattended');
    // The person who made the home knows.
    await owner.confirmChosen();
  }
  return owner;
}
