import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openPairings, type Pairings } from '../../daemon/access/pairing.ts';
import { pairingLimits } from '../../daemon/access/pairing-limits.ts';
import type { PairingRequest } from '../../daemon/access/pairing-link.ts';
import type { TokenRecord } from '../../daemon/access/token.ts';

const verifier = randomBytes(32).toString('base64url');
const request: PairingRequest = {
  client: 'My Extension',
  challenge: createHash('sha256').update(verifier).digest('base64url'),
  redirect: 'http://127.0.0.1:8123/cb',
  handler: null,
  scope: 'readWrite',
  state: null,
  connectionIds: null,
};
const approve = { kind: 'approve', grant: { scope: 'readOnly', connections: 'all', expires: 30 } } as const;

let now = 0;
let minted: string[] = [];
let kept: string[] = [];
let deleted: string[] = [];
let pairings: Pairings;

beforeEach(() => {
  now = Date.parse('2026-11-20T12:00:00Z');
  [minted, kept, deleted] = [[], [], []];
  pairings = openPairings({
    now: () => now,
    newId: randomUUID,
    newCode: randomUUID,
    tokens: {
      mintUnkept: () => {
        const id = `token${minted.length + 1}`;
        minted.push(id);
        return { record: { id } as TokenRecord, plaintext: `plaintext of ${id}` };
      },
      keep: async id => void kept.push(id),
      delete: async id => deleted.push(id) > 0,
    },
    limits: pairingLimits,
  });
});

async function approvedCode(): Promise<string> {
  const decided = await pairings.decide(pairings.begin(request)?.id ?? '', approve);
  if (decided.kind !== 'answered') throw new Error(decided.kind);
  return new URL(decided.address).searchParams.get('code') ?? '';
}

describe('a decision', () => {
  test('to approve mints a token that nobody keeps yet, and answers with a code', async () => {
    expect(await approvedCode()).toMatch(/^[0-9a-f-]{36}$/);
    expect([minted, kept]).toEqual([['token1'], []]);
    expect(pairings.open()).toEqual([]);
  });

  test('to deny mints nothing', async () => {
    const decided = await pairings.decide(pairings.begin(request)?.id ?? '', { kind: 'deny' });
    expect(decided).toMatchObject({ address: 'http://127.0.0.1:8123/cb?error=denied&error_description=user_denied' });
    expect(minted).toEqual([]);
  });

  test('is taken once, and five minutes after the request not at all', async () => {
    const id = pairings.begin(request)?.id ?? '';
    now += 299_999;
    expect((await pairings.decide(id, approve)).kind).toBe('answered');
    expect((await pairings.decide(id, approve)).kind).toBe('not_open');
    const late = pairings.begin(request)?.id ?? '';
    now += 300_000;
    expect((await pairings.decide(late, approve)).kind).toBe('too_late');
    expect(minted).toHaveLength(1);
  });

  test('on a closed sheet opens nothing', async () => {
    const id = pairings.begin(request)?.id ?? '';
    pairings.drop(id);
    expect((await pairings.decide(id, approve)).kind).toBe('not_open');
  });
});

test('one sheet is open and three wait; the next request is turned away, and none is replaced', () => {
  const begun = [1, 2, 3, 4].map(() => pairings.begin(request)?.id);
  expect(pairings.begin(request)).toBeNull();
  expect(pairings.open().map(pairing => pairing.id)).toEqual(begun);
  now += 300_000;
  expect(pairings.begin(request)).not.toBeNull();
});

describe('an exchange', () => {
  test('gives the token once', async () => {
    const code = await approvedCode();
    expect(await pairings.exchange(code, verifier)).toEqual({
      kind: 'token',
      plaintext: 'plaintext of token1',
      tokenId: 'token1',
    });
    expect(kept).toEqual(['token1']);
    expect(await pairings.exchange(code, verifier)).toEqual({ kind: 'code_not_found' });
  });

  test('of two at once one wins', async () => {
    const code = await approvedCode();
    const both = await Promise.all([pairings.exchange(code, verifier), pairings.exchange(code, verifier)]);
    expect(both.map(exchanged => exchanged.kind).sort()).toEqual(['code_not_found', 'token']);
  });

  test('with another verifier burns the code and its token', async () => {
    const code = await approvedCode();
    expect(await pairings.exchange(code, `${verifier.slice(0, -1)}~`)).toEqual({ kind: 'challenge_mismatch' });
    expect(deleted).toEqual(['token1']);
    expect(await pairings.exchange(code, verifier)).toEqual({ kind: 'code_not_found' });
    expect(kept).toEqual([]);
  });

  test('after five minutes is told that the code expired, ten minutes later that there is none', async () => {
    const code = await approvedCode();
    now += 299_999;
    const another = await approvedCode();
    now += 1;
    expect(await pairings.exchange(code, verifier)).toEqual({ kind: 'code_expired' });
    expect(deleted).toEqual(['token1']);
    expect((await pairings.exchange(another, verifier)).kind).toBe('token');
    now += 599_999;
    expect(await pairings.exchange(code, verifier)).toEqual({ kind: 'code_expired' });
    now += 1;
    expect(await pairings.exchange(code, verifier)).toEqual({ kind: 'code_not_found' });
  });

  test('of a code whose token was revoked finds nothing', async () => {
    const code = await approvedCode();
    pairings.forgetToken('token1');
    expect(await pairings.exchange(code, verifier)).toEqual({ kind: 'code_not_found' });
  });

  test('of what was never a code finds nothing', async () => {
    expect(await pairings.exchange('', verifier)).toEqual({ kind: 'code_not_found' });
    expect(await pairings.exchange(randomUUID(), verifier)).toEqual({ kind: 'code_not_found' });
  });
});
