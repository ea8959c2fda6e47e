/**
 * Sockets of boxes over the real HTTP server and register: what ends them, who their clients are,
 * and what limits a box.
 */

import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BoxRecord } from '../../../daemon/access/tokens/token.ts';
import { lengthProblem } from '../../../daemon/clients/boxes/box-folder.ts';
import { openBoxSocket } from '../../../daemon/clients/boxes/box-socket.ts';
import { type Boxes, openBoxes } from '../../../daemon/clients/boxes/boxes.ts';
import { initialize, type Lines, lines, post } from '../../journeys/boxes/box.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { type RunningServer, runServer } from '../http/running-server.ts';

let folder: string;
let server: RunningServer;
let boxes: Boxes;
let box: BoxRecord;
let reported: unknown[];
let path: string;
const open = new Set<Lines>();

beforeEach(async () => {
  folder = mkdtempSync('/tmp/sallyport-boxes-test-');
  reported = [];
  server = await runServer();
  boxes = openBoxes({
    ...doorPorts(),
    tokens: server.tokens,
    serveWire: connection => void connection.destroy(),
    serveHttp(connection, id) {
      server.http.serveBox(connection, id);
      return true;
    },
  });
  box = await makeBox('work');
  path = boxes.credentialOf(box).socket ?? '';
});
afterEach(async () => {
  for (const each of open) each.socket.destroy();
  open.clear();
  await boxes.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const doorPorts = () => ({
  folders: { boxes: join(folder, 'boxes'), shared: () => join(folder, 'shared'), keptShared: () => null },
  serveHttp: () => false,
  isServed: () => true,
  silentMilliseconds: 200,
  maxLineBytes: 64 * 1024,
  report: (error: unknown) => void reported.push(error),
});

async function makeBox(name: string, scope: 'readOnly' | 'fullAccess' = 'readOnly'): Promise<BoxRecord> {
  const request = { name, scope, connections: 'all', expires: 1, confirmInClient: false, client: null } as const;
  const { record } = await server.tokens.mintBox(request, { group: null, credential: 'socket' });
  await boxes.settle();
  return record;
}

function opened(at = path): Lines {
  const connection = lines(at);
  open.add(connection);
  return connection;
}

const toolCall = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { name: '1' } },
});

describe('an expired box', () => {
  test('ends running calls with a message, then the connection, the socket and the folder', async () => {
    const speaking = opened();
    speaking.say(initialize);
    await until(() => speaking.heard().includes('protocolVersion'), 'it is served');
    speaking.say(toolCall(1, 'slow'));
    await until(() => server.slowTool.length > 0, 'the call is under way');
    server.advanceSeconds(86_401);
    await speaking.closed;
    expect(speaking.heard()).toContain('"id":1');
    expect(speaking.heard()).toMatch(/expired/);
    await until(() => !existsSync(join(folder, 'boxes', `work-${box.id.slice(0, 8)}`)), 'the folder is gone');
    expect(server.slowTool.at(-1)).toMatch(/^(aborted|ended)/);
  });

  test('serves nobody in the second before its socket is removed', async () => {
    const connection = opened();
    server.advanceSeconds(86_401);
    connection.say(initialize);
    await connection.closed;
    expect(connection.heard()).not.toContain('protocolVersion');
  });
});

test.each<readonly [string, (id: string) => unknown]>([
  ['has expired', () => server.advanceSeconds(86_401)],
  ['was revoked', id => server.tokens.revoke(id)],
])('a box with a token loses its file and folder once it %s', async (_, end) => {
  const request = { name: 'desk', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false } as const;
  const credential = { group: null, credential: 'token' } as const;
  const { record, plaintext } = await server.tokens.mintBox({ ...request, client: null }, credential);
  expect(await boxes.writeToken(record, plaintext)).toBeNull();
  await boxes.settle();
  const { token, problem } = boxes.credentialOf(record);
  const file = token ?? '';
  expect([problem, existsSync(file)]).toEqual([null, true]);
  await end(record.id);
  await until(() => !existsSync(dirname(file)), 'its folder is gone');
});

test('a deleted box ends at once, and another goes on', async () => {
  const other = await makeBox('other');
  const [ended, goesOn] = [opened(), opened(boxes.credentialOf(other).socket ?? '')];
  for (const each of [ended, goesOn]) {
    each.say(initialize);
    await until(() => each.heard().includes('protocolVersion'), 'it is served');
  }
  await server.tokens.delete(box.id);
  await ended.closed;
  expect(existsSync(path)).toBe(false);
  goesOn.say({ jsonrpc: '2.0', id: 5, method: 'ping' });
  await until(() => goesOn.heard().includes('"id":5'), 'it is answered');
});

test('each box is separate: two at once reach what each may', async () => {
  const full = await makeBox('full', 'fullAccess');
  const lists: string[] = [];
  for (const at of [path, boxes.credentialOf(full).socket ?? '']) {
    const connection = opened(at);
    connection.say(initialize);
    connection.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    await until(() => connection.heard().includes('"tools"') && connection.heard().includes('"id":1'), 'it is told');
    lists.push(connection.heard());
  }
  const [reader = '', writer = ''] = lists;
  expect(reader.length).toBeLessThan(writer.length);
});

test('a token isn’t accepted for a box, nor a box’s record for a token', async () => {
  const token = await server.token();
  expect(server.tokens.verifyBox(server.idOf(token))).toEqual({ kind: 'unknown' });
  expect(server.tokens.verifyBox(box.id)).toMatchObject({ kind: 'valid', isBridge: false });
});

const full = (most: number): string =>
  `This box has ${most} programs connected in this way, as many as it may; end one, or try again later.`;

describe('a hostile box', () => {
  test('that says nothing is hung up on', async () => {
    const began = performance.now();
    await opened().closed;
    expectWithin(began, 5_000);
  });

  test('has a limited number of connections, and others are served', async () => {
    const other = await makeBox('other');
    const held = Array.from({ length: 64 }, () => opened());
    for (const each of held) each.socket.write('P');
    const late = opened();
    late.say(initialize);
    await late.closed;
    expect(JSON.parse(late.heard())).toMatchObject({ id: initialize.id, error: { message: full(64) } });
    const refused = await post(path, initialize);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining(full(64))]);
    expect(boxes.credentialOf(box).problem).toContain('as many as a box may have');
    const silent = Array.from({ length: 20 }, () => opened());
    await Promise.all(silent.map(({ closed }) => closed));
    expect(held.every(({ socket }) => !socket.destroyed)).toBe(true);
    expect(boxes.credentialOf(other).problem).toBeNull();
    expect((await post(boxes.credentialOf(other).socket ?? '', initialize)).status).toBe(200);
  });

  test('has a limited number of line connections', async () => {
    const held = Array.from({ length: 16 }, () => opened());
    for (const each of held) each.say(initialize);
    await until(() => held.every(each => each.heard().includes('protocolVersion')), 'they are served');
    const late = opened();
    late.say(initialize);
    await late.closed;
    expect(JSON.parse(late.heard())).toMatchObject({ id: initialize.id, error: { message: full(16) } });
    expect((await post(path, initialize)).status).toBe(200);
  });

  test('that sends an endless line gets an error, and its next one is answered', async () => {
    const connection = opened();
    connection.say({ ...initialize, padding: 'x'.repeat(100_000) });
    connection.say({ jsonrpc: '2.0', id: 9, method: 'ping' });
    await until(() => connection.heard().includes('"id":9'), 'the next one is answered');
    expect(connection.heard()).toContain('-33005');
  });

  test.each([
    ['no JSON', '{"jsonrpc":\n'],
    ['brackets', `{${'['.repeat(10_000)}\n`],
    ['a name of every object', '{"jsonrpc":"2.0","id":"__proto__","method":"__proto__"}\n'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x0a])],
  ])('that sends %s gets an error or no answer, and is then served', async (_, bytes) => {
    const connection = opened();
    connection.socket.write(bytes);
    connection.say({ jsonrpc: '2.0', id: 9, method: 'ping' });
    await until(() => connection.heard().includes('"id":9'), 'the next one is answered');
  });

  test('that is neither HTTP nor lines is answered 400', async () => {
    const connection = opened();
    connection.socket.write('\u0000\u0001 what\r\n\r\n');
    await connection.closed;
    expect(connection.heard()).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('that leaves during a call ends it', async () => {
    const connection = opened();
    connection.say(initialize);
    connection.say(toolCall(1, 'slow'));
    await until(() => server.slowTool.length > 0, 'the call is under way');
    connection.socket.destroy();
    await until(() => server.slowTool.some(step => step.startsWith('aborted')), 'the call ends');
  });
});

test('that sends everything at once and closes its end reads all answers', async () => {
  const connection = opened();
  connection.say(initialize);
  for (let id = 1; id <= 5; id++) connection.say({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
  connection.socket.end();
  await connection.closed;
  expect(connection.heard().trim().split('\n')).toHaveLength(6);
});

describe('a place', () => {
  test('whose path is too long is refused with its length', async () => {
    const socket = join(folder, 's'.repeat(60), 'work-12345678', 'mcp.sock');
    expect(lengthProblem(socket)).toContain(`has ${Buffer.byteLength(socket)} bytes, and 100 are`);
    expect(await openBoxSocket(socket, null, doorPorts())).toBe(lengthProblem(socket));
    expect(existsSync(join(folder, 's'.repeat(60)))).toBe(false);
  });

  test('whose place was taken is tried again, and said once', async () => {
    chmodSync(join(folder, 'boxes'), 0o777);
    const late = await makeBox('late');
    await boxes.settle();
    expect(reported).toHaveLength(1);
    chmodSync(join(folder, 'boxes'), 0o700);
    await until(() => boxes.credentialOf(late).problem === null, 'it has its socket');
    expect((await post(boxes.credentialOf(late).socket ?? '', initialize)).status).toBe(200);
  });

  test('that others can write to is refused', async () => {
    chmodSync(join(folder, 'boxes'), 0o777);
    const late = await makeBox('late');
    expect(boxes.credentialOf(late).problem).toContain('can be written by others');
    expect(reported).toHaveLength(1);
  });

  test('where a socket was replaced says so', () => {
    expect(boxes.credentialOf(box).problem).toBeNull();
    expect(lstatSync(path).isSocket()).toBe(true);
    rmSync(path);
    expect(boxes.credentialOf(box).problem).toContain('its socket is gone');
  });
});
