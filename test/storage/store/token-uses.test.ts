/** Settings, pause, uses of tokens and bridge tokens in a real store, over restarts and crashes. */

import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeHandshake } from '../../../daemon/storage/handshake-file.ts';
import { openBridgeTokens } from '../../../daemon/storage/store/bridge-tokens.ts';
import { openReserve } from '../../../daemon/storage/store/reserve.ts';
import { pauseIn, settingsIn } from '../../../daemon/storage/store/settings.ts';
import { openStore, type Store } from '../../../daemon/storage/store/store.ts';
import { openTokenUses } from '../../../daemon/storage/store/token-uses.ts';
import { until } from '../../waiting/until.ts';

const ids = ['6f7f6a1e-0000-4000-8000-000000000001', '6f7f6a1e-0000-4000-8000-000000000002'] as const;
let folder: string;
let store: Store;
let now: number;
const reported: unknown[] = [];
const report = (error: unknown): void => void reported.push(error);

beforeEach(async () => {
  folder = mkdtempSync('/tmp/sallyport-settings-test-');
  store = await openStore(join(folder, 'sallyport.db'));
  now = Date.parse('2026-11-20T12:00:00Z');
  reported.length = 0;
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await store.close();
  store = await openStore(join(folder, 'sallyport.db'));
}

/** What a kill -9 leaves behind: the files as they are now. */
async function crashed(): Promise<Store> {
  const left = mkdtempSync(`${folder}/crash-`);
  for (const end of ['', '-wal']) copyFileSync(join(folder, `sallyport.db${end}`), join(left, `sallyport.db${end}`));
  return openStore(join(left, 'sallyport.db'));
}

const uses = (tokenIds: readonly string[] = ids) => openTokenUses({ store, now: () => now, tokenIds, report });
const bridgeTokens = () => openBridgeTokens(store, join(folder, 'mcp-handshake.json'), () => now, report);

describe('uses of tokens', () => {
  test('are stored at the stop, and known to the next run', async () => {
    const first = await uses();
    first.used(ids[0]);
    now += 5_000;
    first.used(ids[0]);
    await first.close();
    await restart();
    const second = await uses();
    expect([second.lastUsedAt(ids[0]), second.lastUsedAt(ids[1])]).toEqual(['2026-11-20T12:00:05.000Z', null]);
    await second.close();
    expect(reported).toEqual([]);
  });

  test('a first use is stored within a moment, since a crash would else lock a working client out', async () => {
    const first = await uses();
    first.used(ids[1]);
    await until(async () => {
      const left = await crashed();
      const [row] = await left.knex('token_uses').select('token_id');
      await left.close();
      return row?.token_id === ids[1];
    }, 'a crash would leave it');
    await first.close();
  });

  test('are removed with their token', async () => {
    const first = await uses();
    for (const id of ids) first.used(id);
    first.forget(ids[0]);
    await first.close();
    await restart();
    // The other was deleted while its use couldn't be forgotten.
    const second = await uses([]);
    expect(ids.map(second.lastUsedAt)).toEqual([null, null]);
    await second.close();
    expect(await store.knex('token_uses').select()).toEqual([]);
  });

  test('of a thousand tokens are stored in one go', async () => {
    const many = Array.from(
      { length: 1_000 },
      (_, number) => `6f7f6a1e-0000-4000-8000-${String(number).padStart(12, '0')}`,
    );
    const first = await uses(many);
    for (const id of many) first.used(id);
    await first.close();
    expect(await store.knex('token_uses').count({ count: '*' })).toEqual([{ count: 1_000 }]);
  });

  test('that can’t be written are reported, and stored with the next batch', async () => {
    const first = await uses();
    await store.write(store.knex.raw('alter table token_uses rename to elsewhere'));
    first.used(ids[0]);
    await first.close();
    expect(reported).toHaveLength(1);
    await store.write(store.knex.raw('alter table elsewhere rename to token_uses'));
    await first.close();
    expect(await store.knex('token_uses').select('token_id')).toEqual([{ token_id: ids[0] }]);
  });
});

describe('bridge tokens', () => {
  const token = (number: number): string => `sp_${String(number).padStart(43, 'A')}`;

  test('are known to the next run as dead, 32 of them besides two that may live, and the store has no plaintext', async () => {
    const first = await bridgeTokens();
    for (let number = 0; number < 40; number++) {
      now += 1_000;
      first.issued(token(number));
    }
    await first.settled();
    await restart();
    const second = await bridgeTokens();
    expect([5, 6, 39].map(number => second.isRetired(token(number)))).toEqual([false, true, true]);
    const rows = await store.knex('bridge_tokens').select();
    expect(rows).toHaveLength(34);
    // Whole tokens: `sp_` alone is in one of 120 lists of so many hashes.
    expect(JSON.stringify(rows)).not.toMatch(/sp_[\w-]{43}/);
    const unsalted = createHash('sha256').update(token(39)).digest('base64url');
    expect(JSON.stringify(rows)).not.toContain(unsalted);
    for (const { hash } of rows) expect(hash).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
  });

  test('one that only a handshake shows, left behind by a kill -9, is dead too', async () => {
    const handshake = {
      version: 1,
      port: 1,
      token: token(1),
      pid: 1,
      instance: ids[0],
      protocolVersions: [],
      expiresAt: new Date(now).toISOString(),
    } as const;
    writeHandshake(join(folder, 'mcp-handshake.json'), handshake);
    const next = await bridgeTokens();
    expect(next.isRetired(token(1))).toBe(true);
    const left = await crashed();
    const again = await openBridgeTokens(left, join(folder, 'none'), () => now, report);
    expect(again.isRetired(token(1))).toBe(true);
    await left.close();
  });
});

describe('settings and pause', () => {
  test('survive a restart; a value that isn’t JSON counts as nothing', async () => {
    const settings = settingsIn(store);
    await settings.save('port', 28_000);
    await settings.save('port', 28_001);
    await settings.save('port.fallback', false);
    await store.write(store.knex('settings').insert({ key: 'history', value: '{' }));
    await restart();
    expect(await settingsIn(store).load()).toEqual(
      new Map<string, unknown>([
        ['port', 28_001],
        ['port.fallback', false],
        ['history', undefined],
      ]),
    );
  });

  test('a pause lasts until it is undone, and an unreadable one counts as one', async () => {
    const reserve = openReserve(join(folder, 'reserve'), report);
    expect(await pauseIn(store, reserve, () => {}).load()).toBe(false);
    await pauseIn(store, reserve, () => {}).save(true);
    await restart();
    expect(await pauseIn(store, reserve, () => {}).load()).toBe(true);
    await pauseIn(store, reserve, () => {}).save(false);
    expect(await pauseIn(store, reserve, () => {}).load()).toBe(false);
    await store.write(store.knex('settings').where({ key: 'paused' }).update({ value: 'perhaps' }));
    expect(await pauseIn(store, reserve, () => {}).load()).toBe(true);
  });
});
