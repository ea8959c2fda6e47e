/** The bridge tokens of the last days (spec §5), and when each token was last used. */

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RetiredBridgeTokens, retiredBridgeTokens } from '../../../daemon/access/tokens/retired-bridge-tokens.ts';
import { tokenUses } from '../../../daemon/access/tokens/token-uses.ts';

const day = 86_400_000;
let now: number;
beforeEach(() => {
  now = Date.parse('2026-11-20T12:00:00Z');
});
const token = (number: number): string => `sp_${String(number).padStart(43, 'A')}`;

describe('dead bridge tokens', () => {
  let tokens: RetiredBridgeTokens;
  let changes: number;
  beforeEach(() => {
    changes = 0;
    tokens = retiredBridgeTokens(
      [],
      () => now,
      () => changes++,
    );
  });

  test('are known from the moment they are issued, for seven days', () => {
    expect(tokens.isRetired(token(1))).toBe(false);
    tokens.issued(token(1));
    expect(changes).toBe(1);
    now += 7 * day - 1;
    expect(tokens.isRetired(token(1))).toBe(true);
    now += 1;
    expect(tokens.isRetired(token(1))).toBe(false);
    expect(tokens.kept()).toEqual([]);
  });

  test('are the last 32 besides the two that may be in use, and no plaintext is stored', () => {
    for (let number = 0; number < 40; number++) {
      now += 1_000;
      tokens.issued(token(number));
    }
    expect(tokens.kept()).toHaveLength(34);
    expect(tokens.isRetired(token(5))).toBe(false);
    expect(tokens.isRetired(token(6))).toBe(true);
    // Only whole tokens have 20 of them. Shorter texts, `sp_` too, are in one of a hundred hashes
    // by chance.
    expect(JSON.stringify(tokens.kept())).not.toContain('A'.repeat(20));
  });

  test('are stored with one salt each', () => {
    const digest = (plaintext: string): string => createHash('sha256').update(plaintext).digest('base64url');
    tokens.issued(token(1));
    tokens.issued(token(2));
    tokens.issued(token(2));
    expect([1, 2, 3].map(number => tokens.isRetired(token(number)))).toEqual([true, true, false]);
    const [first = '', second = ''] = tokens.kept().map(({ hash }) => hash);
    expect(tokens.kept()).toHaveLength(2);
    for (const hash of [first, second]) expect(hash).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(first.split('.')[0]).not.toBe(second.split('.')[0]);
    expect(first + second).not.toContain(digest(token(1)));
    expect(first + second).not.toContain(digest(token(2)));
    const next = retiredBridgeTokens(
      tokens.kept(),
      () => now,
      () => {},
    );
    expect([1, 2].map(number => next.isRetired(token(number)))).toEqual([true, true]);
  });

  test('are known to the next run, with their age', () => {
    tokens.issued(token(1));
    now += 6 * day;
    const next = retiredBridgeTokens(
      tokens.kept(),
      () => now,
      () => {},
    );
    // Found again in a handshake file that stayed behind; that doesn't make the token younger.
    next.issued(token(1));
    expect(next.isRetired(token(1))).toBe(true);
    now += day;
    expect(next.isRetired(token(1))).toBe(false);
  });
});

describe('uses', () => {
  test('are returned until they are stored', () => {
    let first = 0;
    const uses = tokenUses(
      new Map([['old', now - 1]]),
      () => now,
      () => first++,
    );
    expect([uses.lastUsedAt('old') !== null, uses.lastUsedAt('new') !== null]).toEqual([true, false]);
    uses.used('old');
    uses.used('new');
    uses.used('new');
    expect(first).toBe(1);
    expect(uses.lastUsedAt('new')).toBe('2026-11-20T12:00:00.000Z');
    const unkept = uses.unkept();
    expect([...unkept.keys()].sort()).toEqual(['new', 'old']);
    now += 1_000;
    uses.used('new');
    uses.kept(unkept);
    expect([...uses.unkept().keys()]).toEqual(['new']);
    uses.forget('new');
    expect([uses.unkept().size, uses.lastUsedAt('new')]).toEqual([0, null]);
  });
});
