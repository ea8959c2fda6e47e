/**
 * Opens what outlives a run (spec §2): the activity log, the registers and the databases behind the connections, step by step over
 * the ground. Each is closed in reverse by `undo`. Opens no door.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { version } from '../shared/version.ts';
import { accessInUse, principalOfToken } from './access/access-in-use.ts';
import { loadConnectionRegister } from './access/connection-register.ts';
import { loadOwnerApp } from './access/privilege-increases/owner-app.ts';
import { loadOwnerPassphrase } from './access/privilege-increases/passphrase.ts';
import { loadSettingRegister } from './access/settings/setting-register.ts';
import { settingSpecs } from './access/settings/settings.ts';
import { doubtClause, takenBackNote, takenBackReason } from './access/store-doubt.ts';
import { loadTokenRegister } from './access/tokens/token-register.ts';
import { openDatabase } from './engines/open.ts';
import { deleteExpiredRemovals } from './expired-removals.ts';
import { endLeftSessions } from './left-sessions.ts';
import { openStorage, type Storage } from './open-storage.ts';
import { putSettingsIntoEffect } from './setting-effects.ts';
import { standingsIn } from './standings.ts';
import { changedRows } from './statement/changed-rows.ts';
import { keepOpenDatabases } from './statement/open-databases.ts';
import { tellingOfSchemaChanges } from './statement/schema-changes.ts';
import type { StopCause } from './stop-signals.ts';
import { openActivityLog } from './storage/activity/log.ts';
import { openHistory } from './storage/history/history.ts';
import { ownFileProblem } from './storage/own-files.ts';
import { isConfirmedByRoot } from './storage/root-confirmation.ts';
import { passphraseIn } from './storage/secrets/passphrase.ts';
import { passwordsIn, settlePasswords } from './storage/secrets/passwords.ts';
import { tokenRecordsIn } from './storage/secrets/token-records.ts';
import { openBridgeTokens } from './storage/store/bridge-tokens.ts';
import { changedRowsIn } from './storage/store/changed-rows.ts';
import { connectionRecordsIn } from './storage/store/connection-records.ts';
import { narrowedBy } from './storage/store/narrowings.ts';
import { openReserve, reserveFile } from './storage/store/reserve.ts';
import { appSeenIn, pauseIn, settingsIn } from './storage/store/settings.ts';
import { tokenListIn } from './storage/store/token-list.ts';
import { openTokenUses } from './storage/store/token-uses.ts';
import { takeUnattendedMark, unattendedWords } from './storage/unattended-home.ts';
import { openUnfinished, unfinishedFile } from './storage/unfinished.ts';
import type { Undo } from './undo.ts';

export type State = Awaited<ReturnType<typeof openState>>;

type Logged = Storage & Awaited<ReturnType<typeof openActivity>>;
type Registered = Logged & Awaited<ReturnType<typeof loadRegisters>>;

/** @param cause of the stop, once it was requested. */
export async function openState(home: string, cause: () => StopCause, undo: Undo) {
  const storage = await openStorage(home, undo);
  const logged = { ...storage, ...(await openActivity(storage, cause, undo)) };
  const registered = { ...logged, ...(await loadRegisters(logged, undo)) };
  const owned = { ...registered, ...(await loadOwner(registered)) };
  const standings = await standingsIn({ ...owned, isOlderCopy: owned.activity.wasOlderCopy }, undo);
  const state = { ...owned, standings, ...(await openUses(owned, undo)), ...openDatabases(owned, undo) };
  putSettingsIntoEffect(state);
  return state;
}

async function openActivity({ home, store, secrets, now, clock, report }: Storage, cause: () => StopCause, undo: Undo) {
  const reserve = openReserve(join(home, reserveFile), report);
  const pauses = pauseIn(store, reserve, report);
  // A move of the secrets waits for its turn among the head's writes, and they for theirs: one queue holds both.
  const activity = await openActivityLog({
    ...{ store, secrets, now, oldBy: clock.now, randomBytes, report },
    doubted: doubt => pauses.pauseFor(doubt).catch(report),
  });
  undo.later(() => activity.close());
  const admin = { category: 'admin', outcome: 'success' } as const;
  activity.record({ ...admin, action: 'daemon.start', reason: `Sallyport ${version}` });
  undo.later(() => activity.record({ ...admin, action: 'daemon.stop', ...cause() }));
  const isPaused = (await pauses.load()) || activity.doubt !== null;
  if (activity.doubt !== null) activity.record({ ...admin, action: 'pause', reason: doubtClause(activity.doubt) });
  return { activity, reserve, pauses, isPaused };
}

async function loadRegisters(logged: Logged, undo: Undo) {
  const { store, secrets, activity, reserve, now, clock, log, report, damageInStore, damageInSecrets } = logged;
  /** For `status`, one sentence each. */
  const takenBack: string[] = [];
  const connections = await loadConnectionRegister(
    narrowedBy(reserve, connectionRecordsIn(store, damageInStore), {
      report,
      tookBack(connection) {
        takenBack.push(takenBackNote(connection));
        const { id, name } = connection;
        const reason = takenBackReason;
        activity.record({
          ...{ category: 'admin', action: 'access.state', outcome: 'error', connection: { id, name }, reason },
        });
      },
    }),
  );
  await settlePasswords(secrets, connections).catch(report);
  undo.later(await deleteExpiredRemovals({ connections, secrets, oldBy: clock.now, report }));
  const tokens = await loadTokenRegister({
    store: tokenRecordsIn({
      ...{ secrets, list: tokenListIn(store, reserve, report, activity.wasOlderCopy), report },
      // What the store lost it would list.
      mayDelete: activity.doubt === null,
      damaged: damageInSecrets,
      unlisted: ids =>
        log.warn(
          { tokens: ids },
          'the store does not list these tokens that the secrets have, so they count for nothing',
        ),
    }),
    ...{ now, randomBytes, newId: randomUUID },
  });
  const settings = await loadSettingRegister(settingsIn(store), key =>
    damageInStore({
      ...{ table: 'settings', row: key },
      meanwhile: `${key} is ${settingSpecs[key].ifUnreadable}`,
      remedy: `Run \`sallyport settings set ${key} VALUE\`.`,
    }),
  );
  return { connections, tokens, settings, takenBack };
}

/** Who may confirm a privilege increase (spec §11). */
async function loadOwner({ home, store, secrets, now, clock, damageInSecrets, isNew }: Registered) {
  const owner = await loadOwnerPassphrase(
    {
      store: passphraseIn(secrets, store),
      ...{ now, believedNow: clock.now, randomBytes, newId: randomUUID },
      isConfirmedByRoot: resetId => isConfirmedByRoot(home, resetId),
    },
    () =>
      damageInSecrets({
        ...{ table: 'secrets', row: '"passphrase/owner"' },
        meanwhile: 'nothing that needs the owner passphrase can be confirmed',
        remedy: 'Restore it from a backup.',
      }),
  );
  if (takeUnattendedMark(home) && isNew) {
    await owner.switchOff(unattendedWords);
    // Whoever made it so knows.
    await owner.confirmChosen();
  }
  const ownerApp = await loadOwnerApp({ platform: process.platform, secrets, store: appSeenIn(store) });
  return { owner, ownerApp };
}

async function openUses({ store, locations, tokens, settings, clock, now, report }: Registered, undo: Undo) {
  const history = openHistory({
    store,
    settings: () => ({ isOn: settings.current().history === 'on', days: settings.current()['history.days'] }),
    ...{ now, oldBy: clock.now, report },
  });
  undo.later(() => history.close());
  const uses = await openTokenUses({ store, now, tokenIds: tokens.list().map(({ id }) => id), report });
  undo.later(() => uses.close());
  tokens.onEnded(id => {
    if (tokens.find(id) === null) uses.forget(id);
  });
  const issued = await openBridgeTokens(store, locations.handshake, now, report);
  undo.later(() => issued.settled());
  const account = changedRows({
    ...(await changedRowsIn(store)),
    ...{ clocks: () => ({ wall: now(), uptime: uptime() * 1000 }), report },
  });
  return { history, uses, issued, changedRows: account };
}

function openDatabases({ home, secrets, connections, tokens, now, elapsed, report }: Registered, undo: Undo) {
  const unfinished = openUnfinished(join(home, unfinishedFile), report);
  undo.later(() => unfinished.close());
  const passwords = passwordsIn(secrets);
  undo.later(() => passwords.close());
  const schemaListeners: ((connectionId: string) => void)[] = [];
  const databases = keepOpenDatabases((connection, password) => {
    const database = openDatabase(connection, {
      password: async () => password ?? passwords.of(connection),
      keyPassphrase: () => passwords.ofClientKey(connection),
      now: elapsed,
      sessions: unfinished.sessionsOf(connection.id),
      refuseFile: realPath => ownFileProblem(home, realPath),
    });
    return tellingOfSchemaChanges(database, () => {
      for (const listener of schemaListeners) listener(connection.id);
    });
  });
  undo.later(() => databases.close());
  const inUse = accessInUse({
    ...{ connections, now },
    principalNow: principal => principalOfToken(principal, tokens.find(principal.tokenId)),
  });
  undo.later(tokens.onAccessEdited(inUse.lookAgain));
  // Before its sessions are closed: a statement that is cancelled tells more exactly how it ended.
  connections.onChanged(inUse.lookAgain);
  void endLeftSessions({ left: unfinished.leftSessions, connections, databases, report });
  connections.onChanged(id => {
    if (connections.find(id) === null) void databases.forget(id);
  });
  /** Told the connection's id. */
  const onSchemaChanged = (listener: (connectionId: string) => void) => void schemaListeners.push(listener);
  return { databases, accessInUse: inUse, passwordOf: passwords.of, onSchemaChanged, unfinished };
}
