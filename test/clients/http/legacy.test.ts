import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, legacy, openRaw, openSession, send } from './wire.ts';

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await runServer();
  token = await server.token();
});
afterAll(() => server.stop());

const list = (by: string, session: Record<string, string>): Promise<Answer> =>
  send(server.url, legacy(by, { jsonrpc: '2.0', id: 5, method: 'tools/list' }, session));

const slow = (name: string, id: string | number, progressToken?: string): unknown => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'slow',
    arguments: { name },
    ...(progressToken !== undefined && { _meta: { progressToken } }),
  },
});

const cancel = (requestId: string | number, session: Record<string, string>): Promise<Answer> =>
  send(
    server.url,
    legacy(token, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, session),
  );

describe('sessions', () => {
  test('a call knows the client that opened its session', async () => {
    const session = await openSession(server.url, token);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } };
    const { json } = await send(server.url, legacy(token, call, session));
    expect(json.result?.structuredContent).toMatchObject({ client: 'old client', big: '9007199254740993' });
  });

  test('an unknown method is answered in the session, which continues', async () => {
    const session = await openSession(server.url, token);
    const unknown = await send(server.url, legacy(token, { jsonrpc: '2.0', id: 1, method: 'tools/none' }, session));
    expect([unknown.status, unknown.json.error?.code, unknown.json.id]).toEqual([200, -32601, 1]);
    expect((await list(token, session)).status).toBe(200);
  });

  test("none, an unknown one and another principal's: 400, 404 -33001, 404 -33001", async () => {
    const session = await openSession(server.url, token);
    expect((await list(token, session)).status).toBe(200);
    const none = await list(token, {});
    expect([none.status, none.json.error?.code, none.json.id]).toEqual([400, -32600, 5]);
    const unknown = await list(token, { ...session, 'Mcp-Session-Id': '5b1d8f0e-6c1e-4d5e-9d2f-0a4a52b8f001' });
    expect([unknown.status, unknown.json.error?.code, unknown.json.id]).toEqual([404, -33001, 5]);
    const others = await list(await server.token(), session);
    expect(others.text).toBe(unknown.text);
    expect(others.status).toBe(404);
  });

  test("a bridge's session survives the rotation of its token, and belongs to no other bridge", async () => {
    const bridge = { 'Sallyport-Bridge': 'a'.repeat(22) };
    const opened = await send(
      server.url,
      legacy(
        server.bridgeToken,
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'b', version: '1' } },
        },
        bridge,
      ),
    );
    const session = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
    const rotated = server.tokens.mintBridgeToken(3_600).plaintext;
    expect((await list(rotated, { ...session, ...bridge })).status).toBe(200);
    expect((await list(rotated, { ...session, 'Sallyport-Bridge': 'b'.repeat(22) })).status).toBe(404);
  });

  test('initialize under a header that names another version opens none', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const answer = (header: string) => send(server.url, legacy(token, body, { 'MCP-Protocol-Version': header }));
    expect((await answer('2025-11-25')).headers['mcp-session-id']).toBeDefined();
    const other = await answer('2025-06-18');
    expect([other.status, other.json.error?.code, other.json.id]).toEqual([400, -32600, 1]);
    expect(other.json.error?.message).toBe(
      'MCP-Protocol-Version names 2025-06-18 and initialize 2025-11-25; name one version in both.',
    );
    expect(other.headers['mcp-session-id']).toBeUndefined();
  });

  test('revoking the token ends them', async () => {
    const dying = await server.token();
    const session = await openSession(server.url, dying);
    await server.tokens.revoke(server.idOf(dying));
    expect((await list(dying, session)).status).toBe(401);
  });

  test('a principal has 16; its own least recently used is dropped, nobody else’s', async () => {
    const own = await runServer();
    try {
      const mine = await own.token();
      const status = async (session: Record<string, string>, by = mine): Promise<number> =>
        (await send(own.url, legacy(by, { jsonrpc: '2.0', id: 5, method: 'ping' }, session))).status;
      const neighbour = await own.token();
      const others = await openSession(own.url, neighbour);
      const first = await openSession(own.url, mine);
      const second = await openSession(own.url, mine);
      for (let count = 2; count < 16; count++) await openSession(own.url, mine);
      expect(await status(first)).toBe(200);
      await openSession(own.url, mine);
      expect([await status(first), await status(second)]).toEqual([200, 404]);
      for (let count = 0; count < 64; count++) await openSession(own.url, mine);
      expect([await status(first), await status(others, neighbour)]).toEqual([404, 200]);
    } finally {
      await own.stop();
    }
  });

  test('a call in a session displaced by its own principal is cancelled; another principal’s isn’t', async () => {
    const own = await runServer();
    try {
      const [mine, neighbour] = [await own.token(), await own.token()];
      const call = async (by: string, name: string): Promise<Answer> =>
        send(own.url, legacy(by, slow(name, name), await openSession(own.url, by)));
      const others = call(neighbour, 'other');
      const answers = [];
      for (let count = 0; count < 16; count++) {
        answers.push(call(mine, `${count}`));
        await until(() => own.slowTool.includes(`began ${count}`), 'the call began');
      }
      await openSession(own.url, mine);
      const { status, json } = (await answers[0]) ?? {};
      expect([status, json?.error?.code, json?.id]).toEqual([200, -33002, '0']);
      expect(own.slowTool.filter(line => line.startsWith('aborted'))).toEqual(['aborted 0']);
      await own.http.close(0);
      await Promise.all([...answers, others]);
    } finally {
      await own.stop();
    }
  });
});

describe('cancellation', () => {
  test('aborts the call; HTTP gets its answer, -33002', async () => {
    const session = await openSession(server.url, token);
    const answer = send(server.url, legacy(token, slow('json', 11), session));
    await until(() => server.slowTool.includes('began json'), 'the call began');
    expect((await cancel('11', session)).status).toBe(202);
    expect(server.slowTool).not.toContain('aborted json');
    expect((await cancel(11, session)).status).toBe(202);
    const { status, json } = await answer;
    expect([status, json.error?.code, json.id]).toEqual([200, -33002, 11]);
    await until(() => server.slowTool.includes('ended json'), 'the call ended');
    expect(server.slowTool).toContain('aborted json');
  });

  test('ends the stream of a call that reported progress, without an answer', async () => {
    const session = await openSession(server.url, token);
    const answer = send(server.url, legacy(token, slow('sse', 'x', 'p1'), session));
    await until(() => server.slowTool.includes('began sse'), 'the call began');
    await cancel('x', session);
    const { headers, text } = await answer;
    expect(headers['content-type']).toBe('text/event-stream');
    const messages = text
      .split('\n')
      .filter(line => line.startsWith('data: '))
      .map(line => JSON.parse(line.slice(6)));
    expect(messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p1', progress: 1, total: 2, message: 'half way' },
      },
    ]);
    await until(() => server.slowTool.includes('aborted sse'), 'the call was aborted');
  });

  test("another session's cancellation of the same id has no effect", async () => {
    const [session, other] = [await openSession(server.url, token), await openSession(server.url, token)];
    const answer = send(server.url, legacy(token, slow('mine', 1), session));
    await until(() => server.slowTool.includes('began mine'), 'the call began');
    await cancel(1, other);
    await send(server.url, legacy(token, { jsonrpc: '2.0', id: 2, method: 'ping' }, session));
    expect(server.slowTool).not.toContain('aborted mine');
    await cancel(1, session);
    await answer;
  });

  test('a dropped connection aborts the call too', async () => {
    const session = await openSession(server.url, token);
    const { headers = {}, body = '' } = legacy(token, slow('dropped', 1), session);
    const raw = await openRaw(server.http.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until(() => server.slowTool.includes('began dropped'), 'the call began');
    raw.end();
    await until(() => server.slowTool.includes('aborted dropped'), 'the call was aborted');
  });
});
