/**
 * The `tokens.*` commands: what is shown, what never is, and what mints and ends tokens (spec §5).
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommandParams } from '../../daemon/shells/commands.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

const wanted: CommandParams<'tokens.mint'> = {
  name: 'Editor',
  scope: 'readWrite',
  connections: 'all',
  expires: 30,
  confirmInClient: false,
};

test('a minted token works, is shown once, and its salt and hash never are', async () => {
  const minted = await shell.ask('tokens.mint', wanted);
  expect(minted.token).toMatch(/^sp_[A-Za-z0-9_-]{43}$/);
  expect(minted).toMatchObject({
    name: 'Editor',
    scope: 'readWrite',
    connections: 'all',
    expiresAt: '2026-12-20T12:00:00.000Z',
  });
  expect(daemon.ports.tokens.verify(minted.token)).toMatchObject({ kind: 'valid' });
  const { tokens } = await shell.ask('tokens.list', {});
  expect(tokens.map(({ id }) => id)).toEqual([minted.id]);
  const record = daemon.ports.tokens.find(minted.id);
  const shown = JSON.stringify([tokens, minted]);
  expect(shown).not.toContain(record?.salt ?? '?');
  expect(shown).not.toContain(record?.hash ?? '?');
  expect(JSON.stringify(tokens)).not.toContain(minted.token);
});

test('the bridge’s token is neither listed nor ended', async () => {
  const bridge = daemon.ports.tokens.mintBridgeToken(3600);
  expect(await shell.ask('tokens.list', {})).toEqual({ tokens: [] });
  await expect(shell.ask('tokens.revoke', { id: bridge.record.id })).rejects.toMatchObject({
    data: { code: 'unknown_token' },
  });
  // Somebody may paste a token.
  const pasted = await shell.ask('tokens.revoke', { id: 'sp_pasted' }).catch((thrown: unknown) => thrown);
  expect(pasted).toMatchObject({ data: { code: 'unknown_token' } });
  expect(JSON.stringify([pasted, String(pasted), daemon.recorded])).not.toContain('sp_pasted');
  await expect(shell.ask('tokens.delete', { id: bridge.record.id })).rejects.toMatchObject({
    data: { code: 'unknown_token' },
  });
  await expect(shell.ask('tokens.mint', { ...wanted, name: '__stdio_bridge__' })).rejects.toThrow('bridge');
  expect(daemon.ports.tokens.verify(bridge.plaintext)).toMatchObject({ kind: 'valid' });
});

test('connections by id or name, each once; an empty list means none', async () => {
  const shop = await shell.ask('connections.save', { name: 'Shop', endpoint: postgresAt('h') });
  const some = await shell.ask('tokens.mint', { ...wanted, connections: ['SHOP', shop.id] });
  expect(some.connections).toEqual([{ id: shop.id, name: 'Shop' }]);
  expect((await shell.ask('tokens.mint', { ...wanted, connections: [] })).connections).toEqual([]);
  await expect(shell.ask('tokens.mint', { ...wanted, connections: ['Shop', 'nope'] })).rejects.toThrow(
    'no connection "nope"',
  );
  expect((await shell.ask('tokens.list', {})).tokens).toHaveLength(2);
  await shell.ask('connections.delete', { connection: 'Shop' });
  const { tokens } = await shell.ask('tokens.list', {});
  expect(tokens.find(({ id }) => id === some.id)?.connections).toEqual([{ id: shop.id, name: null }]);
});

test.each([
  [{ name: '' }, 'name: 1 to 64'],
  [{ name: 'a\u0000b' }, 'name: 1 to 64'],
  [{ expires: 2 }, 'never or one of 1, 7, 30, 90'],
  [{ scope: 'root' }, 'one of readOnly, readWrite, fullAccess'],
  [{ connections: 'some' }, 'all or a list'],
  [{ confirmInClient: 'yes' }, 'true or false'],
])('refused: %j', async (change, sentence) => {
  await expect(shell.ask('tokens.mint', { ...wanted, ...change } as CommandParams<'tokens.mint'>)).rejects.toThrow(
    sentence,
  );
  expect(await shell.ask('tokens.list', {})).toEqual({ tokens: [] });
});

test('revoked, expired and deleted', async () => {
  const [revoked, expired, deleted] = [
    await shell.ask('tokens.mint', wanted),
    await shell.ask('tokens.mint', { ...wanted, expires: 1 }),
    await shell.ask('tokens.mint', wanted),
  ];
  await shell.ask('tokens.revoke', { id: revoked.id });
  await shell.ask('tokens.delete', { id: deleted.id });
  daemon.now += 86_400_000;
  const { tokens } = await shell.ask('tokens.list', {});
  expect(Object.fromEntries(tokens.map(({ id, state }) => [id, state]))).toEqual({
    [revoked.id]: 'revoked',
    [expired.id]: 'expired',
  });
  expect(daemon.ports.tokens.verify(deleted.token).kind).toBe('unknown');
  await expect(shell.ask('tokens.delete', { id: deleted.id })).rejects.toMatchObject({
    data: { code: 'unknown_token' },
  });
});
