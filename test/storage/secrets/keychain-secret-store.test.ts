/** The keychain adapter against a real gnome-keyring: unlocked, locked, gone and back. */

import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import type { SecretStore } from '../../../daemon/access/secret-store.ts';
import { readIndex, writeIndex } from '../../../daemon/storage/secrets/keychain-index.ts';
import type { Keychain } from '../../../daemon/storage/secrets/keychain-process.ts';
import { openKeychainSecretStore } from '../../../daemon/storage/secrets/keychain-secret-store.ts';
import { describeWithKeychain, newStoreId } from '../keychain-for-tests.ts';

describeWithKeychain('secrets in the keychain', under => {
  async function newStore(id = newStoreId()): Promise<SecretStore> {
    await writeIndex(under().keychain, id, []);
    return openKeychainSecretStore(under().keychain, id);
  }

  test('a secret is found, absent, overwritten, listed by kind and deleted', async () => {
    const id = newStoreId();
    const secrets = await newStore(id);
    expect(await secrets.read('password', 'a')).toEqual({ kind: 'absent' });
    await secrets.write('password', 'a', 'pässwörd 😀');
    await secrets.write('token', 't', '{"line":"one\\n"}');
    await secrets.write('password', 'a', 'another 😀');
    const again = openKeychainSecretStore(under().open(), id);
    expect(await again.read('password', 'a')).toEqual({ kind: 'found', value: 'another 😀' });
    expect(await again.list('password')).toEqual(['a']);
    await secrets.delete('password', 'a');
    await secrets.delete('password', 'a');
    expect(await again.read('password', 'a')).toEqual({ kind: 'absent' });
    expect(await again.list('password')).toEqual([]);
    expect(await again.list('token')).toEqual(['t']);
    expect((await readIndex(under().keychain, id)).accounts).toEqual(['token/t']);
  });

  test('two stores in one keychain never see each other', async () => {
    const [one, other] = [await newStore(), await newStore()];
    await one.write('shell', 'secret', 'of one');
    expect(await other.read('shell', 'secret')).toEqual({ kind: 'absent' });
    await other.delete('shell', 'secret');
    expect(await other.list('shell')).toEqual([]);
    expect(await one.read('shell', 'secret')).toEqual({ kind: 'found', value: 'of one' });
  });

  test('items are under spec §1’s service and account, and not in plaintext on disk', async () => {
    const id = newStoreId();
    const secrets = await newStore(id);
    await secrets.write('shell', 'secret', 'plain-to-be-searched-for');
    expect(await under().keychain.get(`${id}/shell/secret`)).toBe('plain-to-be-searched-for');
    const bytes = under().service.bytesOnDisk();
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.includes('plain-to-be-searched-for')).toBe(false);
  });

  test.each(['', 'a\0b', '\ud800'])('%j is refused, as the keychain would give back another', async value => {
    const secrets = await newStore();
    await secrets.write('password', 'b', 'kept');
    await expect(secrets.write('password', 'b', value)).rejects.toThrow(TypeError);
    expect(await secrets.read('password', 'b')).toEqual({ kind: 'found', value: 'kept' });
  });

  test('writes at once all stay', async () => {
    const secrets = await newStore();
    const ids = Array.from({ length: 20 }, (_, number) => `t${number}`);
    await Promise.all(ids.map(id => secrets.write('token', id, `record ${id}`)));
    expect([...(await secrets.list('token'))].sort()).toEqual([...ids].sort());
    await Promise.all(ids.slice(0, 10).map(id => secrets.delete('token', id)));
    expect([...(await secrets.list('token'))].sort()).toEqual(ids.slice(10).sort());
  });

  test('an item removed by hand is absent, isn’t listed, and can be written again', async () => {
    const id = newStoreId();
    const secrets = await newStore(id);
    await secrets.write('token', 'x', '1');
    await secrets.write('token', 'y', '2');
    await under().keychain.delete(`${id}/token/x`);
    expect(await secrets.read('token', 'x')).toEqual({ kind: 'absent' });
    expect(await secrets.list('token')).toEqual(['y']);
    await secrets.write('token', 'x', '3');
    expect(await secrets.read('token', 'x')).toEqual({ kind: 'found', value: '3' });
  });

  test('locked or unlocked during a read, an item is never absent', async () => {
    const id = newStoreId();
    await (await newStore(id)).write('password', 'a', 'there');
    const schedules = ['LUUU', 'LLUU', 'LLLU', 'LUUL', 'LULL', 'LLUL', 'LLLL', 'ULLL'];
    for (const schedule of schedules) {
      const secrets = openKeychainSecretStore(lockedBy(schedule, under().keychain), id);
      const { kind } = await secrets.read('password', 'a');
      expect({ schedule, kind }).not.toEqual({ schedule, kind: 'absent' });
    }
  });

  test('without the index nothing counts as absent, nothing is written, nothing deleted', async () => {
    const id = newStoreId();
    const secrets = openKeychainSecretStore(under().keychain, id);
    await under().keychain.set(`${id}/token/kept`, 'kept');
    expect(await secrets.read('token', 'gone')).toMatchObject({ kind: 'unavailable', problem: /locked/ });
    await expect(secrets.write('token', 'new', 'x')).rejects.toThrow(/locked/);
    await expect(secrets.write('token', 'kept', 'x')).rejects.toThrow(/locked/);
    await expect(secrets.delete('token', 'kept')).rejects.toThrow(/locked/);
    await expect(secrets.list('token')).rejects.toThrow(/locked/);
    expect(await under().keychain.get(`${id}/token/kept`)).toBe('kept');
    expect(await under().keychain.get(`${id}/token/new`)).toBeNull();
  });

  test('a secret that the keychain keeps though told to delete it is reported, and stays listed', async () => {
    const id = newStoreId();
    await (await newStore(id)).write('token', 'x', 'still there');
    const secrets = openKeychainSecretStore({ ...under().keychain, delete: async () => {} }, id);
    await expect(secrets.delete('token', 'x')).rejects.toThrow(/did not delete a secret/);
    expect(await secrets.list('token')).toEqual(['x']);
  });

  test('a damaged index is unavailable, and left alone', async () => {
    const id = newStoreId();
    const secrets = await newStore(id);
    await under().keychain.set(`${id}/store/index`, '{"version":1,"accounts":["other/x"]}');
    expect(await secrets.read('token', 'gone')).toMatchObject({ kind: 'unavailable', problem: /damaged/ });
    await expect(secrets.write('token', 'new', 'x')).rejects.toThrow(/damaged/);
    expect(await under().keychain.get(`${id}/store/index`)).toMatch(/other/);
  });

  test('locked: each answer is unavailable and nothing changes; unlocked again, everything is there', async () => {
    const { service } = under();
    const id = newStoreId();
    const secrets = await newStore(id);
    await secrets.write('password', 'a', 'before the lock');
    await service.lock();
    // The keychain itself says so, even about an item that doesn't exist, and the index is there.
    await expect(under().keychain.get(`${id}/password/a`)).rejects.toThrow('The keychain is locked; unlock it');
    expect(await under().keychain.get(`${id}/password/never`)).toBeNull();
    const before = service.bytesOnDisk();
    expect(await secrets.read('password', 'a')).toMatchObject({ kind: 'unavailable', problem: /locked/ });
    expect(await secrets.read('password', 'never')).toMatchObject({ kind: 'unavailable', problem: /locked/ });
    await expect(secrets.list('password')).rejects.toThrow(/locked/);
    await expect(secrets.write('password', 'a', 'overwritten')).rejects.toThrow(/locked/);
    await expect(secrets.write('password', 'new', 'x')).rejects.toThrow(/locked/);
    await expect(secrets.delete('password', 'a')).rejects.toThrow(/locked/);
    expect(service.bytesOnDisk().equals(before)).toBe(true);
    await service.end();
    await service.begin('unlocked');
    expect(await secrets.read('password', 'a')).toEqual({ kind: 'found', value: 'before the lock' });
    expect(await secrets.read('password', 'never')).toEqual({ kind: 'absent' });
    expect(await secrets.list('password')).toEqual(['a']);
  });

  test('locked while the daemon starts', async () => {
    const { service } = under();
    const id = newStoreId();
    await (await newStore(id)).write('password', 'a', 'kept');
    await service.end();
    await service.begin('locked');
    const fresh = openKeychainSecretStore(under().open(), id);
    expect((await fresh.read('password', 'a')).kind).toBe('unavailable');
    await expect(fresh.delete('password', 'a')).rejects.toThrow();
    await service.end();
    await service.begin('unlocked');
    const after = openKeychainSecretStore(under().open(), id);
    expect(await after.read('password', 'a')).toEqual({ kind: 'found', value: 'kept' });
  });

  test('the keychain process has no secret in its arguments or environment', async () => {
    const secrets = await newStore();
    await secrets.write('password', 'a', 'not-for-ps-to-see');
    const listed = execFileSync('ps', ['-A', 'e', '-ww', '-o', 'args='], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    // Without `toContain`, whose failure would print each program's environment.
    expect(listed.includes('keychain-worker.')).toBe(true);
    expect(listed.includes('not-for-ps-to-see')).toBe(false);
  });
});

/**
 * Call by call, as a Secret Service answers that is locked (L: null for everything) or unlocked
 * (U).
 */
function lockedBy(schedule: string, keychain: Keychain): Keychain {
  let calls = 0;
  return {
    ...keychain,
    async get(account) {
      calls += 1;
      return schedule[calls - 1] === 'L' ? null : keychain.get(account);
    },
  };
}
