/**
 * Threat: an admitted client blocks everybody else with messages that take long to parse: hundreds
 * of thousands of small keys, or endlessly nested lists. The other clients of the built daemon must
 * notice nothing.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BridgeProcess, legacy } from '../bridge/bridge-process.ts';
import { RealHome } from '../bridge/real-home.ts';
import { type Answer, modern, type Sending, send } from '../clients/http/wire.ts';
import { memoryOf } from '../journeys/databases/three-engines.ts';

let home: RealHome;
let bridge: BridgeProcess;
let url: string;
let daemonPid: number;
/** Made once, then released: Node keeps a suite's module as long as the worker lives. */
let mostKeys: Record<string, number> = {};
/**
 * Processor time of the daemon per message: 50, or on a slow machine a fifth of what parsing
 * `mostKeys` takes there.
 */
let mostMilliseconds = 50;
beforeAll(() => {
  mostKeys = keys(600_000);
  const text = JSON.stringify(mostKeys);
  const before = process.cpuUsage();
  JSON.parse(text);
  const { user, system } = process.cpuUsage(before);
  mostMilliseconds = Math.max(50, (user + system) / 5_000);
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
  bridge = home.bridge();
  const { port, pid } = home.handshake() ?? {};
  url = `http://127.0.0.1:${port}/mcp`;
  daemonPid = pid ?? 0;
}, 60_000);
afterAll(() => {
  mostKeys = {};
  home.clean();
});

const mint = async (): Promise<string> =>
  JSON.parse(await home.here('tokens', 'mint', '--name', 'flood', '--json')).token;
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 0]));
/** Of the thread that serves all clients. */
const processorMilliseconds = (): number =>
  Number(readFileSync(`/proc/${daemonPid}/task/${daemonPid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;

const floods: readonly (readonly [string, (token: string) => Sending, number])[] = [
  ['600,000 keys in _meta', token => modern(token, 'tools/list', {}, { meta: mostKeys }), 413],
  ['600,000 keys in params', token => modern(token, 'tools/list', mostKeys), 413],
  ['as many keys as 1 MiB holds', token => modern(token, 'tools/list', {}, { meta: keys(90_000) }), 400],
  ['as many keys as are taken', token => modern(token, 'tools/list', {}, { meta: keys(9_950) }), 200],
  [
    'as many arguments as are taken',
    token => modern(token, 'tools/call', { name: 'list_connections', arguments: keys(9_950) }),
    200,
  ],
  ['lists nested half a million deep', token => ({ ...modern(token, 'tools/list'), body: '['.repeat(1_000_000) }), 400],
];

test.each(floods)(
  '24 messages of %s at once',
  async (_what, message, status) => {
    const token = await mint();
    const neighbour = await mint();
    const sending = message(token);
    const sql =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select max(i * i % 7) from n';
    const id = `running ${_what}`;
    bridge.send(legacy(id, 'tools/call', { name: 'execute_query', arguments: { connection: 'demo', sql } }));
    const before = processorMilliseconds();
    const flood = Promise.all(Array.from({ length: 24 }, () => send(url, sending).catch(() => null)));
    const waits: number[] = [];
    let isOver = false;
    void flood.then(() => {
      isOver = true;
    });
    do {
      const started = performance.now();
      expect((await send(url, modern(neighbour, 'tools/list'))).status).toBe(200);
      waits.push(performance.now() - started);
    } while (!isOver);
    const answers = (await flood).filter((answer): answer is Answer => answer !== null);
    const spent = processorMilliseconds() - before;
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([status]));
    // The limit for each message, and something for the neighbour's requests.
    expect(spent).toBeLessThan(24 * mostMilliseconds + waits.length * 20);
    // Between two long messages others get their turn, so the neighbour doesn't wait for all of
    // them.
    if (status === 200) expect(waits.length).toBeGreaterThan(3);
    expect(home.sallyport('status')).toContain('is running');
    expect((await bridge.answer(id, 60_000)).result?.isError).toBeUndefined();
    expect(memoryOf(daemonPid).peak).toBeLessThan(400);
  },
  120_000,
);

test('12 descriptions at once by one agent are all answered', async () => {
  const token = await mint();
  const described = await Promise.all(
    Array.from({ length: 12 }, () =>
      send(
        url,
        modern(token, 'tools/call', { name: 'describe_table', arguments: { connection: 'demo', table: 'orders' } }),
      ),
    ),
  );
  for (const { status, json } of described) {
    expect([status, json.result?.structuredContent !== undefined]).toEqual([200, true]);
  }
}, 60_000);

test('through the bridge each is an error under its own id that names the limit', async () => {
  for (const [id, params, code, sentence] of [
    ['keys', { arguments: mostKeys }, -33005, /larger than 1048576 bytes/],
    ['fewer keys', { arguments: keys(50_000) }, -32602, /more than 10000 members/],
    ['levels', { arguments: { x: JSON.parse('['.repeat(100) + ']'.repeat(100)) } }, -32602, /more than 64 levels/],
  ] as const) {
    const { error } = await bridge.ask(legacy(id, 'tools/call', { name: 'list_connections', ...params }), 60_000);
    expect([error?.code, error?.message]).toEqual([code, expect.stringMatching(sentence)]);
  }
  bridge.write(`${'['.repeat(4_950_000)}\n`);
  expect((await bridge.ask(legacy('after', 'tools/list'), 60_000)).result).toBeDefined();
}, 120_000);
