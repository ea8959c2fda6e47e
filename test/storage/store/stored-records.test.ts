/**
 * Each record in a home or keychain has one sample in shared/fixtures/home, which Sallyport's other
 * programs decode too. Here the daemon and its shells read each one, and the daemon's own output is
 * compared with it.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadOwnerPassphrase } from '../../../daemon/access/privilege-increases/passphrase.ts';
import { type SecretKind, type SecretStore, secretKinds } from '../../../daemon/access/secret-store.ts';
import { firstMac, headText, keyIdOf, macOf, sealOf } from '../../../daemon/storage/activity/chain.ts';
import { parseHead } from '../../../daemon/storage/activity/head-text.ts';
import { writeHandshake } from '../../../daemon/storage/handshake-file.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { itemAccount, readIndex, writeIndex } from '../../../daemon/storage/secrets/keychain-index.ts';
import type { Keychain } from '../../../daemon/storage/secrets/keychain-process.ts';
import { openKeychainSecretStore } from '../../../daemon/storage/secrets/keychain-secret-store.ts';
import { passphraseIn } from '../../../daemon/storage/secrets/passphrase.ts';
import { tokenRecordsIn } from '../../../daemon/storage/secrets/token-records.ts';
import { openReserve } from '../../../daemon/storage/store/reserve.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { recordStore } from '../../../daemon/storage/store/store-record.ts';
import { tokenListIn } from '../../../daemon/storage/store/token-list.ts';
import { readHandshake } from '../../../shared/handshake.ts';
import { keychainName, shellSecretAccount } from '../../../shared/keychain-call.ts';
import { readStoreRecord } from '../../../shared/store-record.ts';
import { readShellSecret } from '../../../shell-terminal/shell-secret.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const samples = new URL('../../../shared/fixtures/home/', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, samples), 'utf8');
const sample = (name: string) => JSON.parse(text(name));
const folder = temporaryFolder();

/** Where it may be trusted: a private file in a private folder. */
function placed(name: string): string {
  const home = join(folder, name.replaceAll('.', '-'));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, name);
  writeFileSync(path, text(name), { mode: 0o600 });
  return path;
}

/** What was written to it, by account. */
function keychainInMemory(items: Map<string, string>): Keychain {
  return {
    get: async account => items.get(account) ?? null,
    set: async (account, value) => void items.set(account, value),
    delete: async account => void items.delete(account),
    close: async () => {},
  };
}

test('there is one of each and no other', () => {
  const expected = ['activity-row', 'keychain-items', 'mcp-handshake', 'secrets', 'store'];
  expect(readdirSync(samples).sort()).toEqual(expected.map(name => `${name}.json`));
});

test('store.json', () => {
  const record = sample('store.json');
  expect(readStoreRecord(placed('store.json'))).toEqual({ kind: 'read', record });
  const written = join(folder, 'store.json');
  recordStore(written, record.store, record.secrets);
  expect(JSON.parse(readFileSync(written, 'utf8'))).toEqual(record);
});

test('mcp-handshake.json', () => {
  const handshake = sample('mcp-handshake.json');
  expect(readHandshake(placed('mcp-handshake.json'))).toEqual({ kind: 'read', handshake });
  const written = join(folder, 'mcp-handshake.json');
  writeHandshake(written, handshake);
  expect(JSON.parse(readFileSync(written, 'utf8'))).toEqual(handshake);
});

test('secrets.json, with a secret of each kind, each of the form its reader knows', async () => {
  const { store: storeId, secrets } = sample('secrets.json');
  const path = placed('secrets.json');
  const file = openFileSecretStore(path, storeId);
  const kinds = new Set(Object.keys(secrets).map(account => account.split('/')[0]));
  expect([...kinds].sort()).toEqual([...secretKinds].sort());
  expect(readShellSecret(path)).toEqual({ kind: 'found', secret: secrets['shell/secret'] });

  const store = await openStore(join(folder, 'sallyport.db'));
  const report = (error: unknown): never => {
    throw error;
  };
  const list = tokenListIn(store, openReserve(join(folder, 'reserve'), report), report, true);
  const recordsIn = (secrets: SecretStore) =>
    tokenRecordsIn({ secrets, list, report, unlisted: report, mayDelete: true, damaged: report });
  const [token] = await recordsIn(file).load();
  if (token === undefined) throw new Error('no token');
  const copy = openFileSecretStore(join(folder, 'secrets.json'), storeId);
  for (const [account, value] of Object.entries<string>(secrets)) {
    const [kind = '', id = ''] = account.split('/');
    if (kind !== 'token') await copy.write(kind as SecretKind, id, value);
  }
  await recordsIn(copy).save(token);
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual(sample('secrets.json'));

  const ports = {
    store: passphraseIn(file, store),
    now: Date.now,
    ranMilliseconds: Date.now,
    randomBytes: Buffer.alloc,
    newId: () => 'none',
    isConfirmedByRoot: () => false,
  };
  expect((await loadOwnerPassphrase(ports)).state()).toBe('set');
  await store.close();
});

test('the same in a keychain: an item each, and the one that lists them', async () => {
  const { service, items } = sample('keychain-items.json') as {
    readonly service: string;
    readonly items: readonly { readonly account: string; readonly value: string }[];
  };
  const { store: storeId, secrets } = sample('secrets.json');
  expect(service).toBe(keychainName);
  const kept = new Map(items.map(({ account, value }) => [account, value]));
  const { accounts } = await readIndex(keychainInMemory(kept), storeId);
  expect(accounts).toEqual(Object.keys(secrets));
  expect(kept.get(shellSecretAccount(storeId))).toBe(secrets['shell/secret']);
  for (const account of accounts) expect(kept.get(itemAccount(storeId, account))).toBe(secrets[account]);

  const written = new Map<string, string>();
  const keychain = keychainInMemory(written);
  await writeIndex(keychain, storeId, []);
  const opened = openKeychainSecretStore(keychain, storeId);
  for (const account of accounts) {
    const [kind = '', id = ''] = account.split('/');
    await opened.write(kind as SecretKind, id, secrets[account]);
  }
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(kept));
});

test('a row of the activity log, under its key, and the head after it', () => {
  const { key: keyText, row, head, seal } = sample('activity-row.json');
  const key = Buffer.from(keyText, 'base64');
  const { number, previous, mac, ...facts } = row;
  expect(previous).toBeNull();
  // This result may never change: logs written earlier would look edited.
  expect(macOf(key, firstMac, number, facts).toString('hex')).toBe(mac);
  const { store, secrets } = sample('secrets.json');
  const parsed = parseHead(JSON.stringify(head));
  if (parsed === null) throw new Error('no head');
  expect(parsed.keyId).toBe(keyIdOf(key));
  expect(parsed.last).toEqual({ number, mac: Buffer.from(mac, 'hex') });
  expect(JSON.parse(headText(parsed))).toEqual(head);
  const sealed = sealOf(key, store, headText(parsed));
  expect(sealed.toString('hex')).toBe(seal);
  expect(secrets['activity/head']).toBe(`${headText(parsed)}\n${sealed.toString('base64')}`);
  expect(secrets['activity/key']).toBe(keyText);
});

test('a row of the activity log has each column of its table, in the sample too', async () => {
  const store = await openStore(join(folder, 'columns.db'));
  const columns: { name: string }[] = await store.knex.raw('pragma table_info(activity)');
  expect(Object.keys(sample('activity-row.json').row).sort()).toEqual(columns.map(({ name }) => name).sort());
  await store.close();
});
