/**
 * Where a store's secrets are looked for if database, store.json, secrets.json and keychain
 * disagree, or some are gone. A start that would lose the passphrase, tokens and keys of the store
 * is refused and changes nothing.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SecretStoreUnavailable } from '../../../daemon/access/secret-store.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { findIndex, writeIndex } from '../../../daemon/storage/secrets/keychain-index.ts';
import { type Keychain, openKeychain } from '../../../daemon/storage/secrets/keychain-process.ts';
import { openKeychainSecretStore } from '../../../daemon/storage/secrets/keychain-secret-store.ts';
import { openSecretStores } from '../../../daemon/storage/secrets/secret-stores.ts';
import { openStore, type SecretBackend } from '../../../daemon/storage/store/store.ts';
import { recordStore } from '../../../daemon/storage/store/store-record.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { describeWithKeychain, newStoreId, patient } from '../keychain-for-tests.ts';

const folder = temporaryFolder();
const undo: (() => Promise<void>)[] = [];
let homes = 0;

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

type InRecord = 'file' | 'keychain' | 'absent' | 'garbage' | 'another';
type InFile = 'kept' | 'absent' | 'garbage' | 'another';
type InDatabase = SecretBackend | 'new';

/** Begins with the place in use, or matches the refusal's sentence. */
type Expected = 'file: kept' | 'file: empty' | 'keychain: kept' | 'keychain: empty' | RegExp;

/** Makes a home in the given state, then starts; a refused start must change nothing. */
async function start(keychain: Keychain, database: InDatabase, record: InRecord, file: InFile, moved = false) {
  homes += 1;
  const store = await openStore(join(folder, `${homes}.db`));
  undo.push(() => store.close());
  const secretsPath = join(folder, `secrets-${homes}.json`);
  const storeRecordPath = join(folder, `store-${homes}.json`);
  if (database !== 'new') await store.recordSecretBackend(database);
  if (record === 'garbage') writeFileSync(storeRecordPath, '{"version":1', { mode: 0o600 });
  else if (record !== 'absent')
    recordStore(
      storeRecordPath,
      ...(record === 'another' ? ([newStoreId(), 'file'] as const) : ([store.id, record] as const)),
    );
  if (file === 'garbage') writeFileSync(secretsPath, '{"version":1', { mode: 0o600 });
  else if (file !== 'absent')
    await openFileSecretStore(secretsPath, file === 'kept' ? store.id : newStoreId()).write(
      'passphrase',
      'owner',
      'kept',
    );
  if (moved) {
    await writeIndex(keychain, store.id, []);
    await openKeychainSecretStore(keychain, store.id).write('passphrase', 'owner', 'kept');
  }

  const before = await everything();
  async function everything() {
    const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
    const index = moved ? await findIndex(keychain, store.id) : null;
    return [await store.secretBackend(), text(secretsPath), text(storeRecordPath), index];
  }
  try {
    const { secrets } = await openSecretStores({ store, keychain, secretsPath, storeRecordPath });
    const read = await secrets.read('passphrase', 'owner');
    expect(await store.secretBackend()).toBe(secrets.backend);
    return `${secrets.backend}: ${read.kind === 'found' ? read.value : read.kind === 'absent' ? 'empty' : read.problem}`;
  } catch (error) {
    if (!(error instanceof SecretStoreUnavailable)) throw error;
    expect(await everything()).toEqual(before);
    expect(error.message).toMatch(/^[^\n]*(restore|put|unlock|keychain can be reached)[^\n]*\.$/);
    return error.message;
  }
}

const gone = /secrets-\d+\.json is missing.*restore it from a backup/;
const foreignFile = /secrets-\d+\.json belongs to another store/;
const foreignDatabase = /store-\d+\.json names another store than the database/;
const databaseGone = /database is new, but .*store-\d+\.json is of a store before it/;
const damaged = /not valid JSON; restore it from a backup/;
const noKeychain = /secrets of this store are in the keychain.*keychain can't be used/;

describe('without a keychain', () => {
  const table: [InDatabase, InRecord, InFile, Expected][] = [
    // The only way to begin.
    ['new', 'absent', 'absent', 'file: empty'],
    // As each later start.
    ['file', 'file', 'kept', 'file: kept'],
    // `store.json` can be made again if the rest agrees.
    ['file', 'absent', 'kept', 'file: kept'],
    ['file', 'garbage', 'kept', 'file: kept'],
    ['new', 'absent', 'kept', 'file: kept'],
    ['new', 'file', 'kept', 'file: kept'],
    // The stored secrets are nowhere.
    ['file', 'file', 'absent', gone],
    ['file', 'absent', 'absent', gone],
    ['file', 'garbage', 'absent', gone],
    ['new', 'file', 'absent', gone],
    ['new', 'garbage', 'absent', databaseGone],
    ['new', 'another', 'absent', foreignDatabase],
    ['new', 'another', 'another', foreignDatabase],
    ['new', 'absent', 'another', foreignFile],
    // Parts of two stores.
    ['file', 'another', 'kept', foreignDatabase],
    ['file', 'another', 'absent', foreignDatabase],
    ['keychain', 'another', 'absent', foreignDatabase],
    ['file', 'file', 'another', foreignFile],
    ['file', 'absent', 'another', foreignFile],
    // Unreadable doesn't mean empty.
    ['file', 'file', 'garbage', damaged],
    ['file', 'absent', 'garbage', damaged],
    ['new', 'absent', 'garbage', damaged],
    // In a keychain that isn't here: never a switch to a file, whatever says so and whichever file
    // is there.
    ['file', 'keychain', 'absent', noKeychain],
    ['file', 'keychain', 'kept', noKeychain],
    ['new', 'keychain', 'absent', noKeychain],
    ['keychain', 'keychain', 'absent', noKeychain],
    ['keychain', 'file', 'kept', noKeychain],
    ['keychain', 'absent', 'kept', noKeychain],
    ['keychain', 'absent', 'absent', noKeychain],
    ['keychain', 'garbage', 'absent', noKeychain],
  ];
  test.each(table)('database %s, store.json %s, secrets.json %s', async (database, record, file, expected) => {
    const environment = { HOME: folder, DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/none` };
    const keychain = openKeychain({ environment, limits: patient });
    undo.push(() => keychain.close());
    expect(await start(keychain, database, record, file)).toEqual(asExpected(expected));
  });
});

describeWithKeychain('with a keychain', under => {
  const both = /both .*secrets-\d+\.json and the keychain hold secrets of this store/;
  const locked = /keychain is locked, or it is not the one/;
  const table: [InDatabase, InRecord, InFile, 'moved' | 'empty', Expected][] = [
    ['new', 'absent', 'absent', 'empty', 'keychain: empty'],
    ['file', 'file', 'kept', 'empty', 'file: kept'],
    ['file', 'absent', 'kept', 'empty', 'file: kept'],
    ['keychain', 'keychain', 'absent', 'moved', 'keychain: kept'],
    ['keychain', 'absent', 'absent', 'moved', 'keychain: kept'],
    ['keychain', 'garbage', 'absent', 'moved', 'keychain: kept'],
    // A database from before the move.
    ['file', 'keychain', 'absent', 'moved', 'keychain: kept'],
    ['file', 'absent', 'absent', 'moved', 'keychain: kept'],
    ['file', 'garbage', 'absent', 'moved', 'keychain: kept'],
    ['new', 'keychain', 'absent', 'moved', 'keychain: kept'],
    // Also with a file from before the move.
    ['file', 'absent', 'kept', 'moved', both],
    ['file', 'garbage', 'kept', 'moved', both],
    // A working keychain is no reason to start anew.
    ['file', 'file', 'absent', 'empty', gone],
    ['file', 'absent', 'absent', 'empty', gone],
    ['new', 'file', 'absent', 'empty', gone],
    ['new', 'garbage', 'absent', 'empty', databaseGone],
    ['new', 'another', 'absent', 'empty', foreignDatabase],
    ['new', 'absent', 'another', 'empty', foreignFile],
    ['new', 'absent', 'garbage', 'empty', damaged],
    ['keychain', 'keychain', 'absent', 'empty', locked],
    ['keychain', 'file', 'kept', 'empty', locked],
    ['file', 'keychain', 'kept', 'empty', locked],
  ];
  test.each(table)('database %s, store.json %s, secrets.json %s, keychain %s', async (...row) => {
    const [database, record, file, inKeychain, expected] = row;
    const started = await start(under().keychain, database, record, file, inKeychain === 'moved');
    expect(started).toEqual(asExpected(expected));
  });
});

function asExpected(expected: Expected): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}
