/**
 * `settings.*`, `pause`, and the last use of tokens, asked by a real shell over a real control
 * socket.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { settingKeys } from '../../daemon/access/settings/settings.ts';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { shellOf } from './asking.ts';
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

describe('settings', () => {
  test('are listed in the order of the specification, each with what it accepts', async () => {
    const { settings } = await shell.ask('settings.list', {});
    expect(settings.map(({ key }) => key)).toEqual(settingKeys);
    for (const { accepts, about, value, default: byDefault } of settings) {
      expect(accepts).not.toBe('');
      expect(about).not.toBe('');
      expect(value).toBe(byDefault);
    }
  });

  test('are set by a value or by its text, and read back', async () => {
    expect(await shell.ask('settings.set', { key: 'results.maxRows', value: '2000' })).toMatchObject({
      value: 2_000,
      default: 10_000,
    });
    expect(await shell.ask('settings.set', { key: 'enabled', value: true })).toMatchObject({ value: true });
    expect(await shell.ask('settings.get', { key: 'results.maxRows' })).toMatchObject({ value: 2_000 });
    expect(daemon.ports.settings.current()['results.maxRows']).toBe(2_000);
  });

  test('a text may be as long as its setting says', async () => {
    const set = (value: string) => shell.ask('settings.set', { key: 'approval.hook', value });
    expect(await set('x'.repeat(1_024))).toMatchObject({ value: 'x'.repeat(1_024), most: 1_024 });
    await expect(set('x'.repeat(1_025))).rejects.toMatchObject({ code: errorCodes.invalidParams });
  });

  test('a bad key or value is misuse, with the accepted ones named', async () => {
    await expect(shell.ask('settings.get', { key: 'prot' })).rejects.toMatchObject({
      code: errorCodes.invalidParams,
      message: 'There is no setting "prot". Did you mean port?',
    });
    await expect(shell.ask('settings.get', { key: 'colour' })).rejects.toMatchObject({
      code: errorCodes.invalidParams,
      message: `There is no setting "colour"; there are ${settingKeys.join(', ')}.`,
    });
    await expect(shell.ask('settings.set', { key: 'port', value: 'high' })).rejects.toMatchObject({
      code: errorCodes.invalidParams,
      message: 'port takes a whole number from 1 to 65535, not "high".',
    });
    await expect(shell.ask('settings.set', { key: 'port', value: null as never })).rejects.toMatchObject({
      code: errorCodes.invalidParams,
    });
    await expect(shell.ask('settings.set', { key: 'port', value: 1, extra: 1 } as never)).rejects.toMatchObject({
      code: errorCodes.invalidParams,
    });
  });

  test('one that can’t take effect is refused with the reason', async () => {
    daemon.ports.settings.onChange(key => (key === 'port' ? 'Nothing was changed: port 80 belongs to nginx.' : null));
    await expect(shell.ask('settings.set', { key: 'port', value: 80 })).rejects.toMatchObject({
      code: errorCodes.forbidden,
      message: 'Nothing was changed: port 80 belongs to nginx.',
    });
    expect(await shell.ask('settings.get', { key: 'port' })).toMatchObject({ value: 27_432 });
  });
});

test('pause and resume report the new state, and each shell is told', async () => {
  const told: unknown[] = [];
  const other = await shellOf(daemon);
  other.onNotification(({ method, params }) => told.push([method, method === 'server.changed' && params.state]));
  expect(await shell.ask('pause', {})).toEqual({ paused: true });
  expect(await shell.ask('resume', {})).toEqual({ paused: false });
  await other.ask('status', {});
  expect(told).toEqual([['server.changed', 'paused']]);
  other.close();
});

test('tokens are listed with their last use', async () => {
  const mint = { scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false } as const;
  const { id, lastUsedAt } = await shell.ask('tokens.mint', { ...mint, name: 'Editor' });
  expect(lastUsedAt).toBeNull();
  daemon.lastUses.set(id, '2026-11-20T12:00:00.000Z');
  const { tokens } = await shell.ask('tokens.list', {});
  expect(tokens.map(token => token.lastUsedAt)).toEqual(['2026-11-20T12:00:00.000Z']);
});

test.each(['__stdio_bridge__', '__STDIO_BRIDGE__', '＿＿stdio＿bridge＿＿'])(
  'no token may be called %s',
  async name => {
    const mint = { scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false } as const;
    await expect(shell.ask('tokens.mint', { ...mint, name })).rejects.toMatchObject({
      code: errorCodes.invalidParams,
      message: 'name: that name is the bridge’s own; choose another.',
    });
  },
);
