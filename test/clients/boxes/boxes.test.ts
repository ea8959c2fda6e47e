/**
 * Sockets of boxes over the real HTTP door and register: what ends them, who they are, and what
 * they hold a box to.
 */

import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BoxRecord } from '../../../daemon/access/tokens/token.ts';
import { type Boxes, openBoxes } from '../../../daemon/clients/boxes/boxes.ts';
import { prepareFolder } from '../../../daemon/clients/boxes/place.ts';
import { initialize, type Lines, lines, post } from '../../journeys/boxes/box.ts';
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
    ...{ tokens: server.tokens, folders: { boxes: join(folder, 'boxes'), sharedBoxes: join(folder, 'shared') } },
    serveHttp(connection, id) {
      server.http.serveBox(connection, id);
      return true;
    },
    ...{ isServed: () => true, silentMilliseconds: 200, maxLineBytes: 64 * 1024 },
    report: error => void reported.push(error),
  });
  box = await makeBox('work');
  path = boxes.socketOf(box).path;
});
afterEach(async () => {
  for (const each of open) each.socket.destroy();
  open.clear();
  await boxes.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function makeBox(name: string, scope: 'readOnly' | 'fullAccess' = 'readOnly'): Promise<BoxRecord> {
  const request = { name, scope, connections: 'all', expires: 1, confirmInClient: false, client: null } as const;
  const made = await server.tokens.mintBox(request, null);
  await boxes.settle();
  return made;
}

function opened(at = path): Lines {
  const connection = lines(at);
  open.add(connection);
  return connection;
}

const toolCall = (id: number, name: string) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: { name: '1' } },
});

describe('an expired box', () => {
  test('ends what is under way with a word, then the connection, the socket and the folder', async () => {
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

  test('is served to nobody in the second before its socket goes', async () => {
    const connection = opened();
    server.advanceSeconds(86_401);
    connection.say(initialize);
    await connection.closed;
    expect(connection.heard()).not.toContain('protocolVersion');
  });
});

test('a deleted box ends at once, and another goes on', async () => {
  const other = await makeBox('other');
  const [ended, goesOn] = [opened(), opened(boxes.socketOf(other).path)];
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

test('each box is itself: two at once reach what each may', async () => {
  const full = await makeBox('full', 'fullAccess');
  const lists: string[] = [];
  for (const at of [path, boxes.socketOf(full).path]) {
    const connection = opened(at);
    connection.say(initialize);
    connection.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    await until(() => connection.heard().includes('"tools"') && connection.heard().includes('"id":1'), 'it is told');
    lists.push(connection.heard());
  }
  const [reader = '', writer = ''] = lists;
  expect(reader.length).toBeLessThan(writer.length);
});

test('a token’s plaintext is no box’s, and a box’s record is no token’s', async () => {
  const token = await server.token();
  expect(server.tokens.verifyBox(server.idOf(token))).toEqual({ kind: 'unknown' });
  expect(server.tokens.verifyBox(box.id)).toMatchObject({ kind: 'valid', isBridge: false });
});

describe('a hostile box', () => {
  test('that says nothing is hung up on', async () => {
    const began = performance.now();
    await opened().closed;
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('has so many connections and no more, and others are served', async () => {
    const other = await makeBox('other');
    const held = Array.from({ length: 64 }, () => opened());
    for (const each of held) each.socket.write('P');
    const late = opened();
    await late.closed;
    expect((await post(boxes.socketOf(other).path, initialize)).status).toBe(200);
  });

  test('has so many connections of lines and no more', async () => {
    const held = Array.from({ length: 16 }, () => opened());
    for (const each of held) each.say(initialize);
    await until(() => held.every(each => each.heard().includes('protocolVersion')), 'they are served');
    const late = opened();
    late.say(initialize);
    await late.closed;
    expect(late.heard()).toBe('');
    expect((await post(path, initialize)).status).toBe(200);
  });

  test('that sends a line without end is told so, and its next one is answered', async () => {
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
  ])('that sends %s is answered an error or nothing, and then served', async (_, bytes) => {
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

  test('that leaves in the middle of a call ends it', async () => {
    const connection = opened();
    connection.say(initialize);
    connection.say(toolCall(1, 'slow'));
    await until(() => server.slowTool.length > 0, 'the call is under way');
    connection.socket.destroy();
    await until(() => server.slowTool.some(step => step.startsWith('aborted')), 'the call ends');
  });
});

test('who says all at once and closes its end reads every answer', async () => {
  const connection = opened();
  connection.say(initialize);
  for (let id = 1; id <= 5; id++) connection.say({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
  connection.socket.end();
  await connection.closed;
  expect(connection.heard().trim().split('\n')).toHaveLength(6);
});

describe('a place', () => {
  test('whose path is too long is refused with its length', async () => {
    const folders = { boxes: join(folder, 'boxes'), sharedBoxes: join(folder, 's'.repeat(60)) };
    const socket = join(folders.sharedBoxes, 'work-12345678', 'mcp.sock');
    expect(await prepareFolder(folders, socket, null)).toContain(`has ${Buffer.byteLength(socket)} bytes, and 100 are`);
    expect(existsSync(folders.sharedBoxes)).toBe(false);
  });

  test('that others may write into is refused', async () => {
    chmodSync(join(folder, 'boxes'), 0o777);
    const late = await makeBox('late');
    expect(boxes.socketOf(late).problem).toContain('can be written by others');
    expect(reported).toHaveLength(1);
  });

  test('where a socket was replaced says so', () => {
    expect(boxes.socketOf(box).problem).toBeNull();
    expect(lstatSync(path).isSocket()).toBe(true);
    rmSync(path);
    expect(boxes.socketOf(box).problem).toContain('its socket is gone');
  });
});
