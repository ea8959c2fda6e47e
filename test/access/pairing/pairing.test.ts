import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openPairings, type Pairings, pairingLimits } from '../../../daemon/access/pairing/pairing.ts';
import type { PairingRequest } from '../../../daemon/access/pairing/pairing-link.ts';
import type { TokenRecord } from '../../../daemon/access/tokens/token.ts';
import { deskForTests, type TestDesk } from '../desk/desk-for-tests.ts';

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
const here = new AbortController().signal;
const approve = { kind: 'approve', grant: { scope: 'readOnly', connections: 'all', expires: 30 } } as const;

let time: TestDesk;
let minted: string[] = [];
let kept: string[] = [];
let deleted: string[] = [];
let revoked: string[] = [];
let undecided: string[] = [];
let pairings: Pairings;

beforeEach(() => {
  time = deskForTests();
  [minted, kept, deleted, revoked, undecided] = [[], [], [], [], []];
  pairings = openPairings({
    desk: time.desk,
    elapsed: time.elapsed,
    newCode: randomUUID,
    tokens: {
      mintPending: () => {
        const id = `token${minted.length + 1}`;
        minted.push(id);
        return { record: { id } as TokenRecord, plaintext: `plaintext of ${id}` };
      },
      commit: async id => {
        kept.push(id);
        return !revoked.includes(id);
      },
      discard: id => void deleted.push(id),
    },
    limits: pairingLimits,
    onUndecided: ({ client }, why) => void undecided.push(`${client} ${why}`),
  });
});

function approvedCode(): string {
  const decided = pairings.decide(pairings.begin(request, here)?.id ?? '', approve);
  if (decided === null) throw new Error('It is not open.');
  return new URL(decided.address ?? '').searchParams.get('code') ?? '';
}

describe('a decision', () => {
  test('to approve mints a token that isn’t stored yet, and answers with a code', async () => {
    expect(approvedCode()).toMatch(/^[0-9a-f-]{36}$/);
    expect([minted, kept]).toEqual([['token1'], []]);
    expect(pairings.open()).toEqual([]);
  });

  test('to deny mints nothing', async () => {
    const decided = pairings.decide(pairings.begin(request, here)?.id ?? '', { kind: 'deny' });
    expect(decided).toMatchObject({ address: 'http://127.0.0.1:8123/cb?error=denied&error_description=user_denied' });
    expect(minted).toEqual([]);
  });

  test('counts once, and not at all five minutes after the request', async () => {
    const id = pairings.begin(request, here)?.id ?? '';
    time.sleep(299_999);
    expect(pairings.decide(id, approve)).toMatchObject({ tokenId: 'token1' });
    expect(pairings.decide(id, approve)).toBeNull();
    const late = pairings.begin(request, here)?.id ?? '';
    time.sleep(300_000);
    expect(pairings.decide(late, approve)).toBeNull();
    expect(minted).toHaveLength(1);
  });

  test('on a closed sheet has no effect', async () => {
    const id = pairings.begin(request, here)?.id ?? '';
    pairings.drop(id);
    expect(pairings.decide(id, approve)).toBeNull();
  });
});

test('one sheet is open and three wait; the next request is turned away, and it replaces none', () => {
  const begun = [1, 2, 3, 4].map(() => pairings.begin(request, here)?.id);
  expect(pairings.begin(request, here)).toBeNull();
  expect(pairings.open().map(pairing => pairing.id)).toEqual(begun);
  time.sleep(300_000);
  expect(pairings.begin(request, here)).not.toBeNull();
});

describe('a request', () => {
  test('without a decision is reported once: expired, closed, or left by its shell; a decided one isn’t', () => {
    const shell = new AbortController();
    const ids = [here, here, here, shell.signal].map(gone => pairings.begin(request, gone)?.id ?? '');
    pairings.decide(ids[0] ?? '', { kind: 'deny' });
    for (const id of [ids[0], ids[1], ids[1]]) pairings.drop(id ?? '');
    shell.abort();
    expect(undecided).toEqual([`${request.client} closed`, `${request.client} closed`]);
    time.pass(300_000);
    pairings.drop(ids[2] ?? '');
    expect(undecided).toEqual([...undecided.slice(0, 2), `${request.client} expired`]);
  });

  test('ends with the shell that brought it', () => {
    const shell = new AbortController();
    const id = pairings.begin(request, shell.signal)?.id ?? '';
    shell.abort();
    expect([pairings.open(), pairings.find(id), pairings.decide(id, approve)]).toEqual([[], null, null]);
    expect(pairings.begin(request, shell.signal)).toBeNull();
  });

  test('that waits is told its turn once, when the one before it is answered, closed, left or expired', () => {
    const turns: string[] = [];
    pairings.onTurn(id => turns.push(id));
    const shell = new AbortController();
    const ids = [here, shell.signal, here, here].map(signal => pairings.begin(request, signal)?.id ?? '');
    const [first = '', , third = ''] = ids;
    expect(turns).toEqual([]);
    pairings.drop(third);
    pairings.decide(first, approve);
    expect(turns).toEqual([ids[1]]);
    shell.abort();
    expect(turns).toEqual([ids[1], ids[3]]);
    time.sleep(200_000);
    const last = pairings.begin(request, here)?.id;
    time.pass(100_000);
    expect(turns).toEqual([ids[1], ids[3], last]);
  });
});

describe('an exchange', () => {
  const redeemed = async (code: string, given = verifier): Promise<unknown> => {
    const found = pairings.redeem(code, given);
    return found.kind === 'token' ? found.keep() : found.kind;
  };

  test('gives the token once, when it is stored', async () => {
    const code = approvedCode();
    expect(await redeemed(code)).toBe('plaintext of token1');
    expect(kept).toEqual(['token1']);
    expect(await redeemed(code)).toBe('code_not_found');
  });

  test('run twice at once succeeds once', async () => {
    const code = approvedCode();
    const both = await Promise.all([redeemed(code), redeemed(code)]);
    expect(both.sort()).toEqual(['code_not_found', 'plaintext of token1']);
  });

  test('with another verifier burns the code and its token', async () => {
    const code = approvedCode();
    expect(await redeemed(code, `${verifier.slice(0, -1)}~`)).toBe('challenge_mismatch');
    expect(deleted).toEqual(['token1']);
    expect(await redeemed(code)).toBe('code_not_found');
    expect(kept).toEqual([]);
  });

  test('after five minutes is told that the code expired, ten minutes later that there is none', async () => {
    const code = approvedCode();
    time.sleep(299_999);
    const another = approvedCode();
    time.sleep(1);
    expect(await redeemed(code)).toBe('code_expired');
    expect(deleted).toEqual(['token1']);
    expect(await redeemed(another)).toBe('plaintext of token2');
    time.sleep(599_999);
    expect(await redeemed(code)).toBe('code_expired');
    time.sleep(1);
    expect(await redeemed(code)).toBe('code_not_found');
  });

  test.each([-3_600_000, 3_600_000])('and a clock that is set by %d ms neither extends nor ends a code', async by => {
    const [code, another] = [approvedCode(), approvedCode()];
    const id = pairings.begin(request, here)?.id ?? '';
    time.set = by;
    expect(await redeemed(another)).toBe('plaintext of token2');
    time.sleep(300_000);
    expect(pairings.decide(id, approve)).toBeNull();
    expect(await redeemed(code)).toBe('code_expired');
  });

  test('of a code finds nothing if its token was revoked, or is revoked while being stored', async () => {
    const [code, another] = [approvedCode(), approvedCode()];
    pairings.forgetToken('token1');
    expect(await redeemed(code)).toBe('code_not_found');
    revoked.push('token2');
    expect(await redeemed(another)).toBeNull();
  });

  test('of an unknown code finds nothing', async () => {
    expect(await redeemed('')).toBe('code_not_found');
    expect(await redeemed(randomUUID())).toBe('code_not_found');
  });
});
