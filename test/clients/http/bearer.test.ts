import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, modern, send } from './wire.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await runServer();
});
afterAll(() => server.stop());

const list = (authorization: string | null): Promise<Answer> => {
  const { Authorization: _removed, ...headers } = modern('', 'tools/list').headers ?? {};
  const own = authorization === null ? headers : { ...headers, Authorization: authorization };
  return send(server.url, { ...modern('', 'tools/list'), headers: own });
};

const principalOf = async (token: string, headers: Record<string, string> = {}): Promise<unknown> => {
  const call = modern(token, 'tools/call', { name: 'echo', arguments: { text: '' } }, { headers });
  return (await send(server.url, call)).json.result?.structuredContent?.principal;
};

describe('refused bearers', () => {
  test.each([
    ['no Authorization', null],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['an empty bearer', 'Bearer '],
    ['a bearer of another form', 'Bearer abc'],
    ['one never minted', `Bearer sp_${'A'.repeat(43)}`],
    ['two in one', `Bearer sp_${'A'.repeat(43)}, Bearer sp_${'B'.repeat(43)}`],
  ])('%s is 401 -33009 with WWW-Authenticate and without an id', async (_what, authorization) => {
    const answer = await list(authorization);
    expect(answer.status).toBe(401);
    expect(answer.json.error?.code).toBe(-33009);
    expect('id' in answer.json).toBe(false);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="Sallyport"/);
    expect(answer.headers['www-authenticate']?.includes('invalid_token')).toBe(authorization !== null);
  });

  test('an expired token is -33008', async () => {
    const token = await server.token();
    server.advanceSeconds(86_401);
    const answer = await list(`Bearer ${token}`);
    server.advanceSeconds(-86_401);
    expect([answer.status, answer.json.error?.code]).toEqual([401, -33008]);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    expect((await list(`Bearer ${token}`)).status).toBe(200);
  });

  test('a revoked token and a deleted one are -33009, with the words for an unknown one', async () => {
    const unknown = await list(`Bearer sp_${'A'.repeat(43)}`);
    for (const end of ['revoke', 'delete'] as const) {
      const token = await server.token();
      const id = server.idOf(token);
      expect((await list(`bearer ${token}`)).status).toBe(200);
      await server.tokens[end](id);
      expect((await list(`Bearer ${token}`)).text).toBe(unknown.text);
    }
  });

  test('no bearer is ever logged', async () => {
    const token = await server.token();
    await list(`Bearer ${token}`);
    await list(`Bearer ${token.slice(0, -1)}`);
    expect(server.logged.join('\n')).not.toContain(token.slice(0, 12));
  });
});

describe('principal', () => {
  test("is a minted token's id, whatever the bridge header says", async () => {
    const token = await server.token();
    const id = server.idOf(token);
    expect(await principalOf(token)).toBe(id);
    expect(await principalOf(token, { 'Sallyport-Bridge': 'a'.repeat(20) })).toBe(id);
  });

  test("is the bridge process's own id beside the bridge's token, and survives its rotation", async () => {
    const bridge = { 'Sallyport-Bridge': 'Zm9vYmFyYmF6cXV4' };
    expect(await principalOf(server.bridgeToken, bridge)).toBe('bridge:Zm9vYmFyYmF6cXV4');
    const rotated = server.tokens.mintBridgeToken(3_600).plaintext;
    expect(await principalOf(rotated, bridge)).toBe('bridge:Zm9vYmFyYmF6cXV4');
    expect(await principalOf(server.bridgeToken, bridge)).toBe('bridge:Zm9vYmFyYmF6cXV4');
  });

  test.each(['short', 'a'.repeat(65), 'has spaces in it, see', 'bridge:bridge:bridge'])(
    'is the token if the bridge calls itself %p',
    async name => {
      const id = server.idOf(server.bridgeToken);
      expect(await principalOf(server.bridgeToken, { 'Sallyport-Bridge': name })).toBe(`bridge:${id}`);
      expect(await principalOf(server.bridgeToken)).toBe(`bridge:${id}`);
    },
  );
});
