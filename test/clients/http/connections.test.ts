import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { startHttpServer } from '../../../daemon/clients/http/listener.ts';
import { until } from '../../waiting/until.ts';
import { noChanges, noPairings, nothingInUse, unlimitedAdmission } from './admission-for-tests.ts';
import { runServer } from './running-server.ts';
import { modern, openRaw, type RawConnection, send, statusOf } from './wire.ts';

describe('at the limit of connections', () => {
  test('the longest idle one gives way, one that waits for an answer doesn’t', async () => {
    const server = await runServer({ connections: 3 });
    try {
      const token = await server.token();
      const { headers = {}, body = '' } = modern(token, 'tools/call', { name: 'slow', arguments: { name: 'busy' } });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const busy = await openRaw(server.http.port);
      busy.write(
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      await until(() => server.slowTool.includes('began busy'), 'the call began');
      const use = async (raw: RawConnection): Promise<void> => {
        raw.write('POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
        await raw.until('not_found');
      };
      const older = await openRaw(server.http.port);
      await use(older);
      const younger = await openRaw(server.http.port);
      await use(younger);
      const newest = await openRaw(server.http.port);
      await use(newest);
      await older.closed();
      expect([busy.socket.destroyed, younger.socket.destroyed, newest.socket.destroyed]).toEqual([false, false, false]);
      for (const raw of [busy, younger, newest]) raw.end();
    } finally {
      await server.stop();
    }
  });

  test('if none is idle the newcomer is turned away, and a place is free again later', async () => {
    const server = await runServer({ connections: 1 });
    try {
      const token = await server.token();
      const call = send(
        server.url,
        modern(token, 'tools/call', { name: 'slow', arguments: { name: 'one', milliseconds: 300 } }),
      );
      await until(() => server.slowTool.includes('began one'), 'the call began');
      const turnedAway = await openRaw(server.http.port);
      expect(await turnedAway.closed()).toBe('');
      expect((await call).status).toBe(200);
      expect((await send(server.url, modern(token, 'tools/list'))).status).toBe(200);
    } finally {
      await server.stop();
    }
  });
});

describe('a slow client gets 408 and is disconnected', () => {
  test.each([
    ['with the headers', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n'],
    ['with the first byte', ''],
  ])('%s', async (_what, bytes) => {
    const server = await runServer({ headerSeconds: 0.3, bodySeconds: 0.3 });
    try {
      const raw = await openRaw(server.http.port);
      if (bytes !== '') raw.write(bytes);
      expect(statusOf(await raw.closed())).toBe(408);
    } finally {
      await server.stop();
    }
  });

  test.each(['/mcp', '/v1/integrations/exchange'])(
    'with the body, counted from the end of its header: %s',
    async path => {
      const server = await runServer({ headerSeconds: 20, bodySeconds: 0.3 });
      try {
        const { headers = {} } = modern(await server.token(), 'tools/list');
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const raw = await openRaw(server.http.port);
        raw.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: 100\r\n\r\n{`);
        // A byte now and then doesn't gain time.
        const trickle = setInterval(() => raw.write(' '), 50);
        const received = await raw.closed();
        clearInterval(trickle);
        expect(statusOf(received)).toBe(408);
        expect(received).toContain('"error":"timeout"');
      } finally {
        await server.stop();
      }
    },
  );
});

describe('a taken port', () => {
  test('gives way to a free one, and the server says which and why; without fallback it is an error', async () => {
    const holder = createServer();
    const port = await new Promise<number>(resolve => {
      holder.listen(0, '127.0.0.1', () => {
        const address = holder.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const silent = { info: () => {}, warn: () => {}, error: () => {} };
    const verify = () => ({ kind: 'unknown' }) as const;
    const tokens = { verify, verifyBox: verify, find: () => null, hasExpired: () => false, onEnded: () => () => {} };
    const common = { admission: unlimitedAdmission(), notifier: noChanges, accessInUse: nothingInUse, ...noPairings() };
    const more = { tools: [], version: '0', log: silent, newId: () => 'x', descriptors: () => 'enough' as const };
    const ports = { port, tokens, ...common, ...more };
    try {
      const http = await startHttpServer({ ...ports, fallback: true });
      expect(http).toMatchObject({ portTaken: true });
      expect(http.port).not.toBe(port);
      expect((await send(`http://127.0.0.1:${http.port}/mcp`, {})).status).toBe(401);
      await http.close(0);
      await expect(startHttpServer({ ...ports, fallback: false })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    } finally {
      await new Promise(resolve => holder.close(resolve));
    }
  });

  test('a free one is used', async () => {
    const server = await runServer();
    expect(server.http.portTaken).toBe(false);
    await server.stop();
  });
});

test('a connection is kept for the next request, 75 s', async () => {
  const server = await runServer();
  try {
    const raw = await openRaw(server.http.port);
    for (const path of ['/first', '/second'])
      raw.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
    const received = await raw.until('Keep-Alive: timeout=75');
    expect(received).toContain('Connection: keep-alive');
    expect(raw.socket.destroyed).toBe(false);
    raw.end();
  } finally {
    await server.stop();
  }
});

test('with few file descriptors left a newcomer replaces the longest idle one', async () => {
  let descriptors: 'enough' | 'few' = 'enough';
  const server = await runServer({}, unlimitedAdmission(), noPairings, () => descriptors);
  try {
    const [older, younger] = [await openRaw(server.http.port), await openRaw(server.http.port)];
    expect((await send(server.url, modern(await server.token(), 'tools/list'))).status).toBe(200);
    expect(older.socket.destroyed).toBe(false);
    descriptors = 'few';
    expect((await send(server.url, modern(await server.token(), 'tools/list'))).status).toBe(200);
    await older.closed();
    expect(younger.socket.destroyed).toBe(false);
    younger.end();
  } finally {
    await server.stop();
  }
});

test('with none left the server stops listening, and opens again on the same port', async () => {
  let descriptors: 'enough' | 'none' = 'none';
  const server = await runServer({}, unlimitedAdmission(), noPairings, () => descriptors);
  try {
    const ask = async (): Promise<number> =>
      (await send(server.url, modern('wrong', 'tools/list')).catch(() => ({ status: 0 }))).status;
    await until(async () => (await ask()) === 0, 'the server has closed');
    descriptors = 'enough';
    await until(async () => (await ask()) === 401, 'the server is open again');
  } finally {
    await server.stop();
  }
});
