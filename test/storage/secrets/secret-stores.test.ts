/** Chooses once where a store's secrets are, and never again. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { decideSecretBackend } from '../../../daemon/storage/secrets/keychain-probe.ts';
import { type Keychain, openKeychain } from '../../../daemon/storage/secrets/keychain-process.ts';
import { openSecretStores, type SecretStoresPorts } from '../../../daemon/storage/secrets/secret-stores.ts';
import { openStore, type Store } from '../../../daemon/storage/store/store.ts';
import { until } from '../../waiting/until.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { describeWithKeychain, newStoreId, patient } from '../keychain-for-tests.ts';

const folder = temporaryFolder();
const undo: (() => Promise<void>)[] = [];
let homes = 0;
const keychainUnusable = { name: 'SecretStoreUnavailable', message: expect.stringMatching(/keychain can't be used/) };

interface Home {
  readonly storePath: string;
  readonly secretsPath: string;
  readonly storeRecordPath: string;
}

function newHome(): Home {
  homes += 1;
  return {
    storePath: join(folder, `${homes}.db`),
    secretsPath: join(folder, `secrets-${homes}.json`),
    storeRecordPath: join(folder, `store-${homes}.json`),
  };
}

async function openHome(home: Home, keychain: Keychain): Promise<SecretStoresPorts & { store: Store }> {
  const store = await openStore(home.storePath);
  undo.push(() => store.close());
  const { secretsPath, storeRecordPath } = home;
  return { store, secretsPath, storeRecordPath, keychain };
}

/** As on a machine without a keychain: there is no bus to find one on. */
function noKeychain(): Keychain {
  const environment = { HOME: folder, DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/none` };
  const keychain = openKeychain({ environment, limits: patient });
  undo.push(() => keychain.close());
  return keychain;
}

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

test('without a keychain a new store has its secrets in the file, says so, and remembers it', async () => {
  const home = newHome();
  const ports = await openHome(home, noKeychain());
  expect(await ports.store.secretBackend()).toBeNull();
  const { secrets, notes } = await openSecretStores(ports);
  expect(secrets.backend).toBe('file');
  expect(notes()).toEqual([expect.stringMatching(/secrets\.json/)]);
  await secrets.write('shell', 'secret', 'in the file');
  expect(readFileSync(home.secretsPath, 'utf8')).toContain('in the file');
  expect(await ports.store.secretBackend()).toBe('file');
});

test('a move without a keychain is refused, and the file stays in use', async () => {
  const home = newHome();
  const ports = await openHome(home, noKeychain());
  const stores = await openSecretStores(ports);
  await stores.secrets.write('shell', 'secret', 'kept');
  await expect(stores.moveToKeychain()).rejects.toMatchObject(keychainUnusable);
  expect(await ports.store.secretBackend()).toBe('file');
  expect(await stores.secrets.read('shell', 'secret')).toEqual({ kind: 'found', value: 'kept' });
});

test('a store whose secrets are in a keychain doesn’t start without one', async () => {
  const ports = await openHome(newHome(), noKeychain());
  await ports.store.recordSecretBackend('keychain');
  await expect(openSecretStores(ports)).rejects.toMatchObject(keychainUnusable);
  expect(await ports.store.secretBackend()).toBe('keychain');
  expect(existsSync(ports.secretsPath)).toBe(false);
});

test('an unknown place for secrets is refused, not guessed', async () => {
  const ports = await openHome(newHome(), noKeychain());
  await ports.store.write(ports.store.knex('store').insert({ key: 'secrets', value: 'cloud' }));
  await expect(openSecretStores(ports)).rejects.toThrow(/"cloud"/);
});

describeWithKeychain('with a keychain', under => {
  test('a new store has its secrets in it, and no file appears', async () => {
    const home = newHome();
    const ports = await openHome(home, under().keychain);
    const { secrets, notes } = await openSecretStores(ports);
    expect(secrets.backend).toBe('keychain');
    expect(notes()).toEqual([]);
    expect(await secrets.read('shell', 'secret')).toEqual({ kind: 'absent' });
    await secrets.write('shell', 'secret', 'in the keychain');
    expect(readdirSync(folder).filter(name => name.startsWith('secrets-') && name.endsWith('.json'))).not.toContain(
      `secrets-${homes}.json`,
    );
    const again = await openSecretStores(await openHome(home, under().open()));
    expect(await again.secrets.read('shell', 'secret')).toEqual({ kind: 'found', value: 'in the keychain' });
  });

  test('a store that uses the file keeps using it', async () => {
    const home = newHome();
    const first = await openSecretStores(await openHome(home, noKeychain()));
    await first.secrets.write('shell', 'secret', 'in the file');
    const second = await openSecretStores(await openHome(home, under().keychain));
    expect(second.secrets.backend).toBe('file');
    expect(await second.secrets.read('shell', 'secret')).toEqual({ kind: 'found', value: 'in the file' });
  });

  test('the probe leaves nothing in the keychain', async () => {
    const { service, keychain } = under();
    const id = newStoreId();
    expect(await decideSecretBackend(keychain, id)).toEqual({ backend: 'keychain' });
    // Labels and attributes are hashed on disk; only the size is visible.
    const before = service.bytesOnDisk().length;
    expect(await decideSecretBackend(keychain, id)).toEqual({ backend: 'keychain' });
    expect(Math.abs(service.bytesOnDisk().length - before)).toBeLessThan(32);
  });

  test('after a crash between the index and the record it decides again', async () => {
    const home = newHome();
    const ports = await openHome(home, under().keychain);
    const { store, keychain } = ports;
    const dying = { ...store, id: store.id, recordSecretBackend: () => new Promise<void>(() => {}) };
    const cutOff = openSecretStores({ ...ports, store: dying });
    await until(async () => (await keychain.get(`${store.id}/store/index`)) !== null, 'the index is written');
    expect(await store.secretBackend()).toBeNull();
    const { secrets } = await openSecretStores(ports);
    expect(secrets.backend).toBe('keychain');
    void cutOff;
  });

  test('locked at the start: refused with a sentence, unchanged; unlocked: everything is there', async () => {
    const { service } = under();
    const home = newHome();
    const { secrets } = await openSecretStores(await openHome(home, under().keychain));
    await secrets.write('shell', 'secret', 'kept');
    await service.lock();
    const ports = await openHome(home, under().open());
    await expect(openSecretStores(ports)).rejects.toThrow(/keychain is locked/);
    expect(await ports.store.secretBackend()).toBe('keychain');
    expect(existsSync(home.secretsPath)).toBe(false);
    // The new one beside it can't use a locked keychain either, and uses the file.
    const other = await openSecretStores(await openHome(newHome(), under().open()));
    expect(other.secrets.backend).toBe('file');
    await service.end();
    await service.begin('unlocked');
    const again = await openSecretStores(await openHome(home, under().open()));
    expect(await again.secrets.read('shell', 'secret')).toEqual({ kind: 'found', value: 'kept' });
  });
});
