/**
 * What a reset of a forgotten owner passphrase takes back (spec §11), and that it does so first. A
 * kill in between, or a store that fails, leaves clients with less access, never a new passphrase
 * beside what the old one had allowed.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

const grant = { connections: 'all', expires: 1, confirmInClient: false } as const;
let daemon: DaemonInProcess;
let shell: ControlClient;
let ids: Record<'shop' | 'staging' | 'writer' | 'answering' | 'reader', string>;

beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
  const connection = async (name: string, level: 'readWrite' | 'readOnly') =>
    (await shell.ask('connections.save', { name, endpoint: postgresAt(name), externalClients: { level } })).id;
  const writer = (await shell.ask('tokens.mint', { name: 'writer', ...grant, scope: 'readWrite' })).id;
  // Entries of one moment are listed in no order.
  daemon.now += 1_000;
  ids = {
    shop: await connection('Shop', 'readWrite'),
    staging: await connection('Staging', 'readOnly'),
    writer,
    answering: (
      await shell.ask('tokens.mint', { name: 'answering', ...grant, scope: 'readOnly', confirmInClient: true })
    ).id,
    reader: (await shell.ask('tokens.mint', { name: 'reader', ...grant, scope: 'readOnly' })).id,
  };
  await shell.ask('passphrase.set', { passphrase: 'correct horse battery' });
  daemon.recorded.length = 0;
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

const reset = () => shell.ask('passphrase.reset', { passphrase: 'another one of mine' });
const left = () => ({
  levels: daemon.ports.connections.list().map(({ externalClients }) => externalClients.level),
  valid: daemon.tokens.list().flatMap(({ name, revokedAt }) => (revokedAt === null ? [name] : [])),
});
const taken = { levels: ['readOnly', 'readOnly'], valid: ['reader'] };

test('each thing taken back has a row with who asked, before that of the reset; read access has none', async () => {
  await reset();
  expect(left()).toEqual(taken);
  const client = `sallyport (process ${process.pid}, started by bash) on /dev/pts/3`;
  const by = { category: 'admin', outcome: 'success', client };
  expect(daemon.recorded).toMatchObject([
    {
      ...by,
      action: 'access.state',
      connection: { id: ids.shop, name: 'Shop' },
      reason: 'clients may only read, AI policy always',
      standing: { level: 'readOnly', until: null, policy: 'always', digest: expect.stringMatching(/^[0-9a-f]{16}$/) },
    },
    { ...by, action: 'token.revoke', principal: ids.writer, tokenName: 'writer' },
    { ...by, action: 'token.revoke', principal: ids.answering, tokenName: 'answering' },
    { ...by, action: 'passphrase.reset', reason: 'counts from 2026-11-21T12:00:01.000Z' },
  ]);
  expect(new Set(daemon.recorded.map(({ requestId }) => requestId)).size).toBe(1);
});

test('all of it is stored, and on record, before the new passphrase is', async () => {
  const { beginReset } = daemon.ports.owner;
  const seen: unknown[] = [];
  Object.assign(daemon.ports.owner, {
    async beginReset(...given: Parameters<typeof beginReset>) {
      const { rows } = await daemon.ports.activity.query({ limit: 10 });
      seen.push(left(), daemon.savedConnections.at(-1)?.externalClients.level, rows[0]?.action);
      return beginReset(...given);
    },
  });
  await reset();
  expect(seen).toEqual([taken, 'readOnly', 'token.revoke']);
});

test('no reset starts if something can’t be taken back', async () => {
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  Object.assign(daemon.connectionStore, { save: () => Promise.reject(full) });
  await expect(reset()).rejects.toThrow(/no room left on the disk/);
  expect(daemon.ports.owner.reset()).toBeNull();
  expect(daemon.recorded.at(-1)).toMatchObject({ action: 'passphrase.reset', outcome: 'denied' });
});

test('what was taken back stays so if the new passphrase can’t be stored', async () => {
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  Object.assign(daemon.ports.owner, { beginReset: () => Promise.reject(full) });
  await expect(reset()).rejects.toThrow(/no room left on the disk/);
  expect(left()).toEqual(taken);
});
