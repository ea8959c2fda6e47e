/**
 * Six clients' bridges wake at once after the daemon died or restarted: each is answered again,
 * none is locked out, and a client over HTTP notices nothing. Built commands only. A lockout would
 * first stop a token that was never used (spec §13), so such a token, made earlier, proves that
 * there was none.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type BridgeProcess, modern } from '../../bridge/bridge-process.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { modern as overHttp, send } from '../../clients/http/wire.ts';
import { until } from '../../waiting/until.ts';

let home: RealHome;
let bridges: readonly BridgeProcess[];
let port: number;
/** A token in use at the start, and tokens that are each used once. */
let working: string;
let fresh: string[];
let asked = 0;

const mint = async (name: string): Promise<string> =>
  JSON.parse(await home.here('tokens', 'mint', '--name', name, '--json')).token;
const http = (token: string) => send(`http://127.0.0.1:${port}/mcp`, overHttp(token, 'tools/list'));

const callAll = (timeoutMilliseconds = 40_000) => {
  asked += 1;
  const call = modern(asked, 'tools/call', { name: 'list_connections', arguments: {} });
  return Promise.all(bridges.map(bridge => bridge.ask(call, timeoutMilliseconds)));
};

async function everybodyIsServed(): Promise<void> {
  const answers = await callAll();
  expect(answers.map(({ error }) => error)).toEqual(bridges.map(() => undefined));
  expect((await http(working)).status).toBe(200);
  const never = fresh.pop();
  if (never === undefined) throw new Error('No token is left that was never used.');
  expect((await http(never)).status).toBe(200);
}

const lockouts = async (): Promise<readonly { readonly reason: string | null }[]> => {
  const rows: { readonly reason: string | null }[] = JSON.parse(
    await home.here('activity', '--category', 'auth', '--json'),
  );
  return rows.filter(({ reason }) => reason === 'locked out' || reason === 'an unknown token');
};

beforeEach(async () => {
  home = new RealHome();
  home.sallyport('start');
  // Each later daemon takes it again, as in a real home.
  port = await home.moveToOwnPort();
  working = await mint('working');
  fresh = [await mint('never used 1'), await mint('never used 2'), await mint('never used 3')];
  expect((await http(working)).status).toBe(200);
  bridges = Array.from({ length: 6 }, () => home.bridge());
  const answers = await callAll();
  expect(answers.map(({ error }) => error)).toEqual(bridges.map(() => undefined));
}, 60_000);
afterEach(() => home.clean());

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the daemon ends by %s and is started again',
  async signal => {
    const before = home.handshake();
    for (let round = 0; round < 3; round++) {
      await home.end(signal);
      home.sallyport('start');
      expect(home.handshake()?.port).toBe(port);
      await everybodyIsServed();
    }
    expect(home.handshake()?.instance).not.toBe(before?.instance);
    expect(await lockouts()).toEqual([]);
  },
  120_000,
);

test('the daemon is killed and nobody starts it: the six do, and there is one daemon', async () => {
  await home.end('SIGKILL');
  await everybodyIsServed();
  await until(() => home.daemons().length === 1, 'one daemon is left');
  expect(home.daemons()).toEqual([home.handshake()?.pid]);
  expect(await lockouts()).toEqual([]);
}, 120_000);

test('they sleep through the restart, with questions waiting in their pipes', async () => {
  for (const { child } of bridges) child.kill('SIGSTOP');
  const answered = callAll();
  await home.end('SIGKILL');
  home.sallyport('start');
  for (const { child } of bridges) child.kill('SIGCONT');
  expect((await answered).map(({ error }) => error)).toEqual(bridges.map(() => undefined));
  await everybodyIsServed();
  expect(await lockouts()).toEqual([]);
}, 120_000);

test('six programs keep sending the dead token, ten times each: they get -33009, and nobody else notices', async () => {
  const dead: string[] = [];
  for (let run = 0; run < 3; run++) {
    dead.push(home.handshake()?.token ?? '');
    // Killed, so it can't say what it leaves behind.
    await home.end('SIGKILL');
    home.sallyport('start');
  }
  const sent = Array.from({ length: 60 }, (_, number) => http(dead[number % dead.length] ?? ''));
  for (const { status, json } of await Promise.all(sent)) {
    expect({ status, code: json.error?.code }).toEqual({ status: 401, code: -33009 });
  }
  await everybodyIsServed();
  expect(await lockouts()).toEqual([]);
}, 120_000);

test('a guesser is locked out, the six and the known client continue over a restart, and the lockout ends with the run', async () => {
  const guess = (number: number): string => `sp_${String(number).padStart(43, 'G')}`;
  const statuses: number[] = [];
  for (let number = 0; number < 6; number++) statuses.push((await http(guess(number))).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const locked = await http(guess(6));
  const left = Number(locked.headers['retry-after']);
  expect([locked.status, left > 240 && left <= 300]).toEqual([429, true]);
  expect((await http(fresh.at(-1) ?? '')).status).toBe(200);
  expect((await callAll()).every(({ error }) => error === undefined)).toBe(true);
  expect((await http(working)).status).toBe(200);
  // A lockout is recorded, so the other tests would find one.
  expect(await lockouts()).toHaveLength(5);
  await home.end('SIGTERM');
  home.sallyport('start');
  await everybodyIsServed();
}, 120_000);
