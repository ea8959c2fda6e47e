/** The client decides whether an answer may be a stream of events, in each revision. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acceptsEvents } from '../../../daemon/clients/http/accept.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { legacy, modern, openSession, send } from './wire.ts';

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await runServer();
  token = await server.token();
});
afterAll(() => server.stop());

const call = { name: 'slow', arguments: { name: 'accept', milliseconds: 1 } };
const withProgress = { ...call, _meta: { progressToken: 'p' } };

test.each([
  [null, true],
  ['application/json, text/event-stream', true],
  ['application/json;q=0.5,  TEXT/Event-Stream ; q=0.1', true],
  ['*/*', true],
  ['text/*', true],
  ['application/json', false],
  ['', false],
  ['text/html, application/xml', false],
  ['text/event-stream;q=0, */*', false],
  ['text/event-stream;q=0.000', false],
  ['text/event-stream-of-mine', false],
])('%p', (accept, accepts) => {
  expect(acceptsEvents(accept)).toBe(accepts);
});

describe.each([
  ['application/json', 'application/json'],
  ['application/json, text/event-stream', 'text/event-stream'],
])('a call that reports progress under Accept: %s is %s', (accept, type) => {
  test('2026-07-28', async () => {
    const meta = { progressToken: 'p' };
    const answer = await send(server.url, modern(token, 'tools/call', call, { headers: { Accept: accept }, meta }));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    if (type === 'application/json') expect(answer.json.result?.structuredContent).toEqual({ waited: true });
  });

  test('2025-11-25', async () => {
    const session = { ...(await openSession(server.url, token)), Accept: accept };
    const message = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: withProgress };
    const answer = await send(server.url, legacy(token, message, session));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    if (type === 'application/json') expect(answer.json.result?.structuredContent).toEqual({ waited: true });
  });
});
