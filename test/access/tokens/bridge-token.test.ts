import { expect, test } from '@jest/globals';
import { keepBridgeToken, type PublishedToken } from '../../../daemon/access/tokens/bridge-token.ts';
import type { TokenRecord } from '../../../daemon/access/tokens/token.ts';

let now = Date.parse('2026-11-20T12:00:00Z');
let minted = 0;
const tokens = {
  mintBridgeToken: (lifetimeSeconds: number) => ({
    record: { expiresAt: new Date(now + lifetimeSeconds * 1000).toISOString() } as TokenRecord,
    plaintext: `token ${++minted}`,
  }),
};

test('a token is published at the start and rotated a quarter of an hour before its end', () => {
  const published: PublishedToken[] = [];
  const keeper = keepBridgeToken(
    tokens,
    () => now,
    token => published.push(token),
  );
  expect(published).toHaveLength(1);
  now += 2_699_000;
  expect(keeper.rotateIfDue()).toBe(false);
  now += 1_000;
  expect(keeper.rotateIfDue()).toBe(true);
  expect(published).toHaveLength(2);
  expect(keeper.current()).toEqual(published[1]);
  expect(keeper.rotateIfDue()).toBe(false);
});

test('a clock that is set back makes a new token', () => {
  const keeper = keepBridgeToken(
    tokens,
    () => now,
    () => {},
  );
  now -= 3_600_000;
  expect(keeper.rotateIfDue()).toBe(true);
});

test('the old token stays current if the new one could not be published', () => {
  let full = false;
  const keeper = keepBridgeToken(
    tokens,
    () => now,
    () => {
      if (full) throw new Error('no space left');
    },
  );
  const before = keeper.current();
  full = true;
  now += 3_000_000;
  expect(() => keeper.rotateIfDue()).toThrow('no space');
  expect(keeper.current()).toEqual(before);
});
