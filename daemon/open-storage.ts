/**
 * Opens the storage of all other state (spec §2): log, clocks, store, secrets and reserve. `undo`
 * closes each in reverse.
 */

import { join } from 'node:path';
import type { Knex } from 'knex';
import { keychainEnvironment } from '../shared/keychain-call.ts';
import { locationsIn } from '../shared/locations.ts';
import { startedFile } from '../shared/started-file.ts';
import { factsOfError } from './clients/mcp/log.ts';
import { collectGarbage, collectWhenIdle } from './processes/idle-garbage.ts';
import { type Stalls, watchStalls } from './processes/stalls.ts';
import { openLog } from './storage/log/log.ts';
import { appItemMaker } from './storage/secrets/app-item.ts';
import { openKeychain } from './storage/secrets/keychain-process.ts';
import { openSecretStores } from './storage/secrets/secret-stores.ts';
import { openBelievedClock } from './storage/store/believed-clock.ts';
import { damageSentence, type ReportDamage } from './storage/store/damaged-rows.ts';
import { openReserve, reserveFile } from './storage/store/reserve.ts';
import { pauseIn } from './storage/store/settings.ts';
import { openStore } from './storage/store/store.ts';
import { recordStore } from './storage/store/store-record.ts';
import type { Undo } from './undo.ts';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

export async function openStorage(home: string, undo: Undo) {
  const locations = locationsIn(home);
  const log = openLog(locations.logs);
  const now = (): number => Date.now();
  const elapsed = (): number => performance.now();
  const report = (error: unknown): void => log.error(factsOfError(error), 'something that nobody waits for failed');

  const used = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
  const stalls = watchStalls({ elapsed, used, now, warn: (facts, sentence) => log.warn(facts, sentence) });
  undo.later(() => stalls.close());
  undo.later(collectWhenIdle({ used, collect: collectGarbage }));
  const store = await openStore(locations.store);
  undo.later(() => store.close());
  tellOfQueries(store.knex, stalls);
  const environment = keychainEnvironment(process.env);
  const keychain = openKeychain({ environment });
  undo.later(() => keychain.close());
  /** Nobody has used this home before. */
  const isNew = (await store.secretBackend()) === null;
  const secretStores = await openSecretStores({
    store,
    keychain,
    secretsPath: locations.secrets,
    storeRecordPath: locations.storeRecord,
    makeAppItem: appItemMaker({
      environment,
      platform: process.platform,
      program: startedFile(),
      warn: sentence => log.warn({}, sentence),
    }),
  });
  const { secrets } = secretStores;
  recordStore(locations.storeRecord, store.id, secrets.backend);
  const clock = await openBelievedClock({
    store,
    now,
    elapsed,
    report,
    jumped: sentence => log.warn({}, sentence),
  });
  undo.later(() => clock.close());
  const reserve = openReserve(join(home, reserveFile), report);
  const pauses = pauseIn(store, reserve, report);

  const damaged: string[] = [];
  const damageIn =
    (place: string): ReportDamage =>
    row => {
      const sentence = damageSentence(place, row);
      damaged.push(sentence);
      log.error({ table: row.table, row: row.row }, sentence);
    };
  return {
    home,
    isNew,
    locations,
    log,
    now,
    elapsed,
    report,
    stalls,
    store,
    secretStores,
    secrets,
    clock,
    reserve,
    pauses,
    damaged,
    damageInStore: damageIn(locations.store),
    damageInSecrets: damageIn(secrets.backend === 'file' ? locations.secrets : 'the keychain'),
  };
}

/** The store's only connection runs each query in this thread, between the two events. */
function tellOfQueries(knex: Knex, stalls: Stalls): void {
  let end = (): void => {};
  knex.on('query', () => {
    end = stalls.begin('using its store');
  });
  knex.on('query-response', () => end());
  knex.on('query-error', () => end());
}
