/** Clients of 2026-07-28: their bytes pass unchanged in both directions. */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../waiting/until.ts';
import { modern } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { answerWith, idOf, sendEvent, sendJson, type TestPeer } from './test-peer.ts';

const envelope =
  '"_meta":{ "io.modelcontextprotocol/protocolVersion" :"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

let scratch: Scratch;
let peer: TestPeer;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
});
afterEach(() => scratch.clean());

test('a request and its answer keep all bytes, numbers and spelling included', async () => {
  const answer =
    '{ "result":{"resultType":"complete","n":9007199254740993,"f":1.50,"s":"caf\\u00e9 é \\/"} ,"id":9007199254740991,"jsonrpc":"2.0"}';
  peer.answering = (_, response) => sendJson(response, 200, answer);
  const line = `{"jsonrpc":"2.0", "id":9007199254740991,"method":"tools/call","params":{"name":"x","arguments":{"n":12345678901234567890,"s":"\\u0041é"},${envelope}}}`;
  const bridge = scratch.bridge();
  bridge.send(line);
  expect(await bridge.line(() => true)).toBe(answer);
  expect(peer.received.map(({ body }) => body)).toEqual([line]);
});

test('an id or progress token that no double can hold is refused under the id as written', async () => {
  const bridge = scratch.bridge();
  for (const number of ['9007199254740993', '-12345678901234567890123', '1.5', '1e400']) {
    const from = bridge.lines.length;
    const meta = envelope.replace('{ ', `{"progressToken":${number},`);
    bridge.send(`{"jsonrpc":"2.0","id":${number},"method":"tools/call","params":{"name":"x",${envelope}}}`);
    bridge.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",${meta}}}`);
    await until(() => bridge.lines.length >= from + 2, 'both are answered');
    const refusal = '"error":{"code":-32600,"message":"The id or the progress token of this request';
    expect(bridge.lines[from]).toContain(`{"jsonrpc":"2.0","id":${number},${refusal}`);
    expect(bridge.lines[from + 1]).toContain(`{"jsonrpc":"2.0","id":1,${refusal}`);
  }
  expect(peer.received).toEqual([]);
});

test('the headers repeat the body, and name this process and its token', async () => {
  const bridge = scratch.bridge();
  const names = ['plain', 'naïve ☕', ' edge ', '=?base64?eA==?='];
  for (const [id, name] of names.entries()) await bridge.ask(modern(id, 'tools/call', { name }));
  await bridge.ask(modern(10, 'resources/read', { uri: 'sallyport://connections' }));
  await bridge.ask(modern(11, 'tools/list'));
  const sent = peer.received.map(({ headers }) => headers);
  expect(sent.map(headers => headers['mcp-name'])).toEqual([
    'plain',
    '=?base64?bmHDr3ZlIOKYlQ==?=',
    '=?base64?IGVkZ2Ug?=',
    '=?base64?PT9iYXNlNjQ/ZUE9PT89?=',
    'sallyport://connections',
    undefined,
  ]);
  expect(sent.at(-1)).toMatchObject({
    host: `127.0.0.1:${peer.port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
    authorization: `Bearer ${peer.token}`,
  });
  expect(new Set(sent.map(headers => headers['sallyport-bridge'])).size).toBe(1);
  expect(sent[0]?.['sallyport-bridge']).toMatch(/^pid-\d+-[0-9a-f-]{36}$/);
});

test('the daemon refuses an unknown version', async () => {
  const bridge = scratch.bridge();
  bridge.send(
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}}}',
  );
  await bridge.answer(1);
  expect(peer.received[0]?.headers['mcp-protocol-version']).toBe('2031-01-01');
});

test('a stream arrives event by event, with unchanged messages', async () => {
  const progress =
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9007199254740993,"progress":1}}';
  const result = '{"result":{"n":9007199254740993},"jsonrpc":"2.0","id":7}';
  let finish = () => {};
  peer.answering = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write(': keepalive\n\n');
    // Split within a line and within a character, with data over two lines.
    const event = Buffer.from(`id: 1\r\nevent: message\r\ndata: ${progress}\r\n\r\n`);
    response.write(event.subarray(0, 40));
    setTimeout(() => response.write(event.subarray(40)), 20);
    finish = () => response.end(`data: ${result.slice(0, 9)}\ndata: ${result.slice(9)}\n\n`);
  };
  const bridge = scratch.bridge();
  bridge.send(modern(7, 'tools/call', { name: 'x' }));
  expect(await bridge.line(() => true)).toBe(progress);
  finish();
  const answer = await bridge.line(message => message.id === 7);
  expect(answer).toBe(`${result.slice(0, 9)} ${result.slice(9)}`);
  expect(peer.received).toHaveLength(1);
});

test('requests run in parallel: a slow one blocks nobody', async () => {
  let answerSlow = () => {};
  peer.answering = (received, response) => {
    const answer = () => answerWith(response, received, {});
    if (idOf(received) === 'slow') answerSlow = answer;
    else answer();
  };
  const bridge = scratch.bridge();
  bridge.send(modern('slow', 'tools/call', { name: 'x' }));
  for (let id = 0; id < 5; id++) bridge.send(modern(id, 'tools/list'));
  for (let id = 0; id < 5; id++) await bridge.answer(id);
  answerSlow();
  await bridge.answer('slow');
  expect(bridge.lines.map(line => JSON.parse(line).id).sort()).toEqual([0, 1, 2, 3, 4, 'slow']);
  expect(JSON.parse(bridge.lines.at(-1) ?? '').id).toBe('slow');
});

test('a cancelled request loses its connection and gets no answer', async () => {
  peer.answering = (received, response) => {
    if (idOf(received) === 1) sendEvent(response, '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}');
    else answerWith(response, received, {});
  };
  const bridge = scratch.bridge();
  bridge.send(modern(1, 'tools/call', { name: 'x' }));
  await bridge.line(message => message.method === 'notifications/progress');
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await bridge.ask(modern(2, 'tools/list'));
  await until(() => peer.dropped === 1, 'the connection is gone');
  expect(bridge.lines.filter(line => JSON.parse(line).id === 1)).toEqual([]);
  expect(bridge.stderr).toBe('');
});

test('a subscription that loses its daemon is ended the way stdio ends one', async () => {
  let leave = () => {};
  peer.answering = (_, response) => {
    sendEvent(response, '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}');
    leave = () => void response.destroy();
  };
  const bridge = scratch.bridge();
  bridge.send(modern('listening', 'subscriptions/listen', { notifications: {} }));
  await bridge.line(message => message.method === 'notifications/subscriptions/acknowledged');
  leave();
  const ended = JSON.parse(await bridge.line(message => message.method === 'notifications/cancelled'));
  expect(ended.params.requestId).toBe('listening');
});

test('a list that is lost twice changes nothing, and is told so', async () => {
  peer.answering = (_, response) => response.destroy();
  const answer = await scratch.bridge().ask(modern(1, 'tools/list'));
  expect(answer.error).toMatchObject({
    code: -33000,
    message: expect.stringMatching(/was answered\. Send it again\.$/),
  });
});

test('so is a call of a tool that only looks; it is sent once', async () => {
  peer.answering = (_, response) => response.destroy();
  const answer = await scratch.bridge().ask(modern(1, 'tools/call', { name: 'list_tables' }));
  expect(answer.error?.message).toMatch(/was answered\. Send it again\.$/);
  expect(peer.received).toHaveLength(1);
});

test('a daemon that goes away during a request is reported, and nothing is sent twice', async () => {
  peer.answering = (_, response) => response.destroy();
  const bridge = scratch.bridge();
  const answer = await bridge.ask(modern(1, 'tools/call', { name: 'x' }));
  expect(answer.error?.code).toBe(-33000);
  expect(answer.error?.message).toContain('may or may not have been carried out');
  peer.answering = (received, response) => answerWith(response, received, {});
  await bridge.ask(modern(2, 'tools/list'));
  expect(peer.received.map(idOf)).toEqual([1, 2]);
});

test('an HTTP refusal gets the id that it couldn’t know; one that isn’t JSON-RPC becomes so', async () => {
  const bridge = scratch.bridge();
  peer.answering = (_, response) =>
    sendJson(
      response,
      503,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-33006,"message":"Paused.","data":{"n":9007199254740993}}}',
    );
  bridge.send(modern('a', 'tools/list'));
  expect(await bridge.line(message => message.id === 'a')).toBe(
    '{"jsonrpc":"2.0","id":"a","error":{"code":-33006,"message":"Paused.","data":{"n":9007199254740993}}}',
  );
  peer.answering = (_, response) => sendJson(response, 403, '{"error":"forbidden_host","error_description":"No."}');
  expect((await bridge.ask(modern('b', 'tools/list'))).error).toMatchObject({ code: -33000 });
  peer.answering = (_, response) => sendJson(response, 200, '');
  expect((await bridge.ask(modern('c', 'tools/list'))).error).toMatchObject({ code: -33000 });
});

test('a stream that is cut off after its answer gives no second one', async () => {
  let cut = () => {};
  peer.answering = (received, response) => {
    sendEvent(response, JSON.stringify({ jsonrpc: '2.0', id: idOf(received), result: {} }));
    cut = () => void response.destroy();
  };
  const bridge = scratch.bridge();
  await bridge.ask(modern(1, 'tools/call', { name: 'x' }));
  cut();
  // On a connection of its own, after the first one has ended.
  await bridge.ask(modern(2, 'tools/call', { name: 'x' }));
  expect(bridge.lines.map(line => JSON.parse(line).id)).toEqual([1, 2]);
});
