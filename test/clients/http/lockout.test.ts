/** The lockouts at the real HTTP server (spec §13); only their clock is the test's own. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClockedAdmission, clockedAdmission } from './admission-for-tests.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, initialize, legacy, modern, send } from './wire.ts';

let admission: ClockedAdmission;
let server: RunningServer;
beforeEach(async () => {
  admission = clockedAdmission();
  server = await runServer({}, admission);
});
afterEach(() => server.stop());

const list = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(server.url, modern(token, 'tools/list', {}, { headers }));
const guess = (number: number): string => `sp_${String(number).padStart(43, 'G')}`;
const codeOf = async (token: string): Promise<unknown> => (await list(token)).json.error?.code ?? 'let in';
async function lockOut(): Promise<void> {
  for (let number = 0; number < 5; number++) expect(await codeOf(guess(number))).toBe(-33009);
}

describe('authentication', () => {
  test('five guesses get their own answer, the sixth -33010 with the remaining time, for five minutes', async () => {
    await lockOut();
    const sixth = await list(guess(6));
    expect([sixth.status, sixth.json.error?.code, sixth.headers['retry-after']]).toEqual([429, -33010, '300']);
    expect('id' in sixth.json).toBe(false);
    expect(sixth.json.error?.message).toContain('300 s');
    admission.advanceSeconds(299.5);
    expect((await list(guess(7))).headers['retry-after']).toBe('1');
    admission.advanceSeconds(0.5);
    expect(await codeOf(guess(8))).toBe(-33009);
  });

  test('each valid token passes, used before or not, and so does the bridge', async () => {
    const used = await server.token();
    const fresh = await server.token();
    expect(await codeOf(used)).toBe('let in');
    await lockOut();
    expect(await codeOf(used)).toBe('let in');
    expect(await codeOf(server.bridgeToken)).toBe('let in');
    expect(await codeOf(fresh)).toBe('let in');
    expect(await codeOf(guess(9))).toBe(-33010);
  });

  test('a client that retries a revoked token locks nobody out, and keeps its own answer during a lockout', async () => {
    const token = await server.token();
    await server.tokens.revoke(server.idOf(token));
    for (let time = 0; time < 20; time++) expect(await codeOf(token)).toBe(-33009);
    expect(await codeOf(guess(0))).toBe(-33009);
    expect(await codeOf(await server.token())).toBe('let in');
    await lockOut().catch(() => {});
    expect(await codeOf(guess(9))).toBe(-33010);
    expect(await codeOf(token)).toBe(-33009);
  });

  test('one that retries a deleted token locks out no valid one', async () => {
    const token = await server.token();
    await server.tokens.delete(server.idOf(token));
    for (let time = 0; time < 20; time++) await list(token);
    expect(await codeOf(await server.token())).toBe('let in');
  });

  test('what never counts: no Authorization, a foreign Host or Origin, another method or path, expired and dead tokens', async () => {
    const expired = await server.token();
    const dead = `sp_${'d'.repeat(43)}`;
    admission.retiredBridgeTokens.issued(dead);
    server.advanceSeconds(86_401);
    const { Authorization: _, ...withoutBearer } = modern('', 'tools/list').headers ?? {};
    for (let time = 0; time < 12; time++) {
      const missing = await send(server.url, { ...modern('', 'tools/list'), headers: withoutBearer });
      expect(missing.json.error?.code).toBe(-33009);
      expect(await codeOf(expired)).toBe(-33008);
      expect(await codeOf(dead)).toBe(-33009);
      expect((await list(guess(1), { Host: 'evil.example' })).status).toBe(403);
      expect((await list(guess(1), { Origin: 'https://evil.example' })).status).toBe(403);
      expect((await send(server.url, { ...modern(guess(1), 'tools/list'), method: 'GET' })).status).toBe(405);
      expect((await send(server.url, { ...modern(guess(1), 'tools/list'), path: '/x' })).status).toBe(404);
    }
    await lockOut();
    expect(await codeOf(guess(1))).toBe(-33010);
    // During the lockout these keep their own answer, since only a 401 makes a bridge read the
    // handshake again.
    expect(await codeOf(dead)).toBe(-33009);
    expect(await codeOf(expired)).toBe(-33008);
  });

  test('another scheme and a malformed bearer count', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer ', 'Bearer a b', 'nonsense', 'Bearer']) {
      expect((await list('', { Authorization: authorization })).json.error?.code).toBe(-33009);
    }
    expect(await codeOf(guess(1))).toBe(-33010);
  });

  test('a success resets nothing: guesses between a working client’s requests are still five', async () => {
    const token = await server.token();
    for (let number = 0; number < 5; number++) {
      expect(await codeOf(guess(number))).toBe(-33009);
      expect(await codeOf(token)).toBe('let in');
    }
    expect(await codeOf(guess(6))).toBe(-33010);
  });

  test('sessions of the older revisions continue during the lockout', async () => {
    const token = await server.token();
    const opened = await send(server.url, legacy(token, initialize('2025-11-25')));
    const session = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
    await lockOut();
    const answer = await send(server.url, legacy(token, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, session));
    expect(answer.status).toBe(200);
  });
});

describe('the exchange', () => {
  const exchange = (fields: Record<string, unknown> = {}): Promise<Answer> =>
    send(server.url, {
      path: '/v1/integrations/exchange',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: '5b1d8f0e-6c1e-4d5e-9d2f-0a4a52b8f001', code_verifier: 'a'.repeat(43), ...fields }),
    });

  test('five unknown codes get their own answer, the sixth 429 with the remaining time, for fifteen minutes', async () => {
    for (let time = 0; time < 5; time++) expect((await exchange()).status).toBe(404);
    const sixth = await exchange();
    expect([sixth.status, sixth.json.error, sixth.headers['retry-after']]).toEqual([429, 'rate_limited', '900']);
    expect(sixth.headers['cache-control']).toBe('no-store');
    expect(sixth.json.error_description).toContain('900 s');
    // The lockout is checked before the body.
    expect((await exchange({ code: 1 })).status).toBe(429);
    admission.advanceSeconds(900);
    expect((await exchange()).status).toBe(404);
  });

  test('a malformed body never counts', async () => {
    for (let time = 0; time < 20; time++) expect((await exchange({ code_verifier: 'short' })).status).toBe(400);
    expect((await exchange()).status).toBe(404);
  });

  test('fifty at once get five answers of their own', async () => {
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => exchange()))).map(({ status }) => status);
    expect(statuses.filter(status => status === 404)).toHaveLength(5);
    expect(statuses.filter(status => status === 429)).toHaveLength(45);
  });

  test('the two lockouts are independent', async () => {
    for (let time = 0; time < 6; time++) await exchange();
    expect(await codeOf(guess(1))).toBe(-33009);
    await lockOut().catch(() => {});
    admission.advanceSeconds(300);
    expect((await exchange()).status).toBe(429);
  });
});
