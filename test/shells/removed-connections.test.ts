/**
 * A removed connection disappears at once, is kept for seven days with its secrets, and can be
 * restored unchanged.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommandParams } from '../../daemon/shells/commands.ts';
import type { ConnectionView } from '../../shared/control-commands.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

const day = 86_400_000;
const passphrase = 'correct horse battery';

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
  await shell.ask('passphrase.set', { passphrase });
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

const save = (asked: CommandParams<'connections.save'>) => shell.ask('connections.save', asked, passphrase);
const remove = (connection: string) => shell.ask('connections.delete', { connection });
const restore = (connection: string) => shell.ask('connections.restore', { connection }, passphrase);
const removed = async () => (await shell.ask('connections.removed', {})).removed;
const shop = { name: 'Shop', endpoint: postgresAt('h'), password: { kind: 'stored' as const, value: 'hunter2' } };

test('it returns as it was, with its id, password, level and policy', async () => {
  const { id } = await save({ ...shop, aiPolicy: 'askEachTime', tags: ['eu'], group: 'Work' });
  const before = await save({ connection: id, externalClients: { level: 'readWrite', forSeconds: 2 * 86_400 } });
  await shell.ask('connections.test', { connection: 'Shop' });
  await remove('Shop');
  expect(daemon.closedDatabases).toEqual([id]);
  expect(daemon.ports.connections.list()).toEqual([]);
  for (const asked of ['Shop', id]) {
    await expect(shell.ask('connections.show', { connection: asked })).rejects.toMatchObject({
      data: { code: 'unknown_connection' },
    });
    await expect(shell.ask('connections.test', { connection: asked })).rejects.toMatchObject({
      data: { code: 'unknown_connection' },
    });
    await expect(save({ connection: asked, colour: 'red' })).rejects.toMatchObject({
      data: { code: 'unknown_connection' },
    });
  }
  expect(await removed()).toEqual([
    { connection: before, removedAt: '2026-11-20T12:00:00.000Z', keptUntil: '2026-11-27T12:00:00.000Z' },
  ]);
  daemon.now += day;
  expect(await restore('SHOP')).toEqual(before);
  expect(daemon.secrets.get(`password/${id}`)).toBe('hunter2');
  expect(await removed()).toEqual([]);
  expect(daemon.recorded.at(-1)).toMatchObject({ action: 'connection.restore', connection: { id, name: 'Shop' } });
});

test('write access that would have ended meanwhile has ended', async () => {
  const { id } = await save(shop);
  await save({ connection: id, externalClients: { level: 'readWrite', forSeconds: 3_600 } });
  await remove(id);
  daemon.now += day;
  expect((await restore(id)).externalClients).toMatchObject({ level: 'readWrite', now: 'readOnly' });
});

test('after seven days it can’t be restored, and isn’t listed', async () => {
  await save(shop);
  await remove('Shop');
  daemon.now += 7 * day;
  await expect(restore('Shop')).rejects.toMatchObject({
    message: expect.stringContaining('No connection "Shop" was removed in the last seven days'),
    data: { code: 'not_removed', values: { connection: 'Shop' } },
  });
  expect(await removed()).toEqual([]);
});

test('if its name is taken meanwhile the other one must be renamed first', async () => {
  const { id } = await save(shop);
  await remove('Shop');
  const other = await save({ ...shop, name: 'shop' });
  await expect(restore(id)).rejects.toThrow('There is another connection "shop" by now; rename that one');
  await save({ connection: other.id, name: 'Other' });
  expect(await restore('Shop')).toMatchObject({ id, name: 'Shop' });
});

test('of several with one name each is restored by its id', async () => {
  const made: ConnectionView[] = [];
  for (const host of ['one', 'two']) {
    made.push(await save({ ...shop, endpoint: postgresAt(host) }));
    await remove('Shop');
    daemon.now += 1_000;
  }
  const [one, two] = made.map(({ id }) => id);
  expect((await removed()).map(({ connection }) => connection.id)).toEqual([two, one]);
  await expect(restore('Shop')).rejects.toThrow(
    `2 removed connections were called "Shop"; name one by its id: ${two}, ${one}.`,
  );
  expect(await restore(one ?? '')).toMatchObject({ id: one, host: 'one' });
});

test('a removal that can’t be stored hides it from clients alone, a restoration isn’t done', async () => {
  const { id } = await save(shop);
  daemon.connectionStore.remove = () => Promise.reject(new Error('no room'));
  await expect(remove('Shop')).rejects.toThrow();
  expect(daemon.ports.connections.find(id)).toMatchObject({
    externalClients: { level: 'blocked' },
    aiPolicy: 'never',
  });
  daemon.connectionStore.remove = async () => {};
  await remove('Shop');
  daemon.connectionStore.restore = () => Promise.reject(new Error('no room'));
  await expect(restore('Shop')).rejects.toThrow();
  expect(daemon.ports.connections.find(id)).toBeNull();
  daemon.connectionStore.restore = async () => {};
  expect(await restore('Shop')).toMatchObject({ id });
});

test('a thousand are listed in pages', async () => {
  for (let at = 0; at < 1_000; at++) {
    const made = await save({ name: `${at} ${'x'.repeat(50)}`, endpoint: postgresAt(`h${at}`) });
    await remove(made.id);
  }
  const first = await shell.ask('connections.removed', {});
  expect(first.next).toBe(first.removed.length);
  const rest = await shell.ask('connections.removed', { from: first.next ?? 0 });
  expect(first.removed.length + rest.removed.length).toBe(1_000);
  // Each is answered once its row is written.
}, 120_000);
