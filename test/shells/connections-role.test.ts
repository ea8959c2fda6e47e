/**
 * `connections.role` against real registers: wrong requests, a plan that wasn't shown, and what a
 * failure leaves (spec §6).
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf, sqliteAt, sqliteFiles } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

const file = sqliteFiles();

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
  const password = { kind: 'stored', value: 'former' } as const;
  await shell.ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example'), password });
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

test('the level decides the role’s rights, unless they are given', async () => {
  const ask = async (more: object = {}) => shell.ask('connections.role', { connection: 'Shop', ...more });
  expect(await ask()).toMatchObject({ role: 'sallyport_ro_shop', access: 'readOnly', applied: false });
  expect(await ask({ access: 'readWrite' })).toMatchObject({ role: 'sallyport_rw_shop', access: 'readWrite' });
  const externalClients = { level: 'readWrite', forSeconds: 60 } as const;
  await shell.ask('connections.save', { connection: 'Shop', externalClients });
  expect(await ask()).toMatchObject({ access: 'readWrite' });
  daemon.now += 61_000;
  expect(await ask()).toMatchObject({ access: 'readOnly' });
});

test.each([
  [{ role: 'a\nb' }, 'role: '],
  [{ role: 'a\u00a0b' }, 'role: '],
  [{ role: 'postgres://me:secret@h' }, 'role: '],
  [{ schemas: [] }, 'schemas: '],
  [{ access: 'all' }, 'access: '],
])('a wrong request: %j', async (more, field) => {
  await expect(shell.ask('connections.role', { connection: 'Shop', ...more } as never)).rejects.toThrow(field);
});

test('SQLite has no roles', async () => {
  await shell.ask('connections.save', { name: 'File', endpoint: sqliteAt(file('shop.db')) });
  await expect(shell.ask('connections.role', { connection: 'File' })).rejects.toThrow('SQLite has no roles');
});

test('only a shown plan is run, and only on its own connection', async () => {
  const { digest } = await shell.ask('connections.role', { connection: 'Shop' });
  const notShown = 'other rights than you were shown';
  await expect(shell.ask('connections.role', { connection: 'Shop', apply: '0'.repeat(64) })).rejects.toThrow(notShown);
  const other = { connection: 'Shop', access: 'readWrite', apply: digest } as const;
  await expect(shell.ask('connections.role', other)).rejects.toThrow(notShown);
  await shell.ask('connections.save', { connection: 'Shop', endpoint: postgresAt('elsewhere.example') });
  await expect(shell.ask('connections.role', { connection: 'Shop', apply: digest })).rejects.toThrow(notShown);
});

test('a role that turns out to do more is removed, and the connection doesn’t change', async () => {
  const { digest } = await shell.ask('connections.role', { connection: 'Shop' });
  const before = await shell.ask('connections.show', { connection: 'Shop' });
  // This test's server answers `true` to every question, even about a superuser's rights.
  await expect(shell.ask('connections.role', { connection: 'Shop', apply: digest })).rejects.toThrow(
    'No role was made, and the connection stays as it was: the new role can do more than it should',
  );
  expect(await shell.ask('connections.show', { connection: 'Shop' })).toEqual(before);
  expect(daemon.secrets.get(`password/${before.id}`)).toBe('former');
});

test('before it is made the owner sees both, and is asked for the passphrase', async () => {
  await shell.ask('passphrase.set', { passphrase: 'a long enough one' });
  const { digest } = await shell.ask('connections.role', { connection: 'Shop' });
  const asked = { connection: 'Shop', apply: digest } as const;
  await expect(shell.ask('connections.role', asked)).rejects.toMatchObject({
    message: expect.stringMatching(/makes the role "sallyport_ro_shop".*points "Shop" to the user "sallyport_ro_shop"/),
    data: { confirm: 'passphrase' },
  });
  await expect(shell.ask('connections.role', asked, 'a long enough one')).rejects.toThrow('No role was made');
});
