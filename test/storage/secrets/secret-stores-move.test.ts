/**
 * The move from the file into the keychain, interrupted at each step: no secret is lost, and none
 * stays in the wrong place.
 */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { SecretStoreUnavailable } from '../../../daemon/access/secret-store.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { findIndex } from '../../../daemon/storage/secrets/keychain-index.ts';
import { moveSecretsToKeychain } from '../../../daemon/storage/secrets/keychain-move.ts';
import type { Keychain } from '../../../daemon/storage/secrets/keychain-process.ts';
import { openSecretStores, type SecretStoresPorts } from '../../../daemon/storage/secrets/secret-stores.ts';
import { openStore, type Store } from '../../../daemon/storage/store/store.ts';
import { recordStore } from '../../../daemon/storage/store/store-record.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { describeWithKeychain } from '../keychain-for-tests.ts';

const folder = temporaryFolder();
const undo: (() => Promise<void>)[] = [];
const kept = {
  'password/a': 'pässwörd',
  'token/t': '{"record":1}',
  'shell/secret': 'abc',
  'activity/key': 'def',
} as const;
let homes = 0;

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

describeWithKeychain('the move into the keychain', under => {
  async function homeWithFile(): Promise<SecretStoresPorts & { readonly store: Store }> {
    homes += 1;
    const store = await openStore(join(folder, `${homes}.db`));
    undo.push(() => store.close());
    await store.recordSecretBackend('file');
    const secretsPath = join(folder, `secrets-${homes}.json`);
    const file = openFileSecretStore(secretsPath, store.id);
    await file.write('password', 'a', kept['password/a']);
    await file.write('token', 't', kept['token/t']);
    await file.write('shell', 'secret', kept['shell/secret']);
    await file.write('activity', 'key', kept['activity/key']);
    const storeRecordPath = join(folder, `store-${homes}.json`);
    recordStore(storeRecordPath, store.id, 'file');
    return { store, secretsPath, storeRecordPath, keychain: under().keychain };
  }

  async function everythingIn(ports: SecretStoresPorts): Promise<Record<string, unknown>> {
    const { secrets } = await openSecretStores(ports);
    const found: Record<string, unknown> = {};
    for (const kind of ['password', 'token', 'shell', 'activity'] as const) {
      for (const id of await secrets.list(kind)) {
        const read = await secrets.read(kind, id);
        found[`${kind}/${id}`] = read.kind === 'found' ? read.value : read;
      }
    }
    return found;
  }

  async function itemsInKeychain(storeId: string): Promise<readonly string[]> {
    const present: string[] = [];
    for (const account of Object.keys(kept)) {
      if ((await under().keychain.get(`${storeId}/${account}`)) !== null) present.push(account);
    }
    return present;
  }

  const filesBeside = (ports: SecretStoresPorts): readonly string[] =>
    readdirSync(folder).filter(name => join(folder, name).startsWith(ports.secretsPath));

  test('each secret is moved, the file is gone, and the same object continues', async () => {
    const ports = await homeWithFile();
    writeFileSync(`${ports.secretsPath}.left-by-a-crash.tmp`, 'secret', { mode: 0o600 });
    const stores = await openSecretStores(ports);
    const late = stores.moveToKeychain();
    // Asked during the move: it must go where the secrets are afterwards.
    const during = stores.secrets.write('password', 'during', 'written during the move');
    await Promise.all([late, during]);
    expect(stores.secrets.backend).toBe('keychain');
    expect(stores.notes()).toEqual([]);
    expect(await ports.store.secretBackend()).toBe('keychain');
    expect(filesBeside(ports)).toEqual([]);
    await stores.moveToKeychain();
    expect(await everythingIn(ports)).toEqual({ ...kept, 'password/during': 'written during the move' });
  });

  test('interrupted at any step, nothing is lost, no part of it counts, and it is asked for again', async () => {
    let endings = { done: 0, toDo: 0 };
    for (let steps = 0; ; steps += 1) {
      const ports = await homeWithFile();
      const crash = crashAfter(steps);
      const moved = moveSecretsToKeychain(crash.ports(ports)).then(() => 'moved' as const);
      const ending = await Promise.race([moved, crash.happened]);
      const listed = (await findIndex(under().keychain, ports.store.id))?.accounts.length ?? 0;
      expect([0, Object.keys(kept).length]).toContain(listed);
      expect(await everythingIn(ports)).toEqual(kept);
      const backend = await ports.store.secretBackend();
      if (backend === 'keychain') {
        endings = { ...endings, done: endings.done + 1 };
        const stores = await openSecretStores(ports);
        if (existsSync(ports.secretsPath)) expect(stores.notes()).toEqual([expect.stringMatching(/is not used/)]);
      } else {
        endings = { ...endings, toDo: endings.toDo + 1 };
        expect(existsSync(ports.secretsPath)).toBe(true);
        const stores = await openSecretStores(ports);
        await stores.secrets.delete('password', 'a');
        await stores.moveToKeychain();
        const { 'password/a': _deleted, ...rest } = kept;
        expect(await everythingIn(ports)).toEqual(rest);
        if (listed > 0) expect(await itemsInKeychain(ports.store.id)).not.toContain('password/a');
      }
      if (ending === 'moved') break;
    }
    expect(endings.toDo).toBeGreaterThan(10);
    expect(endings.done).toBeGreaterThan(1);
  }, 120_000);

  test('refused by the keychain at any step, the file stays in use', async () => {
    for (const at of [5, 9, 12]) {
      const ports = await homeWithFile();
      const stores = await openSecretStores({ ...ports, keychain: failingOnce(ports.keychain, at) });
      await expect(stores.moveToKeychain()).rejects.toThrow(SecretStoreUnavailable);
      expect(stores.secrets.backend).toBe('file');
      expect(await ports.store.secretBackend()).toBe('file');
      expect(await everythingIn(ports)).toEqual(kept);
    }
  });

  test('interrupted, then the file and its record taken away: some copies never stand for all secrets', async () => {
    const ports = await homeWithFile();
    const crash = crashAfter(12);
    void moveSecretsToKeychain(crash.ports(ports));
    await crash.happened;
    expect(await itemsInKeychain(ports.store.id)).not.toEqual([]);
    rmSync(ports.secretsPath);
    rmSync(ports.storeRecordPath);
    await expect(openSecretStores(ports)).rejects.toThrow(/restore it from a backup/);
  });

  test('a database from before the move, put back after it, leads to the keychain; a locked one isn’t bypassed', async () => {
    const ports = await homeWithFile();
    await (await openSecretStores(ports)).moveToKeychain();
    recordStore(ports.storeRecordPath, ports.store.id, 'keychain');
    await ports.store.recordSecretBackend('file');
    const stores = await openSecretStores(ports);
    expect(stores.secrets.backend).toBe('keychain');
    expect(stores.notes()).toEqual([expect.stringMatching(/older copy/)]);
    expect(await everythingIn(ports)).toEqual(kept);
    expect(await ports.store.secretBackend()).toBe('keychain');
    expect(existsSync(ports.secretsPath)).toBe(false);
    await ports.store.recordSecretBackend('file');
    await under().service.lock();
    await expect(openSecretStores({ ...ports, keychain: under().open() })).rejects.toThrow(/keychain is locked/);
    expect(await ports.store.secretBackend()).toBe('file');
    expect(existsSync(ports.secretsPath)).toBe(false);
    await under().service.end();
    await under().service.begin('unlocked');
    expect(await everythingIn({ ...ports, keychain: under().open() })).toEqual(kept);
  });

  test('a file that differs from what was moved is left alone, and reported', async () => {
    const ports = await homeWithFile();
    await (await openSecretStores(ports)).moveToKeychain();
    const file = openFileSecretStore(ports.secretsPath, ports.store.id);
    await file.write('password', 'a', 'from an old backup');
    const stores = await openSecretStores(ports);
    expect(await stores.secrets.read('password', 'a')).toEqual({ kind: 'found', value: kept['password/a'] });
    expect(stores.notes()).toEqual([expect.stringMatching(/is not used/)]);
    expect(existsSync(ports.secretsPath)).toBe(true);
  });
});

/** Lets so many steps happen and then none: kill -9, after which no code of ours runs. */
function crashAfter(steps: number) {
  let left = steps;
  let tell = (): void => {};
  const happened = new Promise<'crashed'>(resolve => {
    tell = () => resolve('crashed');
  });
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (left === 0) {
      tell();
      return new Promise<never>(() => {});
    }
    left -= 1;
    return work();
  }
  const ports = ({ store, keychain, ...places }: SecretStoresPorts): SecretStoresPorts => ({
    ...places,
    store: {
      id: store.id,
      secretBackend: () => store.secretBackend(),
      async recordSecretBackend(backend) {
        await step(() => store.recordSecretBackend(backend));
        // One more step after it: between the record and the removal of the file.
        await step(async () => {});
      },
    },
    keychain: {
      get: account => step(() => keychain.get(account)),
      set: (account, value) => step(() => keychain.set(account, value)),
      delete: account => step(() => keychain.delete(account)),
      close: () => keychain.close(),
    },
  });
  return { happened, ports };
}

function failingOnce(keychain: Keychain, at: number): Keychain {
  let calls = 0;
  const count = (): void => {
    calls += 1;
    if (calls === at) throw new SecretStoreUnavailable("The keychain can't be used: the test says so.");
  };
  return {
    async get(account) {
      count();
      return keychain.get(account);
    },
    async set(account, value) {
      count();
      return keychain.set(account, value);
    },
    async delete(account) {
      count();
      return keychain.delete(account);
    },
    close: () => keychain.close(),
  };
}
