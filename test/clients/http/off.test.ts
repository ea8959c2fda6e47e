/**
 * Switching off and on, moving to another port, pausing (spec §2 Off, Taken port): the real HTTP
 * server, a real handshake file and the bridge's reading of it, in one process.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadTokenRegister, type TokenRegister } from '../../../daemon/access/tokens/token-register.ts';
import { startHttpServer } from '../../../daemon/clients/http/listener.ts';
import { type Serving, type ServingPorts, startServing, type WantedServer } from '../../../daemon/serving.ts';
import { serverState } from '../../../daemon/status.ts';
import { removeHandshake, writeHandshake } from '../../../daemon/storage/handshake-file.ts';
import type { Handshake } from '../../../shared/handshake.ts';
import { noteText } from '../../../shared/note.ts';
import { portHolder } from '../../../shared/port-holder.ts';
import { freePort } from '../../servers/free-port.ts';
import { until } from '../../waiting/until.ts';
import { clockedAdmission, noChanges, noPairings, nothingInUse } from './admission-for-tests.ts';
import { simpleTools } from './running-server.ts';
import { type Answer, modern, send } from './wire.ts';

const instance = randomUUID();
let folder: string;
let file: string;
let tokens: TokenRegister;
let serving: Serving;
let paused: boolean[];
let changes: number;
let slowTool: string[];
const holders: Server[] = [];

beforeEach(async () => {
  folder = mkdtempSync('/tmp/sallyport-off-test-');
  file = join(folder, 'mcp-handshake.json');
  const inMemory = { load: async () => [], save: async () => {}, end: async () => {}, delete: async () => {} };
  tokens = await loadTokenRegister({ store: inMemory, now: Date.now, randomBytes, newId: randomUUID });
  paused = [];
  changes = 0;
  slowTool = [];
});
afterEach(async () => {
  await serving?.stop(0);
  for (const holder of holders.splice(0)) await new Promise(resolve => holder.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function start(wanted: Partial<WantedServer> = {}, change: Partial<ServingPorts> = {}): Promise<Serving> {
  const clocked = clockedAdmission();
  const admission = { ...clocked, isPaused: () => serving?.isPaused() ?? false };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const tools = simpleTools(slowTool);
  serving = await startServing(
    {
      listen: (port, fallback) =>
        startHttpServer({
          accessInUse: nothingInUse,
          port,
          fallback,
          tokens,
          admission,
          tools,
          notifier: noChanges,
          version: '0',
          log,
          newId: randomUUID,
          descriptors: () => 'enough',
          ...noPairings(),
        }),
      tokens,
      now: Date.now,
      publish: (port, { plaintext, expiresAt }) =>
        writeHandshake(file, {
          version: 1,
          port,
          token: plaintext,
          pid: process.pid,
          instance,
          protocolVersions: [],
          expiresAt,
        }),
      unpublish: () => removeHandshake(file, instance),
      isPublished: () => existsSync(file),
      portHolder,
      pause: { isPaused: false, save: async isPaused => void paused.push(isPaused) },
      onChanged: () => changes++,
      report: error => {
        throw error;
      },
      ...change,
    },
    { enabled: true, port: await freePort(), fallback: true, ...wanted },
  );
  return serving;
}

async function takenPort(): Promise<number> {
  const holder = createServer();
  holders.push(holder);
  return listenOn(holder, 0);
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

const handshake = (): Handshake => JSON.parse(readFileSync(file, 'utf8'));
const list = (port: number, token: string): Promise<Answer> =>
  send(`http://127.0.0.1:${port}/mcp`, modern(token, 'tools/list'));

describe('off', () => {
  test('closes the port, removes the handshake and kills the bridge token; on restores all', async () => {
    const { port } = (await start()).served() ?? { port: 0 };
    const former = handshake();
    expect((await list(port, former.token)).status).toBe(200);

    expect(await serving.change({ enabled: false, port, fallback: true })).toBeNull();
    expect([serving.served(), await serving.identity(), existsSync(file)]).toEqual([null, null, false]);
    await expect(list(port, former.token)).rejects.toThrow('ECONNREFUSED');
    expect(tokens.verify(former.token).kind).toBe('unknown');
    expect(serverState(serving, false)).toMatchObject({ state: 'off', port: null });

    expect(await serving.change({ enabled: true, port, fallback: true })).toBeNull();
    const fresh = handshake();
    expect([fresh.port, fresh.token === former.token]).toEqual([port, false]);
    expect(await serving.identity()).toMatchObject({ port, token: { plaintext: fresh.token } });
    expect((await list(port, fresh.token)).status).toBe(200);
    expect((await list(port, former.token)).status).toBe(401);
    expect(changes).toBe(3);
  });

  test('ends what runs, at once, and says why', async () => {
    const { port } = (await start()).served() ?? { port: 0 };
    const call = modern(handshake().token, 'tools/call', { name: 'slow', arguments: { name: 'a' } });
    const running = send(`http://127.0.0.1:${port}/mcp`, call);
    await until(() => slowTool.includes('began a'), 'it runs');
    await serving.change({ enabled: false, port, fallback: true });
    const answer = await running;
    expect([answer.status, answer.json.error?.code]).toEqual([503, -33006]);
    expect(answer.json.error?.message).toContain('switched');
    expect(slowTool).toContain('aborted a');
  });

  test('stays off at the next start, until a link starts it for this run only', async () => {
    const port = await freePort();
    await start({ enabled: false, port });
    expect([serving.served(), await serving.identity(), existsSync(file)]).toEqual([null, null, false]);
    expect(await serving.startForThisRun()).toBeNull();
    expect((await list(port, handshake().token)).status).toBe(200);
  });

  test('switching on is refused if the port is taken without fallback, and it stays off', async () => {
    const port = await takenPort();
    await start({ enabled: false, port, fallback: false });
    const problem = await serving.change({ enabled: true, port, fallback: false });
    expect(problem).toMatch(new RegExp(`port ${port} belongs to \\S+ \\(process ${process.pid}\\)`));
    expect([serving.served(), existsSync(file)]).toEqual([null, false]);
  });

  test('a hundred switches, one by one or at once, end where the last one said', async () => {
    const port = await freePort();
    await start({ port });
    const all = [];
    for (let time = 0; time < 20; time++) all.push(serving.change({ enabled: time % 2 === 1, port, fallback: true }));
    expect(await Promise.all(all)).toEqual(Array(20).fill(null));
    expect((await list(port, handshake().token)).status).toBe(200);
    await serving.change({ enabled: false, port, fallback: true });
    await expect(list(port, 'x')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('another port', () => {
  test('is served at once, with the present token; the old one is closed', async () => {
    const { port } = (await start()).served() ?? { port: 0 };
    const { token } = handshake();
    const next = await freePort();
    expect(await serving.change({ enabled: true, port: next, fallback: true })).toBeNull();
    expect(handshake()).toMatchObject({ port: next, token });
    expect(await serving.identity()).toMatchObject({ port: next });
    expect((await list(next, token)).status).toBe(200);
    await expect(list(port, token)).rejects.toThrow('ECONNREFUSED');
  });

  test('the handshake is removed before the old port closes, and returns once the new one is open', async () => {
    const order: string[] = [];
    let number = 0;
    await start(
      {},
      {
        listen: async port => {
          const name = ++number;
          order.push(`open ${name}`);
          return {
            port,
            portTaken: false,
            serveBox: () => {},
            endRequests: () => {},
            close: async () => void order.push(`close ${name}`),
          };
        },
        publish: port => void order.push(`publish ${port}`),
        unpublish: () => void order.push('unpublish'),
      },
    );
    order.length = 0;
    await serving.change({ enabled: true, port: 2, fallback: true });
    expect(order).toEqual(['open 2', 'unpublish', 'publish 2', 'close 1']);
    order.length = 0;
    await serving.change({ enabled: false, port: 2, fallback: true });
    expect(order).toEqual(['unpublish', 'close 2']);
  });

  test('calls on the old one may end there', async () => {
    const { port } = (await start()).served() ?? { port: 0 };
    const { token } = handshake();
    const call = modern(token, 'tools/call', { name: 'slow', arguments: { name: 'a', milliseconds: 300 } });
    const running = send(`http://127.0.0.1:${port}/mcp`, call);
    await until(() => slowTool.includes('began a'), 'it runs');
    await serving.change({ enabled: true, port: await freePort(), fallback: true });
    expect((await running).json.result?.structuredContent).toEqual({ waited: true });
  });

  test('if it is taken: without fallback nothing changes, with it a free one is used and the holder named', async () => {
    const { port } = (await start()).served() ?? { port: 0 };
    const { token } = handshake();
    const taken = await takenPort();
    const problem = await serving.change({ enabled: true, port: taken, fallback: false });
    expect(problem).toContain(`port ${taken} belongs to `);
    expect((await list(port, token)).status).toBe(200);
    expect(handshake()).toMatchObject({ port, token });

    expect(await serving.change({ enabled: true, port: taken, fallback: true })).toBeNull();
    const served = serving.served();
    expect(served).toMatchObject({ taken: { port: taken } });
    expect(served?.taken?.holder).toContain(`(process ${process.pid})`);
    expect(serverState(serving, false).notes[0]?.sentence).toMatch(
      new RegExp(
        `^Port ${taken} belongs to .* \\(process ${process.pid}\\), so HTTP clients must use ${served?.port} for now\\.$`,
      ),
    );
    expect((await list(served?.port ?? 0, token)).status).toBe(200);

    // The fallback can't be removed while it serves; it isn't needed once the port is free.
    expect(await serving.change({ enabled: true, port: taken, fallback: false })).toContain('belongs to');
    expect(await serving.change({ enabled: true, port: taken, fallback: true })).toBeNull();
    expect(serving.served()?.port).toBe(served?.port);
    for (const holder of holders.splice(0)) await new Promise(resolve => holder.close(resolve));
    expect(await serving.change({ enabled: true, port: taken, fallback: true })).toBeNull();
    expect(serving.served()).toEqual({ port: taken, taken: null });
    expect((await list(taken, token)).status).toBe(200);
  });

  test('at the start, taken and without fallback, serves nobody and says so; settings and time fix it', async () => {
    const port = await takenPort();
    await start({ port, fallback: false });
    expect([serving.served(), serving.isWanted(), existsSync(file)]).toEqual([null, true, false]);
    expect(await serving.identity()).toBeNull();
    const { state, notes } = serverState(serving, false);
    expect(state).toBe('off');
    expect(notes.map(noteText)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Port ${port} belongs to .* \\(process ${process.pid}\\), and port.fallback is false, so no client is served\\.`,
        ),
      ),
    ]);
    // Another setting brings no new problem.
    expect(await serving.change({ enabled: true, port, fallback: false })).toContain(`port ${port} belongs to`);
    expect(serverState(serving, false).notes).toEqual(notes);
    serving.tend();
    await serving.identity();
    expect(serverState(serving, false).notes).toEqual(notes);

    for (const holder of holders.splice(0)) await new Promise(resolve => holder.close(resolve));
    serving.tend();
    expect(await serving.identity()).toMatchObject({ port });
    expect([serving.served(), serverState(serving, false).notes]).toEqual([{ port, taken: null }, []]);
    expect((await list(port, handshake().token)).status).toBe(200);
  });

  test.each([
    ['the fallback', async (port: number) => ({ enabled: true, port, fallback: true })],
    ['another port', async () => ({ enabled: true, port: await freePort(), fallback: false })],
  ])('%s fixes a start that could not serve; switched off it is no problem', async (_what, wanted) => {
    const port = await takenPort();
    await start({ port, fallback: false });
    await serving.change({ enabled: false, port, fallback: false });
    expect([serving.isWanted(), serving.problem()]).toEqual([false, null]);
    expect(await serving.change({ enabled: true, port, fallback: false })).toContain('belongs to');
    expect([serving.isWanted(), serving.problem()]).toEqual([false, null]);
    expect(await serving.change(await wanted(port))).toBeNull();
    expect((await list(serving.served()?.port ?? 0, handshake().token)).status).toBe(200);
    expect(serving.problem()).toBeNull();
  });

  test('a handshake that can’t be written leaves no listener behind', async () => {
    const port = await freePort();
    const full = (): never => {
      throw new Error('no space left');
    };
    await expect(start({ port }, { publish: full })).rejects.toThrow('no space left');
    await expect(list(port, 'x')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('pause', () => {
  test('ends what runs, refuses what comes, is stored, and ends with resume', async () => {
    const { port } = (await start()).served() ?? { port: 0 };
    const { token } = handshake();
    const running = send(
      `http://127.0.0.1:${port}/mcp`,
      modern(token, 'tools/call', { name: 'slow', arguments: { name: 'a' } }),
    );
    await until(() => slowTool.includes('began a'), 'it runs');
    await serving.pause();
    expect((await running).json.result?.content?.[0]?.text).toMatch(/^denied: .*No statement of this request took/);
    const later = await list(port, token);
    expect([later.status, later.text.includes('No statement')]).toEqual([503, false]);
    expect(serverState(serving, false)).toMatchObject({ state: 'paused', port });
    await serving.resume();
    expect((await list(port, token)).status).toBe(200);
    expect(paused).toEqual([true, false]);
    expect(serverState(serving, false)).toEqual({ state: 'ready', port, notes: [] });
  });

  test('wins over a resume at the same time', async () => {
    await start({}, { pause: { isPaused: true, save: async isPaused => void paused.push(isPaused) } });
    const { port, token } = handshake();
    const resuming = serving.resume();
    await serving.pause();
    await resuming;
    expect([serving.isPaused(), paused]).toEqual([true, [false, true]]);
    expect((await list(port, token)).status).toBe(503);
  });

  test('survives a restart: starting Sallyport again doesn’t lift it', async () => {
    await start({}, { pause: { isPaused: true, save: async () => {} } });
    const { port, token } = handshake();
    expect((await list(port, token)).status).toBe(503);
  });
});

test('after the stop nothing starts again', async () => {
  const port = await freePort();
  await start({ port });
  const stopping = serving.stop(0);
  const late = serving.change({ enabled: true, port: await freePort(), fallback: true });
  await stopping;
  expect(await late).toContain('Sallyport is stopping');
  expect([serving.served(), existsSync(file)]).toEqual([null, false]);
  // A client that asks now isn't told that it is off: it looks for a handshake, and then for
  // another daemon.
  expect(await serving.identity()).toMatchObject({ port });
});
