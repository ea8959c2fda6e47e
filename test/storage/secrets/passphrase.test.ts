/**
 * What is stored of the owner passphrase: an unreadable hash doesn't count as none, and wrong tries
 * outlive the run.
 */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { SecretStore } from '../../../daemon/access/secret-store.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { passphraseIn } from '../../../daemon/storage/secrets/passphrase.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function opened(home = mkdtempSync(join(folder, 'home-'))) {
  const store = await openStore(join(home, 'sallyport.db'));
  undo.push(() => store.close());
  const secrets = openFileSecretStore(join(home, 'secrets.json'), store.id);
  return { home, store, secrets, kept: passphraseIn(secrets, store) };
}

test('is found as it was saved, is absent before, and doesn’t count as absent if the secrets can’t be read', async () => {
  const { store, secrets, kept } = await opened();
  expect(await kept.load()).toBeNull();
  await kept.save('a hash');
  expect(await kept.load()).toBe('a hash');
  const locked: SecretStore = { ...secrets, read: async () => ({ kind: 'unavailable', problem: 'locked' }) };
  await expect(passphraseIn(locked, store).load()).rejects.toThrow('locked');
  // If it is gone only from the secrets, it counts as damaged: else the next person would become
  // the owner.
  await secrets.delete('passphrase', 'owner');
  expect(await kept.load()).toBe('');
});

test('the newest count of wrong tries outlives the run, and an unreadable one counts as none', async () => {
  const { home, kept } = await opened();
  expect(await kept.loadTries()).toEqual({ wrong: 0, lastAt: 0 });
  for (const wrong of [1, 2]) await kept.saveTries({ wrong, lastAt: wrong * 1_000 });
  const { store, kept: again } = await opened(home);
  expect(await again.loadTries()).toEqual({ wrong: 2, lastAt: 2_000 });
  for (const value of ['{', 'null', '{"wrong":"many","lastAt":{}}']) {
    await store.write(store.knex('settings').where({ key: 'passphrase.tries' }).update({ value }));
    expect(await again.loadTries()).toEqual({ wrong: 0, lastAt: 0 });
  }
});
