/**
 * Opens what outlives a run (spec §2): log, store, secrets, activity, the registers over them and the databases behind the
 * connections. Each is closed in reverse by `undo`. Opens no door.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { keychainEnvironment } from '../shared/keychain-call.ts';
import { locationsIn } from '../shared/locations.ts';
import { version } from '../shared/version.ts';
import { loadConnectionRegister } from './access/connection-register.ts';
import { loadOwnerApp } from './access/privilege-increases/owner-app.ts';
import { loadOwnerPassphrase } from './access/privilege-increases/passphrase.ts';
import { wideningMode } from './access/privilege-increases/widening.ts';
import { SecretStoreUnavailable } from './access/secret-store.ts';
import { loadSettingRegister } from './access/settings/setting-register.ts';
import { settingSpecs } from './access/settings/settings.ts';
import { loadTokenRegister } from './access/tokens/token-register.ts';
import { openDatabase } from './databases/open.ts';
import { followLevel } from './log-level.ts';
import { factsOfError } from './mcp/log.ts';
import { keepOpenDatabases } from './query/open-databases.ts';
import { type Stalls, watchStalls } from './stalls.ts';
import { openActivityLog } from './storage/activity/log.ts';
import { openHistory } from './storage/history/history.ts';
import { openLog } from './storage/log/log.ts';
import { ownFileProblem } from './storage/own-files.ts';
import { openKeychain } from './storage/secrets/keychain-process.ts';
import { passphraseIn } from './storage/secrets/passphrase.ts';
import { deleteOrphanedPasswords, passwordOf } from './storage/secrets/passwords.ts';
import { openSecretStores, type SecretStores } from './storage/secrets/secret-stores.ts';
import { tokenRecordsIn } from './storage/secrets/token-records.ts';
import { openBelievedClock } from './storage/store/believed-clock.ts';
import { openBridgeTokens } from './storage/store/bridge-tokens.ts';
import { connectionRecordsIn } from './storage/store/connection-records.ts';
import { damageSentence, type ReportDamage } from './storage/store/damaged-rows.ts';
import { openReserve, reserveFile } from './storage/store/reserve.ts';
import { appSeenIn, settingsIn } from './storage/store/settings.ts';
import { openStore } from './storage/store/store.ts';
import { recordStore } from './storage/store/store-record.ts';
import { tokenListIn } from './storage/store/token-list.ts';
import { openTokenUses } from './storage/store/token-uses.ts';
import type { Undo } from './undo.ts';

export type Kept = Awaited<ReturnType<typeof openKept>>;

export async function openKept(home: string, undo: Undo) {
  const locations = locationsIn(home);
  const log = openLog(locations.logs);
  const now = (): number => Date.now();
  const elapsed = (): number => performance.now();
  const report = (error: unknown): void => log.error(factsOfError(error), 'something that nobody waits for failed');

  const used = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
  const stalls = watchStalls({ elapsed, used, now, warn: (facts, sentence) => log.warn(facts, sentence) });
  undo.later(() => stalls.close());
  const store = await openStore(locations.store);
  undo.later(() => store.close());
  tellOfQueries(store.knex, stalls);
  const keychain = openKeychain({ environment: keychainEnvironment(process.env) });
  undo.later(() => keychain.close());
  const secretStores = await openSecretStores({
    ...{ store, keychain },
    secretsPath: locations.secrets,
    storeRecordPath: locations.storeRecord,
  });
  const { secrets } = secretStores;
  recordStore(locations.storeRecord, store.id, secrets.backend);
  const clock = await openBelievedClock({
    ...{ knex: store.knex, now, elapsed, report },
    jumped: sentence => log.warn({}, sentence),
  });
  undo.later(() => clock.close());
  const oldBy = clock.now;
  // A move of the secrets waits for its turn among the head's writes, and they for theirs: one queue holds both.
  const activity = await openActivityLog({
    knex: store.knex,
    storeId: store.id,
    secrets,
    now,
    oldBy,
    randomBytes,
    report,
  });
  undo.later(() => activity.close());
  const admin = { category: 'admin', outcome: 'success' } as const;
  activity.record({ ...admin, action: 'daemon.start', reason: `Sallyport ${version}` });
  undo.later(() => activity.record({ ...admin, action: 'daemon.stop' }));
  const damaged: string[] = [];
  const reportIn =
    (place: string): ReportDamage =>
    row => {
      const sentence = damageSentence(place, row);
      damaged.push(sentence);
      log.error({ table: row.table, row: row.row }, sentence);
    };
  const inStore = reportIn(locations.store);
  const inSecrets = reportIn(secrets.backend === 'file' ? locations.secrets : 'the keychain');
  const connections = await loadConnectionRegister(connectionRecordsIn(store.knex, inStore));
  await deleteOrphanedPasswords(secrets, connections).catch(report);
  const reserve = openReserve(join(home, reserveFile), report);
  const tokens = await loadTokenRegister({
    store: tokenRecordsIn({
      ...{ secrets, list: tokenListIn(store.knex, reserve, report, activity.wasOlderCopy), report },
      damaged: inSecrets,
      unlisted: ids =>
        log.warn({ tokens: ids }, 'these tokens are in the secrets and not in the store, so they count for nothing'),
    }),
    ...{ now, randomBytes, newId: randomUUID },
  });

  const settings = await loadSettingRegister(settingsIn(store.knex), key =>
    inStore({
      ...{ table: 'settings', row: key },
      meanwhile: `${key} is ${settingSpecs[key].ifUnreadable}`,
      remedy: `Run \`sallyport settings set ${key} VALUE\`.`,
    }),
  );
  followLevel(log, activity, settings);
  const history = openHistory({
    knex: store.knex,
    settings: () => ({ isOn: settings.current().history === 'on', days: settings.current()['history.days'] }),
    now,
    oldBy,
    report,
  });
  undo.later(() => history.close());
  settings.onChanged(key => {
    if (key === 'history.days') void history.prune();
  });
  const uses = await openTokenUses({ knex: store.knex, now, tokenIds: tokens.list().map(({ id }) => id), report });
  undo.later(() => uses.close());
  tokens.onEnded(id => {
    if (tokens.find(id) === null) uses.forget(id);
  });
  const passphrases = passphraseIn(secrets, store.knex);
  const owner = await loadOwnerPassphrase({ store: passphrases, now, randomBytes }, () =>
    inSecrets({
      ...{ table: 'secrets', row: '"passphrase/owner"' },
      meanwhile: 'nothing that needs the owner passphrase can be confirmed',
      remedy: 'Restore it from a backup.',
    }),
  );
  const ownerApp = await loadOwnerApp({ platform: process.platform, secrets, store: appSeenIn(store.knex) });
  const someoneConfirms = (): boolean => owner.isSet() || ownerApp.isKnown();
  settings.onChange((key, next) =>
    key === 'widening' && next.widening === 'ask' && !someoneConfirms() ? nobodyToAsk : null,
  );
  const widening = () => wideningMode(settings.current().widening, someoneConfirms());
  if (settings.current().keychain === 'required' && secrets.backend === 'file') throw new Error(keychainGone);
  settings.onChange(async (key, next) => {
    if (key !== 'keychain' || next.keychain !== 'required') return null;
    const problem = await moveProblem(secretStores);
    if (problem === null) recordStore(locations.storeRecord, store.id, secrets.backend);
    return problem;
  });
  const issued = await openBridgeTokens(store.knex, locations.handshake, now, report);
  undo.later(() => issued.settled());

  const databases = keepOpenDatabases(connection =>
    openDatabase(connection, {
      password: () => passwordOf(connection, secrets),
      now: elapsed,
      refuseFile: realPath => ownFileProblem(home, realPath),
    }),
  );
  undo.later(() => databases.close());
  connections.onChanged(id => {
    if (connections.find(id) === null) void databases.forget(id);
  });
  return {
    home,
    locations,
    log,
    now,
    elapsed,
    report,
    stalls,
    store,
    clock,
    reserve,
    secretStores,
    secrets,
    activity,
    connections,
    tokens,
    settings,
    history,
    uses,
    owner,
    ownerApp,
    widening,
    issued,
    databases,
    damaged,
  };
}

/** The store's one connection does a query in this thread, between the two events. */
function tellOfQueries(knex: Knex, stalls: Stalls): void {
  let end = (): void => {};
  knex.on('query', () => {
    end = stalls.begin('using its store');
  });
  knex.on('query-response', () => end());
  knex.on('query-error', () => end());
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

const nobodyToAsk =
  'There is no owner passphrase yet to confirm anything with: `sallyport passphrase set` makes one, and from then on Sallyport asks.';

const keychainGone =
  'the keychain is required, but the secrets of this store are in a file; put back the store that belongs to this home';
