import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, legacy, modern, openRaw, openSession, send, statusOf } from './wire.ts';

let server: RunningServer;
let token: string;
beforeEach(async () => {
  server = await runServer();
  token = await server.token();
});
afterEach(() => server.stop());

const slow = (name: string, progress = false, milliseconds = 30_000): Promise<Answer> => {
  const meta = progress ? { progressToken: 1 } : {};
  return send(server.url, modern(token, 'tools/call', { name: 'slow', arguments: { name, milliseconds } }, { meta }));
};
const began = (name: string): Promise<void> => until(() => server.slowTool.includes(`began ${name}`), 'it began');
const aborted = (name: string): Promise<void> => until(() => server.slowTool.includes(`aborted ${name}`), 'it ended');

describe('a modern call', () => {
  test.each(['before any progress', 'after progress'])('is aborted when its client leaves %s', async when => {
    const meta = when === 'after progress' ? { progressToken: 1 } : {};
    const { headers = {}, body = '' } = modern(
      token,
      'tools/call',
      { name: 'slow', arguments: { name: 'a' } },
      { meta },
    );
    const raw = await openRaw(server.http.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await began('a');
    if (when === 'after progress') expect(await raw.until('half way')).toContain('text/event-stream');
    raw.end();
    await aborted('a');
  });

  test('sends its progress before its answer, on the same stream', async () => {
    const { text, headers } = await slow('p', true, 50);
    expect(headers['content-type']).toBe('text/event-stream');
    const messages = text
      .split('\n')
      .filter(line => line.startsWith('data: '))
      .map(line => JSON.parse(line.slice(6)));
    expect(messages[0].params).toMatchObject({ progressToken: 1, progress: 1, total: 2, message: 'half way' });
    expect(messages[1]).toMatchObject({ id: 7, result: { structuredContent: { waited: true } } });
    expect(messages).toHaveLength(2);
  });
});

describe('revoking a token', () => {
  test('ends what runs under it, says so, and affects no other', async () => {
    const spared = await server.token();
    const other = send(
      server.url,
      modern(spared, 'tools/call', { name: 'slow', arguments: { name: 'other', milliseconds: 300 } }),
    );
    const [plain, streamed] = [slow('plain'), slow('streamed', true)];
    await Promise.all([began('plain'), began('streamed'), began('other')]);
    await server.tokens.revoke(server.idOf(token));
    const answer = await plain;
    expect([answer.status, answer.json.error?.code, answer.json.id]).toEqual([401, -33009, 7]);
    expect((await streamed).text).not.toContain('"result"');
    await Promise.all([aborted('plain'), aborted('streamed')]);
    expect((await other).json.result?.structuredContent).toEqual({ waited: true });
  });

  test('ends a legacy call', async () => {
    const session = await openSession(server.url, token);
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'slow', arguments: { name: 'old' } } };
    const answer = send(server.url, legacy(token, call, session));
    await began('old');
    await server.tokens.delete(server.idOf(token));
    expect([(await answer).status, (await answer).json.error?.code]).toEqual([401, -33009]);
    await aborted('old');
  });

  test('ends a request whose body is still being sent', async () => {
    const { headers = {} } = modern(token, 'tools/list');
    const raw = await openRaw(server.http.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: 4\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(statusOf(await raw.until('100 Continue'))).toBe(100);
    await server.tokens.revoke(server.idOf(token));
    raw.write('null');
    expect(await raw.until('-33009')).toContain('HTTP/1.1 401');
    raw.end();
  });
});

describe('a token that expires', () => {
  test('ends what runs and streams under it, and says so; a bridge’s requests continue under its next token', async () => {
    const [call, streamed] = [slow('plain'), slow('streamed', true)];
    const ofBridge = send(
      server.url,
      modern(server.bridgeToken, 'tools/call', { name: 'slow', arguments: { name: 'bridge', milliseconds: 3_000 } }),
    );
    await Promise.all([began('plain'), began('streamed'), began('bridge')]);
    server.advanceSeconds(86_401);
    const { status, json } = await call;
    expect([status, json.error?.code, json.id]).toEqual([401, -33008, 7]);
    expect((await streamed).text).not.toContain('"result"');
    await Promise.all([aborted('plain'), aborted('streamed')]);
    expect((await ofBridge).json.result?.structuredContent).toEqual({ waited: true });
  });

  test('and is the bridge’s is answered as a stale one: only -33009 makes a bridge read the handshake again', async () => {
    server.advanceSeconds(3_601);
    const { status, json } = await send(server.url, modern(server.bridgeToken, 'tools/list'));
    expect([status, json.error?.code]).toEqual([401, -33009]);
  });
});

describe('closing the server', () => {
  test('lets a call finish within the drain, then closes its connection', async () => {
    const call = slow('short', false, 200);
    await began('short');
    const idle = await openRaw(server.http.port);
    await server.http.close(10_000);
    expect((await call).json.result?.structuredContent).toEqual({ waited: true });
    await idle.closed();
    await expect(send(server.url, modern(token, 'tools/list'))).rejects.toThrow(/ECONNREFUSED/);
  });

  test('aborts longer calls and says why', async () => {
    const call = slow('long');
    await began('long');
    await server.http.close(20);
    const { status, json } = await call;
    expect([status, json.error?.code, json.id]).toEqual([503, -33006, 7]);
    expect(server.slowTool).toContain('aborted long');
  });

  test('ends a client that stalls during its request', async () => {
    const raw = await openRaw(server.http.port);
    raw.write('POST /mcp HTTP/1.1\r\nHost: local');
    await server.http.close(20);
    await raw.closed();
  });
});
