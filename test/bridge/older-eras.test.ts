/**
 * Clients of 2025-11-25 and 2025-06-18: their messages become 2026-07-28, and nothing in them is
 * lost.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../waiting/until.ts';
import { legacy, modern } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { answerWith, idOf, sendEvent, sendJson, type TestPeer } from './test-peer.ts';

const keys = 'io.modelcontextprotocol';

let scratch: Scratch;
let peer: TestPeer;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
});
afterEach(() => scratch.clean());

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2025-11-25'],
  ['2024-11-05', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['2099-01-01', '2025-11-25'],
])('initialize with %s is answered from server/discover, offering %s', async (asked, offered) => {
  peer.answering = (received, response) =>
    answerWith(response, received, {
      supportedVersions: peer.protocolVersions,
      capabilities: { tools: { listChanged: false }, resources: {}, prompts: {}, completions: {} },
      instructions: 'Start from list_connections.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [`${keys}/serverInfo`]: { name: 'sallyport', version: '9.9.9' } },
    });
  const bridge = scratch.bridge();
  const answer = await bridge.ask(
    legacy(0, 'initialize', {
      protocolVersion: asked,
      capabilities: { elicitation: {}, roots: {} },
      clientInfo: { name: 'codex', version: '0.165', icons: 7 },
    }),
  );
  expect(answer).toEqual({
    jsonrpc: '2.0',
    id: 0,
    result: {
      protocolVersion: offered,
      capabilities: { tools: { listChanged: false }, resources: {}, prompts: {}, completions: {} },
      serverInfo: { name: 'sallyport', version: '9.9.9' },
      instructions: 'Start from list_connections.',
    },
  });
  expect(peer.received[0]?.headers).toMatchObject({
    'mcp-method': 'server/discover',
    'mcp-protocol-version': '2026-07-28',
  });
  expect(JSON.parse(peer.received[0]?.body ?? '').params._meta).toEqual({
    [`${keys}/protocolVersion`]: '2026-07-28',
    [`${keys}/clientCapabilities`]: {},
    [`${keys}/clientInfo`]: { name: 'codex', version: '0.165' },
  });
});

test('the daemon’s refusal of initialize is passed on in its words', async () => {
  peer.answering = (_, response) => {
    response.writeHead(503, { 'Content-Type': 'application/json' });
    response.end('{"jsonrpc":"2.0","error":{"code":-33006,"message":"Sallyport is paused."}}');
  };
  const answer = await scratch.bridge().ask(legacy('i', 'initialize', { protocolVersion: '2025-06-18' }));
  expect(answer.error).toEqual({ code: -33006, message: 'Sallyport is paused.' });
});

test('a call gets the envelope and keeps its numbers, its own _meta and its spelling', async () => {
  const bridge = scratch.bridge();
  bridge.send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x", "arguments":{"id":9007199254740993,"x":1.10},"_meta":{"progressToken":9007199254740991}}}',
  );
  await bridge.answer(1);
  const envelope = `"${keys}/protocolVersion":"2026-07-28","${keys}/clientCapabilities":{}`;
  expect(peer.received[0]?.body).toBe(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x", "arguments":{"id":9007199254740993,"x":1.10},"_meta":{"progressToken":9007199254740991,${envelope}}}}`,
  );
  expect(peer.received[0]?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'x' });
  bridge.send('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
  await bridge.answer(2);
  expect(peer.received[1]?.body).toBe(
    `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{${envelope}}}}`,
  );
  bridge.send('{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{ }}');
  await bridge.answer(3);
  expect(peer.received[2]?.body).toBe(
    `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{ "_meta":{${envelope}}}}`,
  );
});

test('a capability in a client’s own _meta doesn’t override the empty ones', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(legacy(1, 'tools/list', { _meta: { [`${keys}/clientCapabilities`]: { elicitation: {} } } }));
  expect(JSON.parse(peer.received[0]?.body ?? '').params._meta[`${keys}/clientCapabilities`]).toEqual({});
});

test('progress comes back under the token the client gave', async () => {
  peer.answering = (received, response) => {
    const { progressToken } = JSON.parse(received.body).params._meta;
    for (const progress of [1, 2]) {
      sendEvent(
        response,
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } }),
      );
    }
    sendEvent(response, JSON.stringify({ jsonrpc: '2.0', id: idOf(received), result: { content: [] } }));
    response.end();
  };
  const bridge = scratch.bridge();
  await bridge.ask(legacy(1, 'tools/call', { name: 'x', _meta: { progressToken: 'mine' } }));
  expect(bridge.lines.slice(0, 2).map(line => JSON.parse(line).params)).toEqual([
    { progressToken: 'mine', progress: 1 },
    { progressToken: 'mine', progress: 2 },
  ]);
});

test('the model hears of an argument that a tool doesn’t have, the client of any other error', async () => {
  const message = 'x has no argument "y"; it takes z.';
  peer.answering = (received, response) => {
    const data = received.headers['mcp-name'] === 'x' ? { reason: 'unknown_argument' } : { reason: 'other' };
    const error = { code: -32602, message, data };
    sendJson(response, 200, JSON.stringify({ jsonrpc: '2.0', id: idOf(received), error }));
  };
  const bridge = scratch.bridge();
  expect((await bridge.ask(legacy(1, 'tools/call', { name: 'x' }))).result).toEqual({
    content: [{ type: 'text', text: `invalid_argument: ${message}` }],
    isError: true,
  });
  expect((await bridge.ask(legacy(2, 'tools/call', { name: 'z' }))).error?.code).toBe(-32602);
  expect((await bridge.ask(modern(3, 'tools/call', { name: 'x' }))).error?.code).toBe(-32602);
});

test('the bridge answers ping and the log level; the level goes along with later requests', async () => {
  const bridge = scratch.bridge();
  expect((await bridge.ask(legacy(1, 'ping'))).result).toEqual({});
  expect((await bridge.ask(legacy(2, 'logging/setLevel', { level: 'warning' }))).result).toEqual({});
  expect((await bridge.ask(legacy(3, 'logging/setLevel', { level: 'loud' }))).error?.code).toBe(-32602);
  await bridge.ask(legacy(4, 'tools/list'));
  expect(peer.received).toHaveLength(1);
  expect(JSON.parse(peer.received[0]?.body ?? '').params._meta[`${keys}/logLevel`]).toBe('warning');
});

test('a cancelled call loses its connection and gets no answer, by an id of any form', async () => {
  peer.answering = (received, response) => {
    if (received.headers['mcp-method'] === 'tools/list') answerWith(response, received, {});
  };
  const bridge = scratch.bridge();
  const ids = ['1', '"a\\u0062"', '9007199254740991'];
  for (const id of ids) bridge.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x"}}`);
  await until(() => peer.received.length === 3, 'all are asked');
  for (const id of ['1', '"ab"', '9007199254740991']) {
    bridge.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"enough"}}`);
  }
  await until(() => peer.dropped === 3, 'all connections are gone');
  await bridge.ask(legacy('last', 'tools/list'));
  expect(bridge.lines).toHaveLength(1);
});

test('both eras may speak through one bridge: a probe, then the older handshake', async () => {
  peer.answering = (received, response) => {
    const isProbe = JSON.parse(received.body).id === 'probe';
    if (isProbe)
      response
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":"probe","error":{"code":-32601,"message":"no"}}');
    else answerWith(response, received, { capabilities: {} });
  };
  const bridge = scratch.bridge();
  expect((await bridge.ask(legacy('probe', 'server/discover'))).error?.code).toBe(-32601);
  expect((await bridge.ask(legacy(1, 'initialize', { protocolVersion: '2025-11-25' }))).result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'sallyport' },
  });
});
