/** The bridge's connections, against real servers: used again, given up, cancelled and cut off. */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Connections, type Post } from '../../bridge/daemon/connections.ts';
import type { Response } from '../../bridge/daemon/response.ts';
import { NotSent, wasNeverRead } from '../../bridge/daemon/sending-failures.ts';
import { until } from '../waiting/until.ts';
import { pause } from './bridge-process.ts';

const answered = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

let undo: (() => void)[];
beforeEach(() => {
  undo = [];
});
afterEach(() => {
  for (const each of undo) each();
});

/** An HTTP server that counts its connections; `answering` ends each response. */
async function server(
  answering: (body: string, response: ServerResponse) => void,
): Promise<Server & { seen: Socket[] }> {
  const seen: Socket[] = [];
  const http = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', chunk => chunks.push(chunk));
    incoming.on('end', () => answering(Buffer.concat(chunks).toString(), response));
  });
  http.on('connection', socket => seen.push(socket));
  undo.push(() => http.close().closeAllConnections());
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return Object.assign(http, { seen });
}

async function socketServer(serve: (socket: Socket) => void): Promise<SocketServer> {
  const sockets = createSocketServer(socket => {
    socket.on('error', () => {});
    undo.push(() => socket.destroy());
    serve(socket);
  });
  undo.push(() => sockets.close());
  sockets.listen(0, '127.0.0.1');
  await once(sockets, 'listening');
  return sockets;
}

function connectionsTo(listening: SocketServer, prove = () => Promise.resolve(true)): Connections {
  const connections = new Connections((listening.address() as AddressInfo).port, prove);
  undo.push(() => connections.abandon());
  return connections;
}

function post(body: string | Buffer): () => Post {
  return () => ({ headers: { 'Content-Type': 'application/json' }, body: Buffer.from(body) });
}

const never = new AbortController().signal;

function send(connections: Connections, body: string | Buffer, signal = never): Promise<Response> {
  return connections.send(post(body), signal, () => {});
}

async function read(response: Response): Promise<string> {
  let text = '';
  for (let piece = await response.next(); piece !== null; piece = await response.next())
    text += piece.toString('latin1');
  return text;
}

async function ask(connections: Connections, body: string): Promise<string> {
  return read(await send(connections, body));
}

test('sequential requests share a connection, parallel ones have one each', async () => {
  const echo = await server((body, response) => response.end(body));
  const connections = connectionsTo(echo);
  for (let i = 0; i < 50; i++) expect(await ask(connections, String(i))).toBe(String(i));
  expect(echo.seen.length).toBe(1);
  const bodies = Array.from({ length: 10 }, (_, index) => `number ${index}`);
  expect(await Promise.all(bodies.map(body => ask(connections, body)))).toEqual(bodies);
  expect(echo.seen.length).toBe(10);
});

test('a connection is proven once, before its first byte', async () => {
  const echo = await server((body, response) => response.end(body));
  let proofs = 0;
  const connections = connectionsTo(echo, async () => {
    // A request sent too early would have arrived by then.
    await pause(50);
    expect(echo.seen.map(({ bytesRead }) => bytesRead)).toEqual([0]);
    proofs++;
    return true;
  });
  for (let i = 0; i < 3; i++) await ask(connections, 'x');
  expect(proofs).toBe(1);
});

test('the request is built once the connection is proven, since the proof may bring another token', async () => {
  const echo = await server((body, response) => response.end(body));
  let token = 'old';
  const connections = connectionsTo(echo, async () => {
    token = 'new';
    return true;
  });
  const response = await connections.send(
    () => post(token)(),
    never,
    () => {},
  );
  expect(await read(response)).toBe('new');
});

test('a request that is cancelled during the proof isn’t sent, and doesn’t wait for the proof', async () => {
  const echo = await server((body, response) => response.end(body));
  let proving = 0;
  const connections = connectionsTo(echo, () => (proving++ === 0 ? new Promise(() => {}) : Promise.resolve(true)));
  const cancelled = new AbortController();
  const sent = send(connections, 'secret', cancelled.signal);
  await until(() => proving > 0, 'a proof is asked for');
  cancelled.abort();
  await expect(sent).rejects.toBeInstanceOf(NotSent);
  expect(await ask(connections, 'next')).toBe('next');
  expect(echo.seen.map(({ bytesRead }) => bytesRead > 0)).toEqual([false, true]);
});

test('a request that was cancelled earlier leaves the kept connection to the next', async () => {
  const echo = await server((body, response) => response.end(body));
  const connections = connectionsTo(echo);
  await ask(connections, 'a');
  await expect(send(connections, 'secret', AbortSignal.abort())).rejects.toBeInstanceOf(NotSent);
  expect(await ask(connections, 'b')).toBe('b');
  expect(echo.seen.length).toBe(1);
});

test('a connection that ends during its proof was never used', async () => {
  let isOver = false;
  const leaving = await socketServer(socket => {
    // Closed on both sides: the bridge's own side has ended too.
    socket.once('close', () => {
      isOver = true;
    });
    socket.resume().end();
  });
  const connections = connectionsTo(leaving, async () => {
    await until(() => isOver, 'the connection has ended');
    return true;
  });
  await expect(send(connections, 'x')).rejects.toBeInstanceOf(NotSent);
});

test.each([
  ['refused', () => Promise.resolve(false)],
  ['that fails', () => Promise.reject(new Error('no'))],
])('after a proof %s nothing is sent', async (_, prove) => {
  const echo = await server((body, response) => response.end(body));
  await expect(send(connectionsTo(echo, prove), 'secret')).rejects.toBeInstanceOf(NotSent);
  await until(() => echo.seen.every(({ destroyed }) => destroyed), 'the connection is given up');
  expect(echo.seen.map(({ bytesRead }) => bytesRead)).toEqual([0]);
});

test('if nobody listens, nothing was sent', async () => {
  const gone = await socketServer(() => {});
  const connections = connectionsTo(gone);
  await new Promise(resolve => gone.close(resolve));
  await expect(send(connections, 'x')).rejects.toBeInstanceOf(NotSent);
});

test.each([
  ['says it closes', { Connection: 'close' }],
  ['says it closes among other things', { Connection: 'Upgrade, Close' }],
  ['may close at any moment now', { Connection: 'keep-alive', 'Keep-Alive': 'timeout=1' }],
])('a connection that %s isn’t used again', async (_, headers) => {
  const echo = await server((body, response) => response.writeHead(200, headers).end(body));
  const connections = connectionsTo(echo);
  for (const body of ['a', 'b', 'c']) expect(await ask(connections, body)).toBe(body);
  expect(echo.seen.length).toBe(3);
  await until(() => echo.seen.every(({ destroyed }) => destroyed), 'all three are closed');
});

test('the most recently used idle connection is used', async () => {
  const echo = await server((body, response) => response.end(body));
  const connections = connectionsTo(echo);
  await Promise.all(['a', 'b', 'c'].map(body => ask(connections, body)));
  const before = echo.seen.map(({ bytesRead }) => bytesRead);
  for (let i = 0; i < 5; i++) await ask(connections, 'x');
  expect(echo.seen.filter(({ bytesRead }, index) => bytesRead !== before[index]).length).toBe(1);
});

test('an answer without a body is over at once', async () => {
  const silent = await server((_, response) => response.writeHead(204).end());
  const connections = connectionsTo(silent);
  for (let i = 0; i < 3; i++) expect(await ask(connections, 'x')).toBe('');
  expect(silent.seen.length).toBe(1);
});

test('an answer that ends with its connection ends for its readers', async () => {
  const sockets: Socket[] = [];
  const older = await socketServer(socket => {
    sockets.push(socket);
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nall '));
  });
  const response = await send(connectionsTo(older), 'x');
  expect(String(await response.next())).toBe('all ');
  const more = response.next();
  sockets[0]?.write('of ');
  expect(String(await more)).toBe('of ');
  const rest = read(response);
  sockets[0]?.end('it');
  expect(await rest).toBe('it');
});

test('a connection that ended while idle isn’t used again', async () => {
  const echo = await server((body, response) => response.end(body));
  const connections = connectionsTo(echo);
  await ask(connections, 'a');
  // The bridge has seen its end once the other side has ended too.
  echo.seen[0]?.end();
  await until(() => echo.seen[0]?.closed === true, 'the connection has ended');
  expect(await ask(connections, 'b')).toBe('b');
  expect(echo.seen.length).toBe(2);
});

test('an answer that came before its question belongs to nobody', async () => {
  let asked = 0;
  const eager = await socketServer(socket => {
    socket.write(answered.replace('hi', 'no'));
    socket.on('data', () => asked++);
  });
  const connections = connectionsTo(eager, async () => {
    // No event tells when the answer has arrived.
    await pause(50);
    return true;
  });
  await expect(send(connections, 'x')).rejects.toBeInstanceOf(NotSent);
  expect(asked).toBe(0);
});

test('two answers to one question: the second answers no other', async () => {
  let connected = 0;
  const double = await socketServer(socket => {
    connected++;
    socket.on('data', () => socket.write(answered + answered.replace('hi', 'no')));
  });
  const connections = connectionsTo(double);
  expect(await ask(connections, 'a')).toBe('hi');
  expect(await ask(connections, 'b')).toBe('hi');
  expect(connected).toBe(2);
});

test('an answer that comes without a question answers no other', async () => {
  const sockets: Socket[] = [];
  const talkative = await socketServer(socket => {
    sockets.push(socket);
    socket.on('data', () => socket.write(answered));
  });
  const connections = connectionsTo(talkative);
  expect(await ask(connections, 'a')).toBe('hi');
  sockets[0]?.write(answered.replace('hi', 'no'));
  await until(() => sockets[0]?.destroyed === true, 'the connection is given up');
  expect(await ask(connections, 'b')).toBe('hi');
  expect(sockets.length).toBe(2);
});

test('a cancelled request drops only its own connection', async () => {
  const responses: ServerResponse[] = [];
  const slow = await server((_, response) => responses.push(response));
  const connections = connectionsTo(slow);
  const cancelled = new AbortController();
  const first = send(connections, 'a', cancelled.signal);
  const second = send(connections, 'b');
  await until(() => responses.length === 2, 'the server has been asked 2 times');
  cancelled.abort();
  await expect(first).rejects.toThrow('cancelled');
  for (const response of responses) response.end('done');
  expect(await read(await second)).toBe('done');
  expect(slow.seen.filter(({ destroyed }) => destroyed).length).toBe(1);
});

test('giving up a finished request doesn’t affect the next on its connection', async () => {
  const responses: ServerResponse[] = [];
  const slow = await server((_, response) => responses.push(response));
  const connections = connectionsTo(slow);
  const cancelled = new AbortController();
  let overs = 0;
  const first = connections.send(post('a'), cancelled.signal, () => overs++);
  await until(() => responses.length === 1, 'the first is asked');
  responses[0]?.end('first');
  expect(await read(await first)).toBe('first');
  await until(() => overs === 1, 'the first is over');
  const second = send(connections, 'b');
  await until(() => responses.length === 2, 'the server has been asked 2 times');
  cancelled.abort();
  responses[1]?.end('second');
  expect(await read(await second)).toBe('second');
  expect(slow.seen.length).toBe(1);
});

test('an answer arrives before the question is fully read, and its connection isn’t used again', async () => {
  const hasty = await server((body, response) => response.end(body));
  hasty.removeAllListeners('request');
  hasty.on('request', (incoming, response) => {
    incoming.pause();
    response.writeHead(413, { 'Content-Length': 4 }).end('much');
  });
  const connections = connectionsTo(hasty);
  const response = await send(connections, Buffer.alloc(12_000_000));
  expect(response.status).toBe(413);
  expect(await read(response)).toBe('much');
  await read(await send(connections, 'x'));
  expect(hasty.seen.length).toBe(2);
});

test('an unread answer isn’t read on', async () => {
  const generous = await server((_, response) => response.end(Buffer.alloc(20_000_000, 'x')));
  const connections = connectionsTo(generous);
  const response = await send(connections, 'x');
  // Reading another such answer gives it time.
  expect((await ask(connections, 'y')).length).toBe(20_000_000);
  expect(generous.seen[0]?.writableLength).toBeGreaterThan(10_000_000);
  expect((await read(response)).length).toBe(20_000_000);
});

test('an answer that is cut off is first read as far as it came', async () => {
  const cut = await server((_, response) => {
    response.writeHead(200, { 'Content-Length': 10 }).write('half', () => response.destroy());
  });
  const response = await send(connectionsTo(cut), 'x');
  // No event tells when the end has arrived.
  await pause(50);
  expect((await response.next())?.toString()).toBe('half');
  await expect(response.next()).rejects.toThrow();
});

test.each([
  ['a reset says that nobody read it', (socket: Socket) => socket.resetAndDestroy(), true],
  ['an end in order does not', (socket: Socket) => socket.end(), false],
])('before any answer, %s', async (_, leave, neverRead) => {
  const leaving = await socketServer(socket => socket.once('data', () => leave(socket)));
  const error: unknown = await send(connectionsTo(leaving), 'x').catch(reason => reason);
  expect(error).toHaveProperty('message');
  expect(wasNeverRead(error)).toBe(neverRead);
});

test('a response that isn’t HTTP fails, and so does its connection', async () => {
  let ended = 0;
  const other = await socketServer(socket => {
    socket.on('close', () => ended++);
    socket.once('data', () => socket.write('220 mail.example ESMTP\r\n\r\n'));
  });
  await expect(send(connectionsTo(other), 'x')).rejects.toMatchObject({ code: 'HPE_INVALID_CONSTANT' });
  await until(() => ended === 1, 'the connection is closed');
});

test('giving all up makes a request on a kept connection fail too', async () => {
  const responses: ServerResponse[] = [];
  const slow = await server((_, response) => responses.push(response));
  const connections = connectionsTo(slow);
  const first = ask(connections, 'a');
  await until(() => responses.length === 1, 'the server has been asked 1 times');
  responses[0]?.end('done');
  await first;
  const second = send(connections, 'b').catch(error => error);
  await until(() => responses.length === 2, 'the server has been asked 2 times');
  connections.abandon();
  expect(await second).toMatchObject({ message: 'socket hang up' });
  expect(slow.seen.length).toBe(1);
});

test('giving all up makes each request fail, even without a connection yet', async () => {
  let asked = 0;
  const silent = await server(() => asked++);
  let proofs = 0;
  const connections = connectionsTo(silent, () => (proofs++ === 0 ? Promise.resolve(true) : new Promise(() => {})));
  let overs = 0;
  const under = connections.send(post('a'), never, () => overs++);
  const failures = [under.catch(error => error)];
  await until(() => asked === 1, 'the first is asked');
  failures.push(send(connections, 'b').catch(error => error));
  await until(() => proofs === 2 && silent.seen.length === 2, 'the second is connected');
  connections.abandon();
  const [first, second] = await Promise.all(failures);
  expect(first).toMatchObject({ message: 'socket hang up' });
  expect(second).toBeInstanceOf(NotSent);
  expect(overs).toBe(1);
  await until(() => silent.seen.every(({ destroyed }) => destroyed), 'both connections are closed');
});

test('closing lets a running request end by itself, and keeps nothing', async () => {
  const responses: ServerResponse[] = [];
  const slow = await server((_, response) => responses.push(response));
  const connections = connectionsTo(slow);
  const asked = ['a', 'b'].map(body => ask(connections, body));
  await until(() => responses.length === 2, 'the server has been asked 2 times');
  responses[0]?.end('done');
  expect(await Promise.race(asked)).toBe('done');
  connections.close();
  await until(() => slow.seen.some(({ destroyed }) => destroyed), 'the idle one is closed');
  expect(slow.seen.map(({ destroyed }) => destroyed).sort()).toEqual([false, true]);
  responses[1]?.end('done');
  expect(await Promise.all(asked)).toEqual(['done', 'done']);
  await until(() => slow.seen.every(({ destroyed }) => destroyed), 'both connections are closed');
});
