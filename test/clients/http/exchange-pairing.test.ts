/**
 * The exchange of codes from real approvals, at the real HTTP server (spec §10). Only the clocks
 * are the test's own.
 */

import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openPairings, type Pairings, pairingLimits } from '../../../daemon/access/pairing/pairing.ts';
import type { TokenRegister } from '../../../daemon/access/tokens/token-register.ts';
import type { ActivityEntry } from '../../../daemon/activity.ts';
import { deskOfRun } from '../../../daemon/questions.ts';
import { noFault } from '../../access/desk/desk-for-tests.ts';
import { type ClockedAdmission, clockedAdmission } from './admission-for-tests.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, modern, send } from './wire.ts';

const verifier = `${'a'.repeat(42)}~`;
const challenge = createHash('sha256').update(verifier).digest('base64url');

let admission: ClockedAdmission;
let server: RunningServer;
let pairings: Pairings;
let ahead = 0;
let storeFails = false;
const recorded: ActivityEntry[] = [];
const tallied: string[] = [];
/** How many rows existed at the last order to write the log. */
let written = 0;
beforeEach(async () => {
  admission = clockedAdmission();
  [ahead, storeFails] = [0, false];
  recorded.length = 0;
  written = 0;
  tallied.length = 0;
  const now = (): number => Date.now() + ahead;
  server = await runServer({}, admission, tokens => {
    pairings = openPairings({
      desk: deskOfRun({ now, elapsed: now, report: noFault }),
      elapsed: now,
      newCode: randomUUID,
      tokens: failing(tokens),
      limits: pairingLimits,
      onUndecided: () => {},
    });
    tokens.onEnded(pairings.forgetToken);
    const activity = {
      record: (entry: ActivityEntry) => void recorded.push(entry),
      tally(key: string, until: number) {
        expect(until - now()).toBeLessThanOrEqual(5_000);
        tallied.push(key);
      },
      async flush() {
        written = recorded.length;
      },
    };
    return { pairings, activity, now };
  });
});
afterEach(() => server.stop());

/** The register, with a store that fails on demand. */
const failing = (tokens: TokenRegister) => ({
  ...tokens,
  commit: (id: string): Promise<boolean> => {
    if (!storeFails) return tokens.commit(id);
    tokens.discard(id);
    return Promise.reject(new Error('the disk is full'));
  },
});

function approved(): string {
  const request = {
    client: 'Ed',
    challenge,
    redirect: 'http://127.0.0.1:1/',
    handler: null,
    scope: 'readOnly' as const,
    state: null,
    connectionIds: null,
  };
  const { id } = pairings.begin(request, new AbortController().signal) ?? { id: '' };
  const grant = { scope: 'readOnly', connections: 'all', expires: 30 } as const;
  const decided = pairings.decide(id, { kind: 'approve', grant });
  if (decided === null) throw new Error('not approved');
  return new URL(decided.address ?? '').searchParams.get('code') ?? '';
}

const exchange = (code: string, code_verifier = verifier): Promise<Answer> =>
  send(server.url, {
    path: '/v1/integrations/exchange',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, code_verifier }),
  });
const tokenIn = ({ text }: Answer): string => String(JSON.parse(text).token);
const letIn = async (token: string): Promise<boolean> =>
  (await send(server.url, modern(token, 'tools/list'))).status === 200;

test('a code and its verifier give the token, once, uncached; the token works', async () => {
  const code = approved();
  const answer = await exchange(code);
  expect([answer.status, answer.headers['cache-control'], answer.headers['content-type']]).toEqual([
    200,
    'no-store',
    'application/json',
  ]);
  expect(Object.keys(answer.json)).toEqual(['token']);
  expect(tokenIn(answer)).toMatch(/^sp_[A-Za-z0-9_-]{43}$/);
  expect(await letIn(tokenIn(answer))).toBe(true);
  expect((await exchange(code)).status).toBe(404);
  expect(recorded.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['success', undefined],
    ['denied', 'code_not_found'],
  ]);
  expect(recorded[0]).toMatchObject({ category: 'auth', client: 'Ed', tokenName: 'Ed' });
});

test('of twenty parallel exchanges of one code one wins', async () => {
  const code = approved();
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter(status => status === 200)).toHaveLength(1);
  expect(statuses.filter(status => status === 404)).toHaveLength(5);
  expect(statuses.filter(status => status === 429)).toHaveLength(14);
});

test('a wrong verifier burns the code and its token: 403, then 404', async () => {
  const code = approved();
  const wrong = await exchange(code, 'b'.repeat(43));
  expect([wrong.status, wrong.text]).toEqual([
    403,
    '{"error":"challenge_mismatch","error_description":"Challenge mismatch"}',
  ]);
  expect(wrong.headers['cache-control']).toBe('no-store');
  expect((await exchange(code)).status).toBe(404);
  expect(server.tokens.list()).toEqual([]);
  expect(recorded[0]).toMatchObject({
    category: 'auth',
    outcome: 'denied',
    reason: 'challenge_mismatch',
    client: 'Ed',
  });
});

test('after five minutes 410, and ten minutes later 404', async () => {
  const code = approved();
  ahead = 300_000;
  const late = await exchange(code);
  expect([late.status, late.text]).toEqual([
    410,
    '{"error":"code_expired","error_description":"Pairing code expired"}',
  ]);
  expect(server.tokens.list()).toEqual([]);
  ahead = 899_000;
  expect((await exchange(code)).status).toBe(410);
  ahead = 900_000;
  expect((await exchange(code)).status).toBe(404);
});

describe('five failures', () => {
  test('get their own answer, the sixth 429 for fifteen minutes', async () => {
    for (let failure = 0; failure < 5; failure++) expect((await exchange(randomUUID())).status).toBe(404);
    const sixth = await exchange(randomUUID());
    expect([sixth.status, sixth.json.error, sixth.headers['retry-after']]).toEqual([429, 'rate_limited', '900']);
    expect(tallied).toEqual(['exchange locked out']);
    expect(recorded.map(({ reason }) => reason)).toEqual(Array(5).fill('code_not_found'));
    expect(written).toBe(5);
    admission.advanceSeconds(900);
    expect((await exchange(randomUUID())).status).toBe(404);
  });

  test('keep nobody out who has a code, and a wrong verifier for it is counted', async () => {
    const [own, guessed, late] = [approved(), approved(), approved()];
    for (let failure = 0; failure < 6; failure++) await exchange(randomUUID());
    expect((await exchange(own)).status).toBe(200);
    expect((await exchange(own)).status).toBe(429);
    expect((await exchange(guessed, 'b'.repeat(43))).status).toBe(403);
    expect((await exchange(guessed)).status).toBe(429);
    ahead = 300_000;
    expect((await exchange(late)).status).toBe(429);
  });

  test('are counted as they are answered: thirty parallel guesses aren’t thirty tries', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => exchange(randomUUID())));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  test('don’t include malformed bodies, which are failures all the same', async () => {
    for (let failure = 0; failure < 8; failure++) expect((await exchange('x', 'short')).status).toBe(400);
    expect(recorded.map(({ reason }) => reason)).toEqual(Array(5).fill('invalid_request'));
    expect(written).toBe(5);
    expect(tallied).toEqual(Array(3).fill('exchange invalid_request'));
    expect((await exchange(approved())).status).toBe(200);
    admission.advanceSeconds(60);
    await exchange('x', 'short');
    expect(recorded).toHaveLength(5 + 1 + 1);
  });

  test.each([
    ['declared', {}],
    ['of undeclared length', { 'Transfer-Encoding': 'chunked' }],
  ])('may be over 8 KiB, %s: each is recorded, and during the lockout it is counted', async (_how, more) => {
    const body = 'x'.repeat(8_193);
    const headers = { 'Content-Type': 'application/json', ...more };
    const large = (): Promise<Answer> => send(server.url, { path: '/v1/integrations/exchange', headers, body });
    expect((await large()).json.error_description).toBe('The body is larger than 8192 bytes.');
    expect([recorded.length, written, recorded[0]?.reason]).toEqual([1, 1, 'invalid_request']);
    for (let failure = 0; failure < 5; failure++) await exchange(randomUUID());
    expect((await large()).status).toBe(429);
    expect(tallied).toEqual(['exchange locked out']);
  });
});

test('an exchange answers while a pause refuses clients', async () => {
  const code = approved();
  admission.paused = true;
  const answer = await exchange(code);
  expect(answer.status).toBe(200);
  expect(await letIn(tokenIn(answer))).toBe(false);
});

test('nobody gets a token that can’t be stored: 500, the code is used up, the token gone', async () => {
  const code = approved();
  storeFails = true;
  const failed = await exchange(code);
  expect(failed.status).toBe(500);
  expect(failed.text).not.toMatch(/sp_|disk/);
  storeFails = false;
  expect((await exchange(code)).status).toBe(404);
  expect(server.tokens.list()).toEqual([]);
  expect(server.logged.join('\n')).not.toContain('sp_');
});
