/**
 * Threat: a program allows itself things while the owner passphrase is off, and they outlive the
 * next passphrase in silence (spec §11). Each is marked, told until its person has decided, kept
 * only with the passphrase, and taken back without one.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import type { KnownServers } from '../../daemon/access/known-servers.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const passphrase = 'correct horse battery';
let daemon: DaemonInProcess;
let shell: ControlClient;

beforeEach(async () => {
  daemon = await startDaemonInProcess({ passphrase: 'off' });
  shell = await shellOf(daemon);
  for (const name of ['Shop', 'Moved', 'Kept'])
    await shell.ask('connections.save', { name, endpoint: postgresAt(`${name.toLowerCase()}.example`) });
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

const token = (name: string, scope: 'readOnly' | 'fullAccess') =>
  shell.ask('tokens.mint', { name, scope, connections: 'all', expires: 30, confirmInClient: false });
const raise = (connection: string, typed?: string) =>
  shell.ask('connections.save', { connection, externalClients: { level: 'readWrite' } }, typed);
const level = async (connection: string) => (await shell.ask('connections.show', { connection })).externalClients.level;
const told = async () => (await shell.ask('status', {})).passphrase.unconfirmed ?? [];

async function givenWhileOff(): Promise<void> {
  await token('wide', 'fullAccess');
  await token('reader', 'readOnly');
  await raise('Shop');
  await shell.ask('connections.save', { connection: 'Moved', endpoint: postgresAt('evil.example') });
  await shell.ask('settings.set', { key: 'writes.maxRows', value: 50_000 });
}

test('what was given is told, also once a passphrase is set, and a later one confirms nothing of it', async () => {
  await givenWhileOff();
  const lines = [
    /: makes a Full Access token "wide" /,
    /: lets clients write to "Shop"$/,
    /: points "Moved" to the host "evil\.example"/,
    /: sets writes\.maxRows from 1000 to 50000$/,
  ].map(line => expect.stringMatching(line));
  expect(await told()).toEqual(lines);
  const set = await shell.ask('passphrase.set', { passphrase });
  expect(set.unconfirmed).toEqual(lines);
  const { tokens } = await shell.ask('tokens.list', {});
  expect(Object.fromEntries(tokens.map(({ name, confirmedBy }) => [name, confirmedBy]))).toEqual({
    wide: 'off',
    reader: undefined,
  });
  await raise('Kept', passphrase);
  await shell.ask('connections.save', { connection: 'Shop', databases: 'all' }, passphrase);
  expect(await told()).toEqual(lines);
  const removed = await shell.ask('connections.delete', { connection: 'Shop' });
  expect(removed.name).toBe('Shop');
  expect(await told()).toHaveLength(3);
});

test('keeping takes the passphrase, and shows each', async () => {
  await givenWhileOff();
  await expect(shell.ask('passphrase.confirm', { grants: 'keep' })).rejects.toThrow(/no owner passphrase is set/);
  await shell.ask('passphrase.set', { passphrase });
  const refused = await shell.ask('passphrase.confirm', { grants: 'keep' }).catch(error => error);
  expect(refused.data).toMatchObject({
    confirm: 'passphrase',
    facts: expect.arrayContaining([
      expect.objectContaining({ label: 'Allowed 2', value: expect.stringMatching(/lets clients write to "Shop"$/) }),
    ]),
  });
  expect(await told()).toHaveLength(4);
  const kept = await shell.ask('passphrase.confirm', { grants: 'keep' }, passphrase);
  expect(kept).not.toHaveProperty('unconfirmed');
  expect([await level('Shop'), await told()]).toEqual(['readWrite', []]);
  const { tokens } = await shell.ask('tokens.list', {});
  expect(tokens.find(({ name }) => name === 'wide')).toMatchObject({ state: 'valid', confirmedBy: 'passphrase' });
});

test('taking back needs nothing, and gives nobody more than they have', async () => {
  await givenWhileOff();
  await raise('Kept');
  await shell.ask('passphrase.set', { passphrase });
  // Lowered meanwhile: not raised again.
  await shell.ask('connections.save', { connection: 'Kept', externalClients: { level: 'blocked' } });
  const done = await shell.ask('passphrase.confirm', { grants: 'takeBack' });
  expect(done).not.toHaveProperty('unconfirmed');
  expect([await level('Shop'), await level('Moved'), await level('Kept')]).toEqual(['readOnly', 'blocked', 'blocked']);
  const { tokens } = await shell.ask('tokens.list', {});
  expect(Object.fromEntries(tokens.map(({ name, state }) => [name, state]))).toEqual({
    wide: 'revoked',
    reader: 'valid',
  });
  expect((await shell.ask('settings.get', { key: 'writes.maxRows' })).value).toBe(1_000);
  expect(await told()).toEqual([]);
});

const maxRows = async () => (await shell.ask('settings.get', { key: 'writes.maxRows' })).value;

test('taking back raises no setting that was lowered since', async () => {
  await givenWhileOff();
  await shell.ask('passphrase.set', { passphrase });
  await shell.ask('settings.set', { key: 'writes.maxRows', value: 10 });
  await shell.ask('passphrase.confirm', { grants: 'takeBack' });
  expect(await maxRows()).toBe(10);
});

const rowsOf = async (connection: string) => (await shell.ask('connections.show', { connection })).writeRowLimit;
const setRows = (connection: string, writeRowLimit: number | null) =>
  shell.ask('connections.save', { connection, writeRowLimit });

test('taking back leaves no connection more rows than it had', async () => {
  await setRows('Shop', 10);
  await shell.ask('passphrase.confirm', { grants: 'takeBack' });
  await setRows('Shop', null);
  await shell.ask('settings.set', { key: 'writes.maxRows', value: 50_000 });
  await setRows('Kept', 40_000);
  await setRows('Moved', 20_000);
  await shell.ask('passphrase.set', { passphrase });
  await setRows('Moved', 5);
  await shell.ask('passphrase.confirm', { grants: 'takeBack' });
  expect([await maxRows(), await rowsOf('Shop'), await rowsOf('Kept'), await rowsOf('Moved')]).toEqual([
    1_000,
    10,
    null,
    5,
  ]);
});

test('taking back blocks a connection whose server was trusted anew, and forgets that server', async () => {
  await shell.ask('connections.trust', { connection: 'Shop' });
  const servers = daemon.ports.knownServers as KnownServers;
  const memory = () => servers.at(daemon.ports.connections.find('Shop') as Connection, 'shop.example:5432');
  const step = { line: 'clear', method: 'proves', key: null, socketOwner: null } as const;
  await memory().signedIn(step, null);
  expect(memory().known()).toMatchObject({ method: 'proves' });
  await shell.ask('passphrase.set', { passphrase });
  await shell.ask('passphrase.confirm', { grants: 'takeBack' });
  expect(await level('Shop')).toBe('blocked');
  expect(memory().known()).toBeNull();
});

test('keeping says nothing of a connection that was not shown, as it was removed', async () => {
  await givenWhileOff();
  await shell.ask('connections.delete', { connection: 'Shop' });
  await shell.ask('passphrase.set', { passphrase });
  await shell.ask('passphrase.confirm', { grants: 'keep' }).catch(() => {});
  await shell.ask('passphrase.confirm', { grants: 'keep' }, passphrase);
  await shell.ask('connections.restore', { connection: 'Shop' }).catch(() => {});
  await shell.ask('connections.restore', { connection: 'Shop' }, passphrase);
  expect(await told()).toEqual([expect.stringMatching(/: lets clients write to "Shop"$/)]);
});
