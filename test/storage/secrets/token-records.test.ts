/**
 * Which token records are trusted: those that the store lists, each under its own id, and ended if
 * either of the two says so.
 */

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { SecretStore } from '../../../daemon/access/secret-store.ts';
import type { TokenRecord } from '../../../daemon/access/tokens/token.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { tokenRecordsIn } from '../../../daemon/storage/secrets/token-records.ts';
import { openReserve } from '../../../daemon/storage/store/reserve.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { tokenListIn } from '../../../daemon/storage/store/token-list.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const revokedAt = '2026-11-20T12:00:00.000Z';
const idOf = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;
const recordOf = (number: number, changes: Partial<TokenRecord> = {}): TokenRecord => ({
  ...{ id: idOf(number), name: `n${number}`, prefix: 'sp_12345', salt: 's', hash: 'h', scope: 'readOnly' },
  ...{ connections: 'all', confirmInClient: false, createdAt: revokedAt, lastUsedAt: null, expiresAt: null },
  ...{ revokedAt: null, client: null },
  ...changes,
});

/** A home whose list of tokens has started. */
async function begun(saved: readonly TokenRecord[], maySweep = true) {
  const home = mkdtempSync(join(folder, 'home-'));
  const path = join(home, 'secrets.json');
  const store = await openStore(join(home, 'sallyport.db'));
  undo.push(() => store.close());
  const told = { reported: [] as unknown[], unlisted: [] as (readonly string[])[], damaged: [] as unknown[] };
  const report = (error: unknown): void => void told.reported.push(error);
  const list = tokenListIn(store, openReserve(join(home, 'reserve'), report), report);
  const secrets = openFileSecretStore(path, store.id);
  const recordsIn = (other: SecretStore) =>
    tokenRecordsIn({
      ...{ secrets: other, list, report, mayDelete: maySweep },
      unlisted: ids => void told.unlisted.push(ids),
      damaged: row => void told.damaged.push(row.row),
    });
  const records = recordsIn(secrets);
  await records.load();
  for (const record of saved) await records.save(record);
  const loaded = async () => (await records.load()).map(({ name }) => name);
  return { path, store, secrets, records, recordsIn, told, loaded };
}

test('one that the store doesn’t list doesn’t count, and is reported', async () => {
  const { secrets, told, loaded } = await begun([recordOf(1)]);
  await secrets.write('token', idOf(2), JSON.stringify(recordOf(2)));
  expect(await loaded()).toEqual(['n1']);
  expect(told).toEqual({ reported: [], unlisted: [[idOf(2)]], damaged: [] });
  expect(await secrets.list('token')).toEqual([idOf(1)]);
});

test('its record stays if the store may have lost its list', async () => {
  const { secrets, loaded } = await begun([recordOf(1)], false);
  await secrets.write('token', idOf(2), JSON.stringify(recordOf(2)));
  expect(await loaded()).toEqual(['n1']);
  expect(await secrets.list('token')).toEqual([idOf(1), idOf(2)]);
});

test('an older copy of the secrets restores no token that was revoked or deleted', async () => {
  const { path, store, records, secrets, loaded } = await begun([recordOf(1), recordOf(2), recordOf(3)]);
  const before = readFileSync(path, 'utf8');
  await records.end(idOf(1), revokedAt);
  await records.end(idOf(2), null);
  writeFileSync(path, before);
  expect(await records.load()).toEqual([recordOf(1, { revokedAt }), recordOf(3)]);
  expect(await secrets.list('token')).toEqual([idOf(1), idOf(3)]);
  expect(await store.knex('tokens').orderBy('id').pluck('id')).toEqual([idOf(1), idOf(3)]);
  expect(await loaded()).toEqual(['n1', 'n3']);
});

test('one is revoked even if only its record says so', async () => {
  const { records, secrets } = await begun([recordOf(1)]);
  await secrets.write('token', idOf(1), JSON.stringify(recordOf(1, { revokedAt })));
  expect(await records.load()).toEqual([recordOf(1, { revokedAt })]);
});

test('another’s record in its place, and an unreadable one, are damage', async () => {
  const { secrets, told, loaded } = await begun([recordOf(1), recordOf(2), recordOf(3)]);
  await secrets.write('token', idOf(1), JSON.stringify(recordOf(3, { scope: 'fullAccess' })));
  await secrets.write('token', idOf(2), '{');
  expect(await loaded()).toEqual(['n3']);
  expect(told.damaged).toEqual([idOf(1), idOf(2)].map(id => `"token/${id}"`));
});

test('an unreadable store of secrets isn’t a store without tokens', async () => {
  const { secrets, recordsIn } = await begun([recordOf(1)]);
  const locked: SecretStore = { ...secrets, read: async () => ({ kind: 'unavailable', problem: 'locked' }) };
  await expect(recordsIn(locked).load()).rejects.toThrow('locked');
});

test('a token that the store can’t list leaves no record, and doesn’t exist', async () => {
  const { store, secrets, records, told } = await begun([]);
  await store.write(
    store.knex.raw("create trigger full before insert on tokens begin select raise(abort, 'full'); end"),
  );
  await expect(records.save(recordOf(1))).rejects.toThrow('full');
  expect(await secrets.list('token')).toEqual([]);
  expect(told.reported).toEqual([]);
});

test('an end that the store has but the record can’t store is reported, and is no failure', async () => {
  const { path, records, told, loaded } = await begun([recordOf(1), recordOf(2)]);
  await records.end(idOf(1), revokedAt);
  await records.end(idOf(2), null);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, 'garbage');
  await records.save(recordOf(1, { revokedAt }));
  await records.delete(idOf(2));
  expect(told.reported).toHaveLength(2);
  writeFileSync(path, before);
  expect(await loaded()).toEqual(['n1']);
});
