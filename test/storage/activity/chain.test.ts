/**
 * What the log's chain compares: a MAC of the right length and all its bits; a head that is one of
 * ours.
 */

import { expect, test } from '@jest/globals';
import { headText, keyIdOf, sameMac } from '../../../daemon/storage/activity/chain.ts';
import { parseHead } from '../../../daemon/storage/activity/head-text.ts';

const mac = Buffer.alloc(16, 7);

test('a MAC is equal in all its bits, or it isn’t', () => {
  expect(sameMac(Buffer.from(mac), mac)).toBe(true);
  for (const at of [0, 7, 15]) {
    const other = Buffer.from(mac);
    other[at] = 6;
    expect(sameMac(other, mac)).toBe(false);
  }
  for (const stored of [
    mac.subarray(1),
    mac.subarray(0, 8),
    Buffer.concat([mac, mac]),
    mac.toString('hex'),
    null,
    undefined,
    7,
  ])
    expect(sameMac(stored, mac)).toBe(false);
});

test('a head is read as it was written, and nothing else counts as one', () => {
  const head = {
    keyId: keyIdOf(mac),
    counter: 3,
    isAnchored: false,
    last: { number: 4, mac },
    tail: { number: 0, mac: null },
  };
  const text = headText(head);
  expect(parseHead(text)).toEqual({ version: 1, ...head });
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(text), ...change });
  const short = mac.subarray(1).toString('base64');
  for (const other of [
    '',
    '{}',
    changed({ version: 3 }),
    changed({ counter: -1 }),
    changed({ last: { number: -1, mac: mac.toString('base64') } }),
  ])
    expect(parseHead(other)).toBeNull();
  expect(parseHead(changed({ last: { number: 4, mac: short.slice(0, 16) } }))).toBeNull();
});
