import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { NotKept } from '../../../daemon/access/not-kept.ts';
import type { TokenRecord } from '../../../daemon/access/tokens/token.ts';
import {
  loadTokenRegister,
  type MintRequest,
  type TokenRegister,
} from '../../../daemon/access/tokens/token-register.ts';
import { bridgeTokenName } from '../../../shared/words.ts';

const day = 86_400_000;
const kept = new Map<string, TokenRecord>();
let now = Date.parse('2026-11-20T12:00:00Z');
let register: TokenRegister;
let isFull = false;
/**
 * What the store was told of a token's end, so the end holds even if the record can't be written:
 * since when, or null for removed.
 */
let endings: [id: string, revokedAt: string | null][];

const request: MintRequest = {
  name: 'laptop',
  scope: 'readWrite',
  connections: 'all',
  expires: 30,
  confirmInClient: false,
  client: null,
};

function load(): Promise<TokenRegister> {
  return loadTokenRegister({
    store: {
      load: async () => [...kept.values()],
      save: async record => void kept.set(record.id, record),
      end: async (id, revokedAt) => {
        if (isFull) throw new Error('the store is full');
        endings.push([id, revokedAt]);
      },
      delete: async id => void kept.delete(id),
    },
    now: () => now,
    randomBytes,
    newId: randomUUID,
  });
}

beforeEach(async () => {
  kept.clear();
  endings = [];
  now = Date.parse('2026-11-20T12:00:00Z');
  register = await load();
});

describe('minting', () => {
  test('gives sp_ and 43 characters, and stores nothing that works in its place', async () => {
    const { plaintext, record } = await register.mint(request);
    expect(plaintext).toMatch(/^sp_[A-Za-z0-9_-]{43}$/);
    expect(record.prefix).toBe(plaintext.slice(0, 8));
    expect(JSON.stringify([...kept.values()])).not.toContain(plaintext.slice(8));
  });

  test('outlives a restart', async () => {
    const { plaintext, record } = await register.mint(request);
    register = await load();
    expect(register.verify(plaintext)).toEqual({ kind: 'valid', record, isBridge: false });
  });
});

describe('verifying', () => {
  test.each([
    ['nothing', ''],
    ['another form', 'Bearer x'],
    ['a token never minted', `sp_${randomBytes(32).toString('base64url')}`],
  ])('%s is unknown', (_, plaintext) => {
    expect(register.verify(plaintext)).toEqual({ kind: 'unknown' });
  });

  test('a token with the right prefix and another rest is unknown', async () => {
    const { plaintext } = await register.mint(request);
    const last = plaintext.endsWith('A') ? 'B' : 'A';
    expect(register.verify(plaintext.slice(0, -1) + last)).toEqual({ kind: 'unknown' });
  });

  test('a token is valid from its creation until the instant of its expiry', async () => {
    const { plaintext } = await register.mint({ ...request, expires: 1 });
    now += day - 1;
    expect(register.verify(plaintext).kind).toBe('valid');
    now += 1;
    expect(register.verify(plaintext).kind).toBe('expired');
    now -= day + 1;
    expect(register.verify(plaintext).kind).toBe('clock_behind');
  });

  test('a clock set back doesn’t affect a token without an end, and ends no request', async () => {
    const forEver = await register.mint({ ...request, expires: 'never' });
    const { record } = await register.mint({ ...request, expires: 1 });
    now -= day;
    expect(register.verify(forEver.plaintext).kind).toBe('valid');
    expect(register.hasExpired(record.id)).toBe(false);
  });

  test("the bridge's token ignores the clock: it is read anew", () => {
    const { plaintext } = register.mintBridgeToken(3_600);
    now -= day;
    expect(register.verify(plaintext)).toMatchObject({ kind: 'expired', isBridge: true });
  });

  test('a token that never expires does not', async () => {
    const { plaintext } = await register.mint({ ...request, expires: 'never' });
    now += 36_500 * day;
    expect(register.verify(plaintext).kind).toBe('valid');
  });
});

describe('ending', () => {
  test('a revoked token stays in the list and is revoked at once, also after a restart', async () => {
    const { plaintext, record } = await register.mint(request);
    const ended: string[] = [];
    register.onEnded(id => ended.push(id));
    expect(await register.revoke(record.id)).toBe(true);
    expect(ended).toEqual([record.id]);
    expect(register.verify(plaintext).kind).toBe('revoked');
    expect(register.list()[0]?.revokedAt).not.toBeNull();
    expect(endings).toEqual([[record.id, new Date(now).toISOString()]]);
    register = await load();
    expect(register.verify(plaintext).kind).toBe('revoked');
  });

  test('an ending that could not be stored counts in this run, and can be stored later', async () => {
    const { plaintext, record } = await register.mint(request);
    const ended: string[] = [];
    register.onEnded(id => ended.push(id));
    isFull = true;
    const revoking = register.revoke(record.id);
    expect(register.verify(plaintext).kind).toBe('revoked');
    await expect(revoking).rejects.toThrow(NotKept);
    await expect(register.revoke(record.id)).rejects.toThrow(NotKept);
    await expect(register.delete(record.id)).rejects.toThrow(NotKept);
    isFull = false;
    expect(register.verify(plaintext).kind).toBe('revoked');
    expect([new Set(ended), [...kept.values()]]).toEqual([new Set([record.id]), [record]]);
    expect(endings).toEqual([]);
    expect(await register.revoke(record.id)).toBe(true);
    expect(endings).toEqual([[record.id, new Date(now).toISOString()]]);
    expect(await register.revoke(record.id)).toBe(true);
    expect(endings).toHaveLength(1);
  });

  test('a deleted token is unknown, and a missing one can’t be deleted', async () => {
    const { plaintext, record } = await register.mint(request);
    expect(await register.delete(record.id)).toBe(true);
    expect(register.verify(plaintext).kind).toBe('unknown');
    expect(await register.delete(record.id)).toBe(false);
    expect([endings, kept.size]).toEqual([[[record.id, null]], 0]);
  });
});

describe('the bridge’s name', () => {
  test.each([bridgeTokenName, '__STDIO_bridge__', ' __stdio_bridge__', '＿＿stdio＿bridge＿＿'])(
    '%j is refused for any other token',
    async name => {
      await expect(register.mint({ ...request, name })).rejects.toThrow(TypeError);
      expect(register.list()).toEqual([]);
    },
  );

  test('makes no bridge of a stored record with that name', async () => {
    const { plaintext, record } = await register.mint(request);
    kept.set(record.id, { ...record, name: bridgeTokenName });
    register = await load();
    expect(register.verify(plaintext)).toMatchObject({ kind: 'valid', isBridge: false });
    expect(register.list().map(({ id }) => id)).toEqual([record.id]);
    expect(await register.revoke(record.id)).toBe(true);
  });
});

test('500 tokens are verified as fast as one', async () => {
  const { plaintext } = await register.mint(request);
  const others: string[] = [];
  const microseconds = (): number => {
    const started = performance.now();
    for (let time = 0; time < 2_000; time++) register.verify(plaintext);
    return (performance.now() - started) / 2;
  };
  microseconds();
  const alone = Math.min(microseconds(), microseconds(), microseconds());
  for (let number = 0; number < 499; number++) others.push((await register.mint(request)).plaintext);
  const among500 = Math.min(microseconds(), microseconds(), microseconds());
  // Hashing each of them would take some 500 times as long.
  expect(among500).toBeLessThan(alone * 20);
  for (const other of others) expect(register.verify(other).kind).toBe('valid');
});

describe('the bridge token', () => {
  test('is hidden, stored nowhere, can’t be revoked, and dies after its hour', () => {
    const { plaintext, record } = register.mintBridgeToken(3600);
    expect(record).toMatchObject({ name: bridgeTokenName, scope: 'readWrite', connections: 'all' });
    expect(register.list()).toEqual([]);
    expect(kept.size).toBe(0);
    now += 3_599_999;
    expect(register.verify(plaintext).kind).toBe('valid');
    now += 1;
    expect(register.verify(plaintext).kind).toBe('expired');
  });

  test('an older one is accepted beside its successor until it expires', () => {
    const first = register.mintBridgeToken(3600);
    now += 2_700_000;
    const second = register.mintBridgeToken(3600);
    expect(register.verify(first.plaintext).kind).toBe('valid');
    expect(register.verify(second.plaintext).kind).toBe('valid');
  });

  test('is the only one accepted as a bridge, and ends when the server is switched off', () => {
    const ended: string[] = [];
    const { plaintext, record } = register.mintBridgeToken(3600);
    expect(register.verify(plaintext)).toMatchObject({ kind: 'valid', isBridge: true });
    const forget = register.onEnded(id => ended.push(id));
    register.endBridgeTokens();
    expect(register.verify(plaintext).kind).toBe('unknown');
    expect(ended).toEqual([record.id]);
    forget();
    register.mintBridgeToken(3600);
    register.endBridgeTokens();
    expect(ended).toHaveLength(1);
  });
});

describe('a token minted for a pairing', () => {
  test('is listed and valid, but gone after a restart unless it was stored', async () => {
    const { plaintext, record } = register.mintPending(request);
    expect(register.list()).toEqual([record]);
    expect(register.verify(plaintext).kind).toBe('valid');
    expect(kept.size).toBe(0);
    expect(await register.commit(record.id)).toBe(true);
    register = await load();
    expect(register.verify(plaintext).kind).toBe('valid');
  });

  test('is dropped while it isn’t stored, and followers of tokens hear of it', async () => {
    const ended: string[] = [];
    register.onEnded(id => ended.push(id));
    const [dropped, stays] = [register.mintPending(request).record, register.mintPending(request).record];
    await register.commit(stays.id);
    for (const { id } of [dropped, stays]) register.discard(id);
    expect(register.list()).toEqual([stays]);
    expect(ended).toEqual([dropped.id]);
    expect(await register.commit(dropped.id)).toBe(false);
  });

  test('is no longer stored once revoked or deleted, and leaves nothing in the store', async () => {
    const [revoked, deleted] = [register.mintPending(request).record, register.mintPending(request).record];
    await register.revoke(revoked.id);
    await register.delete(deleted.id);
    expect([await register.commit(revoked.id), await register.commit(deleted.id)]).toEqual([false, false]);
    expect(kept.size).toBe(0);
  });

  test('is revoked in the store too if it is revoked while being stored', async () => {
    const { record } = register.mintPending(request);
    const keeping = register.commit(record.id);
    await register.revoke(record.id);
    expect(await keeping).toBe(false);
    expect(kept.get(record.id)?.revokedAt).not.toBeNull();
  });

  test('is gone if the store fails', async () => {
    const { record } = register.mintPending(request);
    const set = kept.set.bind(kept);
    kept.set = () => {
      throw new Error('the disk is full');
    };
    await expect(register.commit(record.id)).rejects.toThrow('the disk is full');
    kept.set = set;
    expect(register.find(record.id)).toBeNull();
  });

  test("is never called as the bridge's", () => {
    expect(() => register.mintPending({ ...request, name: bridgeTokenName })).toThrow(TypeError);
  });
});
