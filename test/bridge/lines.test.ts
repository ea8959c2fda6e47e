/** How the bridge reads bytes on stdin: framing, sizes, and lines that are no request. */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until, untilStill } from '../waiting/until.ts';
import { legacy, modern, pause } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { idOf, sendEvent, sendJson, type TestPeer } from './test-peer.ts';

let scratch: Scratch;
let peer: TestPeer;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
});
afterEach(() => scratch.clean());

test.each([
  ['not JSON', '{"jsonrpc":', '', -32700],
  ['an empty batch', '[]', '', -32600],
  ['a batch of notifications', '[{"jsonrpc":"2.0","method":"notifications/initialized"}]', '', -32600],
  ['a number', '42', '', -32600],
  ['no method', '{"jsonrpc":"2.0","id":9007199254740993}', '"id":9007199254740993,', -32600],
  ['another JSON-RPC', '{"id":5,"method":"ping"}', '"id":5,', -32600],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', '', -32600],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', '', -32600],
  ['a method no header can carry', '{"jsonrpc":"2.0","id":5,"method":"tools/\\nlist"}', '"id":5,', -32601],
])(
  '%s gives an error of its own, with the line’s id if it has one, and the bridge goes on',
  async (_, line, id, code) => {
    const bridge = scratch.bridge();
    bridge.send(line);
    const answer = await bridge.line(() => true);
    expect(answer.startsWith(`{"jsonrpc":"2.0",${id}"error":`)).toBe(true);
    expect(JSON.parse(answer).error.code).toBe(code);
    bridge.send(legacy('after', 'ping'));
    expect((await bridge.answer('after')).result).toEqual({});
    expect(bridge.lines).toHaveLength(2);
    expect(peer.received).toEqual([]);
  },
);

test('a batch gets one error for each id in it, exactly as written', async () => {
  const bridge = scratch.bridge();
  const parts = [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    ' {"id" : 9007199254740993, "method":"tools/call","params":{"id":7,"x":["]",{"id":8}]}} ',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":"a\\"b","method":"ping"}',
    '{"jsonrpc":"2.0","id":4,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '[{"id":5}]',
    '6',
  ];
  bridge.send(` [${parts.join(',')}] `);
  bridge.send(legacy('after', 'ping'));
  await bridge.answer('after');
  const ids = bridge.lines.map(line => /^\{"jsonrpc":"2.0","id":("(?:[^"\\]|\\.)*"|\d+),"error":/.exec(line)?.[1]);
  expect(ids).toEqual(['1', '9007199254740993', '"a\\"b"', undefined]);
  expect(bridge.lines.slice(0, 3).map(line => JSON.parse(line).error.code)).toEqual([-32600, -32600, -32600]);
});

const mark = '\ufeff';

test.each([
  ['an older era', legacy('first', 'initialize', { protocolVersion: '2025-06-18', capabilities: {} })],
  ['the newer era', modern('first', 'tools/list')],
])('a byte order mark before the first line, of %s, is ignored', async (_, message) => {
  const bridge = scratch.bridge();
  // In pieces, as a stream may deliver it.
  const bytes = Buffer.from(`${mark}${JSON.stringify(message)}\r\n`);
  bridge.write(bytes.subarray(0, 2));
  await pause(20);
  bridge.write(bytes.subarray(2));
  expect(await bridge.answer('first')).toHaveProperty('result');
  expect(peer.received.every(({ body }) => body.startsWith('{'))).toBe(true);
});

test('bytes that aren’t UTF-8 reach nobody: the request is answered, and the bridge goes on', async () => {
  const bridge = scratch.bridge();
  const call = JSON.stringify(modern('latin', 'tools/call', { name: 'x', arguments: { sql: "select 'caf\u0001'" } }));
  // As a client with Latin-1 text sends it: é is one byte.
  bridge.write(Buffer.from(`${call.replace('\\u0001', 'é')}\n`, 'latin1'));
  const { error } = await bridge.answer('latin');
  expect(error).toMatchObject({ code: -32700, message: expect.stringContaining('not UTF-8') });
  bridge.write(Buffer.from('{"jsonrpc":"2.0","method":"notifications/é"}\n', 'latin1'));
  bridge.send(legacy('after', 'ping'));
  expect((await bridge.answer('after')).result).toEqual({});
  expect(bridge.lines).toHaveLength(2);
  expect(peer.received).toEqual([]);
});

test('empty lines, unexpected answers and notifications get no answer', async () => {
  const bridge = scratch.bridge();
  bridge.write(`${mark}\n\n\r\n   \n\t\r\n`);
  bridge.send('{"jsonrpc":"2.0","id":1,"result":{}}');
  bridge.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  bridge.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}');
  bridge.send(legacy('last', 'ping'));
  await bridge.answer('last');
  expect(bridge.lines.map(line => JSON.parse(line).id)).toEqual(['last']);
});

test('CRLF and characters split between two writes', async () => {
  const bridge = scratch.bridge();
  const bytes = Buffer.from(`${JSON.stringify(modern('ü☕', 'tools/list', { cursor: '🚢' }))}\r\n`);
  for (let at = 0; at < bytes.length; at += 7) {
    bridge.write(bytes.subarray(at, at + 7));
    await pause(2);
  }
  await bridge.answer('ü☕');
  expect(JSON.parse(peer.received[0]?.body ?? '').params.cursor).toBe('🚢');
});

test('ten megabytes there and back, as JSON and as an event', async () => {
  const bridge = scratch.bridge();
  const large = 'é'.repeat(5 * 1024 * 1024 - 300);
  peer.answering = (received, response) => {
    const answer = `{"jsonrpc":"2.0","id":${idOf(received)},"result":${JSON.stringify(JSON.parse(received.body).params.arguments)}}`;
    if (idOf(received) === 1) return sendJson(response, 200, answer);
    sendEvent(response, answer);
    response.end();
  };
  for (const id of [1, 2]) {
    const { result } = await bridge.ask(modern(id, 'tools/call', { name: 'x', arguments: { large } }));
    expect(result?.large === large).toBe(true);
  }
  const older = await bridge.ask(legacy(3, 'tools/call', { name: 'x', arguments: { large } }));
  expect(older.result?.large === large).toBe(true);
}, 60_000);

const filler = 'x"{[,:\\'.repeat(3 * 1024 * 1024);

test.each([
  ['at its beginning', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { filler, id: 2 } }, '1'],
  [
    'at its end',
    { method: 'tools/call', params: { arguments: [{ id: 2 }, filler] }, jsonrpc: '2.0', id: 'z"\n' },
    '"z\\"\\n"',
  ],
  ['nowhere', { jsonrpc: '2.0', method: 'notifications/progress', params: { id: 2, filler } }, null],
  ['only within a list', [{ id: 1, filler }], null],
  ['only within a text at its end', { jsonrpc: '2.0', method: 'x', params: { filler }, text: ',"id":7' }, null],
  ['only within its params', { method: 'x', params: { id: 2, filler, last: { id: 3 } } }, null],
])(
  'a line far over the limit is answered by the id %s, and the next one is read',
  async (_, message, id) => {
    const bridge = scratch.bridge();
    bridge.send(message);
    bridge.send(legacy('after', 'ping'));
    await bridge.answer('after', 30_000);
    const [answer = ''] = bridge.lines;
    expect(JSON.parse(answer).error.code).toBe(-33005);
    expect(answer.startsWith(`{"jsonrpc":"2.0",${id === null ? '' : `"id":${id},`}"error":`)).toBe(true);
    expect(bridge.lines).toHaveLength(2);
  },
  60_000,
);

test('a client that stops reading makes the daemon wait, not the bridge’s memory grow', async () => {
  const event = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${'x'.repeat(60_000)}"}}`;
  let sent = 0;
  let isStopped = false;
  peer.answering = (received, response) => {
    const more = () => {
      while (!isStopped && sent < 200_000_000) {
        sent += event.length;
        if (!sendEvent(response, event)) return void response.once('drain', more);
      }
      response.end(`data: {"jsonrpc":"2.0","id":${idOf(received)},"result":{}}\n\n`);
    };
    more();
  };
  const bridge = scratch.bridge();
  bridge.child.stdout?.pause();
  bridge.send(modern(1, 'tools/call', { name: 'x' }));
  await until(() => sent > 0, 'the answer begins');
  await untilStill(() => sent, 500, 'the daemon is stopped');
  expect(sent).toBeLessThan(30_000_000);
  isStopped = true;
  bridge.child.stdout?.resume();
  await bridge.answer(1);
  expect(bridge.lines).toHaveLength(sent / event.length + 1);
}, 60_000);

test('a client that keeps writing without an answer is no longer read, until it is answered', async () => {
  const held: (() => void)[] = [];
  peer.answering = (received, response) => {
    held.push(() => sendJson(response, 200, `{"jsonrpc":"2.0","id":${idOf(received)},"result":{}}`));
  };
  const bridge = scratch.bridge();
  const padding = 'x'.repeat(8_000);
  for (let id = 0; id < 400; id++) bridge.send(modern(id, 'tools/call', { name: 'x', arguments: { padding } }));
  bridge.send(legacy('ping', 'ping'));
  await until(() => held.length === 32, 'every connection has a request');
  // Time for the ping behind them, if it were read.
  await pause(200);
  expect(bridge.lines).toEqual([]);
  const answering = setInterval(() => {
    for (const answer of held.splice(0)) answer();
  }, 5);
  try {
    await bridge.answer('ping');
    // They are answered in parallel: the last request may not be answered last.
    for (let id = 0; id < 400; id++) await bridge.answer(id);
  } finally {
    clearInterval(answering);
  }
  expect(bridge.lines).toHaveLength(401);
});
