/**
 * Threat: the store is older than Sallyport left it (its write-ahead log is missing, cut or
 * damaged, or an older copy was put back), so clients regain access that was taken away. The start
 * pauses, says why, and narrowed access stays narrowed.
 */

import {
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ActivityRowView, ConnectionView, StatusResult } from '../../shared/control-commands.ts';
import { modern, send } from '../clients/http/wire.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';

let home: RealHome;
let token: string;
const store = (suffix = ''): string => join(home.home, `sallyport.db${suffix}`);
const older = (suffix = ''): string => join(home.folder, `older.db${suffix}`);

async function command(...words: string[]): Promise<void> {
  const ran = await home.here(words);
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
}

beforeEach(async () => {
  home = realHome();
  expect((await home.run(['start'])).code).toBe(0);
  for (const name of ['Shop', 'Asked', 'Removed', 'Open'])
    await command('connections', 'add', `postgres://u@127.0.0.1:1/${name}`, '--name', name);
  for (const name of ['Shop', 'Asked', 'Removed', 'Open'])
    await command('connections', 'set', name, '--external-clients', 'read-write');
  ({ token } = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'Client', '--scope', 'read-write']));
  await command('stop');
  copyFileSync(store(), older());
  expect((await home.run(['start'])).code).toBe(0);
}, 60_000);
afterEach(() => home.clean());

async function narrow(): Promise<void> {
  await command('connections', 'set', 'Shop', '--external-clients', 'blocked');
  await command('connections', 'set', 'Asked', '--ai-policy', 'ask');
  await command('connections', 'remove', 'Removed');
}

async function listed(): Promise<{ isRefused: boolean; message: string; names: string[] }> {
  const { port } = await home.json<StatusResult>(['status']);
  const asked = modern(token, 'tools/call', { name: 'list_connections', arguments: {} });
  const { json } = await send(`http://127.0.0.1:${port}/mcp`, asked);
  const { connections = [] } = (json.result?.structuredContent ?? {}) as { connections?: { name: string }[] };
  const { isError = false, content = [] } = json.result as { isError?: boolean; content?: { text: string }[] };
  return {
    isRefused: isError,
    message: content[0]?.text ?? '',
    names: connections.map(({ name }) => name),
  };
}

const damages: Readonly<Record<string, () => void>> = {
  'the log is missing': () => {
    rmSync(store('-wal'));
  },
  'the log is cut': () => {
    truncateSync(store('-wal'), 32 + 24 + 4096 + 100);
  },
  'one byte of the log is flipped': () => {
    const at = 32 + 24 + 200;
    const [byte = 0] = readFileSync(store('-wal')).subarray(at);
    const file = openSync(store('-wal'), 'r+');
    writeSync(file, Buffer.from([byte ^ 1]), 0, 1, at);
  },
  'the last frame of the log is flipped': () => {
    const bytes = readFileSync(store('-wal'));
    const at = bytes.length - 50;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(store('-wal'), bytes, { mode: 0o600 });
  },
  'an older store is put back': () => {
    for (const suffix of ['-wal', '-shm']) rmSync(store(suffix), { force: true });
    copyFileSync(older(), store());
  },
};

async function damagedStart(damage: () => void): Promise<void> {
  await home.end('SIGKILL');
  expect(existsSync(store('-wal'))).toBe(true);
  damage();
  expect((await home.run(['start'])).code).toBe(0);
}

describe.each(Object.entries(damages))('%s', (_, damage) => {
  test('the start pauses and says why, and narrowed access stays narrowed after a resume', async () => {
    await narrow();
    await damagedStart(damage);
    const { state, notes } = await home.json<StatusResult>(['status']);
    expect(state).toBe('paused');
    expect(notes).toContainEqual({
      code: 'started_paused',
      sentence: expect.stringMatching(/^Sallyport started paused: the store is older /),
      advice: expect.stringContaining('`sallyport resume`'),
    });
    const { checks } = JSON.parse((await home.here(['doctor', '--json'])).stdout);
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'access', ok: false, says: expect.stringContaining('started paused') }),
    );
    expect(await listed()).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("isn't as it was left"),
    });
    // It survives another start, after which nothing else shows the loss.
    await home.end('SIGKILL');
    expect((await home.run(['start'])).code).toBe(0);
    expect((await home.json<StatusResult>(['status'])).state).toBe('paused');
    expect(await listed()).toMatchObject({ isRefused: true });

    await command('resume');
    expect(await listed()).toMatchObject({ isRefused: false, names: ['Asked', 'Open'] });
    const views = await home.json<ConnectionView[]>(['connections', 'list']);
    expect(views.map(({ name, externalClients, aiPolicy }) => [name, externalClients.level, aiPolicy])).toEqual([
      ['Asked', 'readWrite', 'askEachTime'],
      ['Open', 'readWrite', 'always'],
      ['Shop', 'blocked', 'always'],
    ]);
    expect((await home.json<StatusResult>(['status'])).notes).not.toContainEqual(
      expect.objectContaining({ code: 'started_paused' }),
    );
    const rows = await home.json<ActivityRowView[]>(['activity', '--category', 'admin']);
    expect(rows).toContainEqual(expect.objectContaining({ action: 'pause', reason: expect.stringContaining('older') }));
  }, 60_000);

  test("a person's pause stays theirs", async () => {
    await command('pause');
    await damagedStart(damage);
    expect(await listed()).toMatchObject({ isRefused: true, message: expect.stringContaining('Sallyport is paused') });
  }, 60_000);
});

test('access given back afterwards stays', async () => {
  await narrow();
  await command('connections', 'set', 'Shop', '--external-clients', 'read-only');
  await command('connections', 'restore', 'Removed');
  await command('connections', 'set', 'Asked', '--ai-policy', 'always');
  for (let starts = 0; starts < 2; starts += 1) {
    await home.end('SIGKILL');
    expect((await home.run(['start'])).code).toBe(0);
    expect(await listed()).toMatchObject({ isRefused: false, names: ['Asked', 'Open', 'Removed', 'Shop'] });
  }
  const { externalClients } = await home.json<ConnectionView>(['connections', 'show', 'Shop']);
  expect(externalClients.level).toBe('readOnly');
}, 60_000);

test('a kill alone, however often, pauses nothing', async () => {
  for (let kills = 0; kills < 3; kills += 1) {
    await command('connections', 'set', 'Shop', '--external-clients', kills % 2 === 0 ? 'blocked' : 'read-only');
    await home.end('SIGKILL');
    expect((await home.run(['start'])).code).toBe(0);
    expect((await home.json<StatusResult>(['status'])).state).toBe('ready');
  }
}, 60_000);
