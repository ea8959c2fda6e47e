/**
 * Settings, off, pause and lockouts with the built commands, the built bridge and the real daemon.
 */

import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { modern } from '../../bridge/bridge-process.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { type Answer, modern as overHttp, send } from '../../clients/http/wire.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { busyChildrenOf } from '../databases/three-engines.ts';

let home: RealHome;
const holders: Server[] = [];
afterEach(async () => {
  for (const holder of holders.splice(0)) await new Promise(resolve => holder.close(resolve));
  await home.clean();
});

const list = (id: number) => modern(id, 'tools/list');
const statusNow = async (): Promise<Record<string, unknown>> => JSON.parse(await home.here('status', '--json'));
const http = (token: string, port = home.handshake()?.port ?? 0): Promise<Answer> =>
  send(`http://127.0.0.1:${port}/mcp`, overHttp(token, 'tools/list'));
const codeOf = async (token: string): Promise<unknown> => (await http(token)).json.error?.code ?? 'let in';
const mint = async (name: string): Promise<{ id: string; token: string }> =>
  JSON.parse(await home.here('tokens', 'mint', '--name', name, '--json'));
const guess = (number: number): string => `sp_${String(number).padStart(43, 'G')}`;

/** The result of a command that must fail. */
function refusal(...words: string[]): { readonly code: number; readonly sentence: string } {
  try {
    home.sallyport(...words);
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { code: status, sentence: String(stderr) };
  }
  throw new Error(`${words.join(' ')} was not refused`);
}

function hold(port: number): Promise<number> {
  const holder = createServer();
  holders.push(holder);
  return new Promise((resolve, reject) => {
    holder.once('error', reject);
    holder.listen(port, '127.0.0.1', () => resolve((holder.address() as { port: number }).port));
  });
}

async function release(): Promise<void> {
  for (const holder of holders.splice(0)) await new Promise(resolve => holder.close(resolve));
}

test('a setting is listed, read, changed at once, stored, and refused with what it accepts', async () => {
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
  const bridge = home.bridge();
  const count = async (id: number): Promise<unknown> => {
    const sql = 'SELECT * FROM orders';
    const asked = modern(id, 'tools/call', {
      name: 'execute_query',
      arguments: { connection: 'Demo', sql, max_bytes: 262_144 },
    });
    const { result } = await bridge.ask(asked);
    return (result?.structuredContent as { rows?: readonly unknown[] } | undefined)?.rows?.length;
  };
  expect(await count(1)).toBe(500);
  expect(home.sallyport('settings', 'get', 'results.defaultRows')).toBe('500\n');
  expect(home.sallyport('settings', 'set', 'results.defaultRows', '3')).toBe('results.defaultRows is 3.\n');
  expect(await count(2)).toBe(3);
  expect(home.sallyport('settings', 'list')).toMatch(/^results\.defaultRows +3 +500 +rows given/m);

  await home.end('SIGKILL');
  expect(await count(3)).toBe(3);
  expect(JSON.parse(home.sallyport('settings', 'get', 'results.defaultRows', '--json'))).toMatchObject({ value: 3 });

  const key = refusal('settings', 'set', 'result.rows', '3');
  expect(key).toEqual({ code: 2, sentence: expect.stringContaining('there are port, port.fallback, enabled,') });
  const value = refusal('settings', 'set', 'results.defaultRows', 'many');
  expect(value).toEqual({ code: 2, sentence: expect.stringContaining('takes a whole number of rows from 1 to 10000') });
}, 60_000);

test('switched off, the bridge says so at once and starts nothing; switched on, the same bridge works again', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  expect((await bridge.ask(list(1))).error).toBeUndefined();
  await home.moveToOwnPort();
  const before = home.handshake();
  await home.here('settings', 'set', 'enabled', 'false');
  expect(home.handshake()).toBeNull();
  const fresh = home.bridge();
  const began = performance.now();
  for (const [id, asked] of [
    [2, bridge],
    [3, fresh],
  ] as const) {
    const { error } = await asked.ask(list(id));
    expect([error?.code, error?.message]).toEqual([-33006, expect.stringContaining('switched off')]);
  }
  // Far less than the 10 s that a missing daemon is waited for.
  expectWithin(began, 5_000);
  expect(home.daemons()).toHaveLength(1);
  await expect(http(before?.token ?? '', before?.port)).rejects.toThrow('ECONNREFUSED');
  expect(await statusNow()).toMatchObject({ state: 'off', port: null });

  // Off stays off, whoever starts the daemon.
  await home.end('SIGKILL');
  const { error } = await fresh.ask(list(4));
  expect(error?.code).toBe(-33006);

  await home.here('settings', 'set', 'enabled', 'true');
  for (const asked of [bridge, fresh]) expect((await asked.ask(list(5))).error).toBeUndefined();
  expect(home.handshake()?.token).not.toBe(before?.token);
}, 60_000);

test('switched off during a query, the query ends and its client hears why', async () => {
  home = new RealHome();
  home.sallyport('start');
  await home.here('demo');
  const bridge = home.bridge();
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  bridge.send(modern(1, 'tools/call', { name: 'execute_query', arguments: { connection: 'Demo', sql } }));
  const daemon = home.handshake()?.pid ?? 0;
  await until(async () => (await busyChildrenOf(daemon)).length > 0, 'the statement runs');
  await home.here('settings', 'set', 'enabled', 'false');
  expect((await bridge.answer(1)).error?.code).toBe(-33006);
}, 60_000);

test('paused, each client is refused until resume, over a restart too', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  await bridge.ask(list(1));
  const { token } = await mint('Editor');
  await home.here('pause');
  expect((await bridge.ask(list(2))).error).toMatchObject({ code: -33006, message: expect.stringContaining('paused') });
  expect((await http(token)).status).toBe(503);
  expect(await statusNow()).toMatchObject({ state: 'paused' });
  expect(await home.here('status')).toContain('is running, but paused');

  home.sallyport('stop');
  expect(home.sallyport('start')).toContain(', paused).');
  expect((await bridge.ask(list(3))).error?.code).toBe(-33006);
  await home.here('resume');
  expect((await bridge.ask(list(4))).error).toBeUndefined();
  expect((await http(token)).status).toBe(200);
}, 60_000);

test('another port is served at once, and the bridge follows', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  await bridge.ask(list(1));
  const former = await home.moveToOwnPort();
  const port = await home.moveToOwnPort();
  expect((await bridge.ask(list(2))).error).toBeUndefined();
  await expect(http('x', former)).rejects.toThrow('ECONNREFUSED');
  await home.end('SIGKILL');
  expect((await bridge.ask(list(3))).error).toBeUndefined();
  expect(home.handshake()?.port).toBe(port);
}, 60_000);

test('a taken port is reported with its holder; without fallback nobody is served, and settings stay reachable', async () => {
  home = new RealHome();
  home.sallyport('start');
  const port = await hold(0);
  await home.here('settings', 'set', 'port', String(port));
  const status = await home.here('status');
  expect(status.replace(/\s+/g, ' ')).toMatch(
    new RegExp(`Port ${port} belongs to \\S+ \\(process ${process.pid}\\), so HTTP`),
  );
  expect(refusal('settings', 'set', 'port.fallback', 'false').sentence).toContain(`port ${port} belongs to`);

  await release();
  await home.here('settings', 'set', 'port', String(port));
  expect(await statusNow()).toMatchObject({ port });
  await home.here('settings', 'set', 'port.fallback', 'false');
  home.sallyport('stop');
  await hold(port);
  const refused = refusal('start');
  expect(refused.code).toBe(1);
  expect(refused.sentence).toMatch(
    new RegExp(`Port ${port} belongs to \\S+ \\(process ${process.pid}\\), and port.fallback is false, so no`),
  );
  // Clients have nowhere to send their token, and the person can still change the setting that
  // causes it.
  expect([home.handshake(), home.daemons().length]).toEqual([null, 1]);
  expect(await statusNow()).toMatchObject({ state: 'off', port: null });
  const bridge = home.bridge();
  expect((await bridge.ask(list(1))).error).toMatchObject({ code: -33006 });
  expect(refusal('settings', 'set', 'port.fallback', 'false').sentence).toContain(`port ${port} belongs to`);
  await home.here('settings', 'set', 'port.fallback', 'true');
  expect(await statusNow()).toMatchObject({ state: 'ready', port: expect.any(Number) });
  expect((await bridge.ask(list(2))).error).toBeUndefined();

  await release();
  await home.here('settings', 'set', 'port', String(port));
  expect(await statusNow()).toMatchObject({ port });
}, 60_000);

describe('guessing', () => {
  test('the sixth bad token is locked out, but no valid one, new or used before', async () => {
    home = new RealHome();
    const bridge = home.bridge();
    await bridge.ask(list(1));
    const used = await mint('Used');
    const fresh = await mint('Fresh');
    expect(await codeOf(used.token)).toBe('let in');
    for (let number = 0; number < 5; number++) expect(await codeOf(guess(number))).toBe(-33009);
    const sixth = await http(guess(6));
    expect([sixth.status, sixth.json.error?.code]).toEqual([429, -33010]);
    const wait = Number(sixth.headers['retry-after']);
    expect(wait).toBeGreaterThan(240);
    expect(wait).toBeLessThanOrEqual(300);
    expect(await codeOf(used.token)).toBe('let in');
    expect(await codeOf(fresh.token)).toBe('let in');
    expect((await bridge.ask(list(2))).error).toBeUndefined();
    expect((await home.bridge().ask(list(3))).error).toBeUndefined();

    // A restart clears the lockout; a token's use is remembered over restarts.
    home.sallyport('stop');
    home.sallyport('start');
    expect(await codeOf(guess(1))).toBe(-33009);
    for (let number = 0; number < 5; number++) await http(guess(number));
    expect(await codeOf(used.token)).toBe('let in');
    expect(await codeOf(fresh.token)).toBe('let in');
    const listed: { name: string; lastUsedAt: string | null }[] = JSON.parse(
      await home.here('tokens', 'list', '--json'),
    );
    expect(listed.map(({ name, lastUsedAt }) => [name, lastUsedAt === null])).toEqual([
      ['Used', false],
      ['Fresh', false],
    ]);
  }, 60_000);

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'the bridge tokens of earlier runs (%s) don’t count as guesses',
    async signal => {
      home = new RealHome();
      const dead: string[] = [];
      for (let run = 0; run < 3; run++) {
        home.sallyport('start');
        dead.push(home.handshake()?.token ?? '');
        await home.end(signal);
      }
      home.sallyport('start');
      const fresh = await mint('Fresh');
      for (let time = 0; time < 4; time++) for (const token of dead) expect(await codeOf(token)).toBe(-33009);
      expect(await codeOf(fresh.token)).toBe('let in');
    },
    60_000,
  );
});

test('limits changed by a setting apply to the next request', async () => {
  home = new RealHome();
  home.sallyport('start');
  const { token } = await mint('Editor');
  await home.here('settings', 'set', 'limits.requestsPerMinute', '2');
  expect([await codeOf(token), await codeOf(token), await codeOf(token)]).toEqual(['let in', 'let in', -33010]);
  await home.here('settings', 'set', 'limits.requestsPerMinute', '0');
  for (let time = 0; time < 300; time++) expect(await codeOf(token)).toBe('let in');
}, 60_000);
