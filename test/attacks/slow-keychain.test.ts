/**
 * Threat: an increase that waits for a frozen keychain keeps a person from taking access away, or
 * ends after it and gives the access back. A real Secret Service, stopped, and the built daemon.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shellSecretAccount } from '../../shared/keychain-call.ts';
import { locationsIn } from '../../shared/locations.ts';
import { readStoreRecord } from '../../shared/store-record.ts';
import { type ControlClient, connectToDaemon } from '../../shell-terminal/control-client.ts';
import { keychainItem } from '../../shell-terminal/keychain-item.ts';
import { type KeychainHome, keychainHome } from '../journeys/keychain/home.ts';
import { needs } from '../needs.ts';
import { missingForSecretService, type SecretService, startSecretService } from '../servers/secret-service.ts';
import { expectWithin } from '../waiting/limits.ts';

needs(missingForSecretService()).describe('beside an increase that waits for a frozen keychain', () => {
  let service: SecretService;
  let home: KeychainHome;
  const shells: ControlClient[] = [];
  beforeAll(async () => {
    service = await startSecretService();
    home = keychainHome(service);
    await home.startDaemon();
    for (const name of ['Kept', 'Slow', 'Gone'])
      await home.askJson(
        'connections',
        'add',
        `postgres://anna@127.0.0.1:1/${name}`,
        '--name',
        name,
        '--external-clients',
        'read-write',
      );
  }, 120_000);
  afterAll(async () => {
    service?.resume();
    for (const shell of shells) shell.close();
    await home?.clean();
    await service?.stop();
  }, 60_000);

  async function shell(): Promise<ControlClient> {
    const locations = locationsIn(home.home);
    const read = readStoreRecord(locations.storeRecord);
    if (read.kind !== 'read') throw new Error(read.kind);
    const item = await keychainItem({ account: shellSecretAccount(read.record.store), environment: home.bus });
    if (item.kind !== 'found') throw new Error(item.kind);
    const how = { ...locations, shellSecret: item.value, shell: 'terminal', proofMilliseconds: 5_000 };
    const connecting = await connectToDaemon(how);
    if (connecting.kind !== 'connected') throw new Error(connecting.kind);
    shells.push(connecting.client);
    return connecting.client;
  }

  test('each brake is answered at once, and none is undone', async () => {
    const [increasing, braking] = [await shell(), await shell()];
    const { id: token } = (await home.askJson('tokens', 'mint', '--name', 'agent')) as { readonly id: string };
    const blocked = { level: 'blocked' } as const;
    service.pause();
    let isOver = false;
    const slow = ['Slow', 'Gone'].map(connection =>
      increasing
        .ask('connections.save', { connection, password: { kind: 'stored', value: 'geheim-und-lang' } })
        .then(
          () => 'saved',
          (error: Error) => error.message,
        )
        .finally(() => {
          isOver = true;
        }),
    );
    const began = performance.now();
    await braking.ask('connections.save', { connection: 'Slow', externalClients: blocked });
    await braking.ask('connections.save', { connection: 'Kept', externalClients: blocked });
    await braking.ask('connections.delete', { connection: 'Gone' });
    await braking.ask('tokens.revoke', { id: token });
    await braking.ask('settings.set', { key: 'enabled', value: false });
    await braking.ask('pause', {});
    expect(isOver).toBe(false);
    expectWithin(began, 7_000);
    expect(await Promise.all(slow)).toEqual([
      expect.stringMatching(/keychain can't be used|changed meanwhile/),
      expect.stringMatching(/keychain can't be used|changed meanwhile|no connection/i),
    ]);
    service.resume();
    const { connections } = await braking.ask('connections.list', {});
    expect(connections.map(({ name, externalClients: { level } }) => [name, level])).toEqual([
      ['Kept', 'blocked'],
      ['Slow', 'blocked'],
    ]);
    expect(await braking.ask('status', {})).toMatchObject({ state: 'off' });
    expect(await braking.ask('settings.get', { key: 'enabled' })).toMatchObject({ value: false });
  }, 120_000);

  test('the terminal’s own commands come through while it is frozen', async () => {
    service.pause();
    try {
      for (const brake of [['pause'], ['status'], ['stop']]) {
        expect([brake, await home.ask(brake)]).toEqual([brake, expect.objectContaining({ code: 0 })]);
      }
    } finally {
      service.resume();
    }
  }, 120_000);
});
