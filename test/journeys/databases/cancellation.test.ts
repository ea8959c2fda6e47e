/**
 * A caller that no longer waits for a statement stops it in the database: a client that leaves or
 * cancels, in both eras, over HTTP and through the built bridge, and a token revoked during a
 * query. Shortly after, the server has nothing left of it.
 */

import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BridgeProcess, legacy as legacyLine, modern as modernLine } from '../../bridge/bridge-process.ts';
import { legacy, modern, type Sending, send } from '../../clients/http/wire.ts';
import { until } from '../../waiting/until.ts';
import { everyClient } from '../clients/every-client.ts';
import {
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
  legacySession,
  type ThreeEngines,
} from './three-engines.ts';

/** Each runs for 30 s and more, and its own time limit doesn't stop it earlier. */
const slow: Readonly<Record<EngineName, string>> = {
  postgres: 'select pg_sleep(30)',
  mysql: 'select sleep(30)',
  sqlite: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
};

const argumentsFor = (engine: EngineName) => ({
  name: 'execute_query',
  arguments: { connection: connectionNames[engine], sql: slow[engine], timeout_seconds: 120 },
});

/** In parallel, since each mostly waits. */
async function onEveryEngine(work: (engine: EngineName) => Promise<void>): Promise<void> {
  await Promise.all(engineNames.map(work));
}

/**
 * Starts the query.
 * @returns a function that stops it.
 */
type Way = (three: ThreeEngines, engine: EngineName, token: string) => Promise<() => Promise<void> | void>;

function post(url: string, { headers, body }: Sending): ClientRequest {
  const sent = request(url, { method: 'POST', headers, agent: false }, answer => answer.resume());
  // The test cuts it off on purpose.
  sent.on('error', () => {});
  sent.end(body);
  return sent;
}

async function openedBridge(three: ThreeEngines, era: 'modern' | 'legacy'): Promise<BridgeProcess> {
  const bridge = three.home.bridge();
  if (era === 'modern') return bridge;
  const clientInfo = { name: 'old client', version: '1' };
  await bridge.ask(legacyLine(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }));
  bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return bridge;
}

function overBridge(era: 'modern' | 'legacy', stop: (bridge: BridgeProcess) => void): Way {
  const line = era === 'modern' ? modernLine : legacyLine;
  return async (three, engine) => {
    const bridge = await openedBridge(three, era);
    bridge.send(line(1, 'tools/call', argumentsFor(engine)));
    return () => stop(bridge);
  };
}

const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };

const ways: Readonly<Record<string, Way>> = {
  'HTTP, modern: the socket is destroyed': async (three, engine, token) => {
    const sent = post(three.url, modern(token, 'tools/call', argumentsFor(engine)));
    return () => void sent.destroy();
  },
  'HTTP, legacy: the socket is destroyed': async (three, engine, token) => {
    const session = await legacySession(three.url, token);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: argumentsFor(engine) };
    const sent = post(three.url, legacy(token, message, session));
    return () => void sent.destroy();
  },
  'HTTP, legacy: notifications/cancelled': async (three, engine, token) => {
    const session = await legacySession(three.url, token);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: argumentsFor(engine) };
    post(three.url, legacy(token, message, session));
    return async () => {
      expect((await send(three.url, legacy(token, cancelled, session))).status).toBe(202);
    };
  },
  'bridge, modern: notifications/cancelled': overBridge('modern', bridge => bridge.send(cancelled)),
  'bridge, legacy: notifications/cancelled': overBridge('legacy', bridge => bridge.send(cancelled)),
  'bridge, modern: its stdin closes': overBridge('modern', bridge => void bridge.child.stdin?.end()),
  'bridge, legacy: its stdin closes': overBridge('legacy', bridge => void bridge.child.stdin?.end()),
  'bridge, modern: SIGKILL': overBridge('modern', bridge => void bridge.child.kill('SIGKILL')),
  'bridge, legacy: SIGKILL': overBridge('legacy', bridge => void bridge.child.kill('SIGKILL')),
  ...Object.fromEntries(
    Object.entries(everyClient).map(([kind, connect]): [string, Way] => [
      `${kind}: the client aborts`,
      async ({ home, url }, engine, token) => {
        const client = await connect({ home, url, token });
        const aborting = new AbortController();
        const { name, arguments: args } = argumentsFor(engine);
        const called = client.call(name, args, aborting.signal);
        called.catch(() => {});
        return async () => {
          aborting.abort('enough');
          await expect(called).rejects.toThrow();
          await client.close();
        };
      },
    ]),
  ),
};

describeWithThreeEngines('a statement that nobody waits for any more', three => {
  let token: string;
  const toBeRevoked: { readonly id: string; readonly token: string }[] = [];
  const took = new Map<EngineName, number[]>(engineNames.map(engine => [engine, []]));
  beforeAll(async () => {
    token = (await three.mint()).token;
    toBeRevoked.push(...(await Promise.all(Array.from({ length: 9 }, () => three.mint()))));
    // Each has been used before, so the lockout that the others cause doesn't stop it.
    for (const minted of toBeRevoked) {
      expect((await three.call(minted.token, 'list_connections', {})).status).toBe(200);
    }
  }, 60_000);
  afterAll(async () => {
    for (const [engine, all] of took) {
      const sorted = all.toSorted((a, b) => a - b).map(Math.round);
      process.stdout.write(`${engine}: gone after ${sorted[sorted.length >> 1]} ms (${sorted[0]}–${sorted.at(-1)})\n`);
    }
  });

  const stops = async (engine: EngineName, way: Way, usedToken: string) => {
    const stop = await way(three, engine, usedToken);
    await until(async () => (await three.running(engine)).length === 1, `the statement runs on ${engine}`);
    const start = performance.now();
    await stop();
    await until(async () => (await three.running(engine)).length === 0, `nothing is left on ${engine}`, 5);
    took.get(engine)?.push(performance.now() - start);
  };

  test.each(Object.entries(ways))('%s', (_, way) =>
    onEveryEngine(async engine => {
      await stops(engine, way, token);
      const after = await three.query(token, engine, 'select 1');
      expect(after.structuredContent?.rows).toEqual([[1]]);
    }),
  );

  test.each<[string, (engine: EngineName, used: string) => Promise<Sending>]>([
    ['a call', async (engine, used) => modern(used, 'tools/call', argumentsFor(engine))],
    [
      'a call that streams',
      async (engine, used) => modern(used, 'tools/call', argumentsFor(engine), { meta: { progressToken: 1 } }),
    ],
    [
      'a call in a session',
      async (engine, used) => {
        const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: argumentsFor(engine) };
        return legacy(used, message, await legacySession(three.url, used));
      },
    ],
  ])('the token is revoked during %s: its client hears it, and its next request is refused', (_, sending) =>
    onEveryEngine(async engine => {
      const minted = toBeRevoked.pop() ?? { id: '', token: '' };
      const sent = await sending(engine, minted.token);
      const answering = send(three.url, sent);
      const way: Way = async () => async () => {
        expect((await three.here(['tokens', 'revoke', minted.id])).code).toBe(0);
      };
      await stops(engine, way, minted.token);
      const answer = await answering;
      // A stream that has started can't get another status: it ends without a result.
      if (answer.status === 200) expect(answer.headers['content-type']).toBe('text/event-stream');
      else expect(answer).toMatchObject({ status: 401, json: { error: { code: -33009 } } });
      expect(answer.text).not.toContain('"result"');
      // A revoked token counts as a guess each time; five lock the address out.
      expect([401, 429]).toContain((await send(three.url, sent)).status);
    }),
  );

  test('its own time limit', () =>
    onEveryEngine(async engine => {
      const result = await three.query(token, engine, slow[engine], { timeout_seconds: 0.5 });
      expect(result.isError).toBe(true);
      expect(result.content?.[0]?.text).toMatch(/^timeout: /);
      await until(async () => (await three.running(engine)).length === 0, `nothing is left on ${engine}`, 5);
    }));

  test('the servers have no open transaction, and only idle sessions', async () => {
    const states = await three.postgres.psql(
      "select distinct state from pg_stat_activity where application_name like 'Sallyport%'",
    );
    expect(['idle', '']).toContain(states);
    const open = await three.mariadb.ask('select count(*) from information_schema.innodb_trx');
    expect(open.trim()).toBe('0');
  });
});
