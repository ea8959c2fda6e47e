/**
 * Pairing over the control socket (spec §10, §11): what a shell gets to draw, whose request it is,
 * what a decision answers.
 */

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { linkFaultSentences } from '../../daemon/access/pairing/pairing-link.ts';
import type { ControlNotification } from '../../shared/control.ts';
import type { AskView } from '../../shared/control-commands.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { until } from '../waiting/until.ts';
import { postgresAt, shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { askedIn } from './desk-pushes.ts';
import { rawPeer, request } from './raw-peer.ts';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let daemon: DaemonInProcess;
let shell: ControlClient;
const shells: ControlClient[] = [];
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await connect();
});
afterEach(async () => {
  for (const connected of shells.splice(0)) connected.close();
  expect(daemon.reported).toEqual([]);
  await daemon.end();
});

async function connect(): Promise<ControlClient> {
  const connected = await shellOf(daemon);
  shells.push(connected);
  return connected;
}

function linkWith(changes: Record<string, string> = {}): string {
  const items = { client: 'Ed', challenge, redirect: 'http://127.0.0.1:8123/cb', scopes: 'readWrite', ...changes };
  return `sallyport://integrations/pair?${new URLSearchParams(items)}`;
}
const begin = (changes: Record<string, string> = {}, by = shell): Promise<AskView> =>
  by.ask('pairing.begin', { link: linkWith(changes), handler: null });
const approve = (id: string, connections: 'all' | string[] = 'all') =>
  shell.ask('desk.decide', { ids: [id], answer: 'yes', grant: { scope: 'readOnly', connections, expires: 7 } });
const add = (name: string, more: object = {}) =>
  shell.ask('connections.save', { name, endpoint: postgresAt('127.0.0.1'), ...more });

/** @returns how often the server was started for this run. */
function switchOff(): { readonly starts: number } {
  const status = daemon.ports.status();
  Object.assign(daemon.ports, { status: () => ({ ...status, state: 'off' }) });
  const counted = { starts: 0 };
  daemon.serve = () => {
    counted.starts++;
    return null;
  };
  return counted;
}

describe('a request to draw', () => {
  test('names who asks, who gets the code, and what could be given', async () => {
    const shop = await add('Shop');
    const hidden = await add('Hidden', { aiPolicy: 'never' });
    const view = await begin({ client: ' Ed\u202e ', 'connection-ids': `${shop.id},${daemon.ports.newId()}` });
    expect(view).toEqual({
      id: expect.stringMatching(/^[a-z2-9]{8}$/),
      kind: 'pairing',
      title: { text: expect.stringMatching(/^Pair this client/), parts: [{ code: expect.anything(), values: [] }] },
      waits: true,
      client: 'Ed\u202e',
      token: null,
      connection: null,
      lacks: null,
      runsBy: null,
      means: null,
      statement: null,
      sentence: null,
      facts: [
        expect.objectContaining({ label: 'Calls itself', value: 'Ed\u202e', isClaim: true }),
        expect.objectContaining({ label: 'Code goes to', value: 'http://127.0.0.1:8123/cb' }),
        expect.objectContaining({ label: 'Taken by', value: 'node (process 4242)' }),
      ],
      pairing: {
        redirect: { address: 'http://127.0.0.1:8123/cb', receiver: 'node (process 4242)', kind: 'loopback' },
        scope: 'readWrite',
        ticked: [shop.id],
        connections: [
          { id: hidden.id, name: 'Hidden', engine: 'postgres', externalClients: 'blocked' },
          { id: shop.id, name: 'Shop', engine: 'postgres', externalClients: 'readOnly' },
        ],
        expires: 30,
        hasTurn: true,
        serverStarted: false,
      },
      answers: ['yes', 'no'],
      times: 1,
      askedAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-11-20T12:05:00.000Z',
    });
  });

  test('ticks none if the ids name nothing, and says if an approval starts the server', async () => {
    switchOff();
    const view = await begin({ 'connection-ids': daemon.ports.newId() });
    expect(view).toMatchObject({ pairing: { ticked: [], serverStarted: true } });
  });

  test('may go to the app that the shell found for exactly that scheme, and to no other', async () => {
    const link = linkWith({ redirect: 'editor.app://done' });
    const handled = { scheme: 'Editor.App', app: 'Editor' };
    const view = await shell.ask('pairing.begin', { link, handler: handled });
    expect(view.pairing?.redirect).toEqual({ address: 'editor.app://done', receiver: 'Editor', kind: 'app' });
    const local = linkFaultSentences.redirect_not_local;
    for (const handler of [null, { scheme: 'editor', app: 'Editor' }]) {
      await expect(shell.ask('pairing.begin', { link, handler })).rejects.toMatchObject({
        code: -33007,
        message: local,
      });
    }
    expect(daemon.recorded.at(-1)).toMatchObject({ outcome: 'denied', reason: 'redirect_not_local' });
  });

  test('of a client called like the bridge is refused, since its token would be too', async () => {
    await expect(begin({ client: '__STDIO_bridge__' })).rejects.toThrow(/name of Sallyport's own bridge/);
  });
});

describe('a decision', () => {
  test('to approve gives exactly what was chosen, to nobody yet', async () => {
    const shop = await add('Shop');
    const { id } = await begin({ state: 'a&b' });
    const answer = await approve(id, ['Shop']);
    expect(answer.address).toMatch(/^http:\/\/127\.0\.0\.1:8123\/cb\?code=[0-9a-f-]{36}&state=a%26b$/);
    const [token] = (await shell.ask('tokens.list', {})).tokens;
    expect(token).toMatchObject({
      id: answer.token,
      name: 'Ed',
      client: 'Ed',
      scope: 'readOnly',
      state: 'uncollected',
    });
    expect(token).toMatchObject({ connections: [{ id: shop.id, name: 'Shop' }], confirmInClient: false });
    expect(token?.expiresAt).toBe('2026-11-27T12:00:00.000Z');
    expect(JSON.stringify([...daemon.secrets])).not.toContain(String(answer.token));
    expect(daemon.recorded.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['connection.add', 'success'],
      ['pairing.begin', 'success'],
      ['pairing.decide', 'success'],
      ['access.state', 'success'],
    ]);
  });

  test('to deny answers so, and is recorded as one', async () => {
    const { id } = await begin();
    expect(await shell.ask('desk.decide', { ids: [id], answer: 'no' })).toEqual({
      ids: [id],
      answer: 'no',
      ran: [],
      said: [],
      problem: null,
      address: 'http://127.0.0.1:8123/cb?error=denied&error_description=user_denied',
      token: null,
    });
    expect(daemon.recorded.at(-1)).toMatchObject({ action: 'pairing.decide', outcome: 'denied', client: 'Ed' });
  });

  test('to approve starts a server that is switched off, and nothing else does', async () => {
    const counted = switchOff();
    await shell.ask('desk.decide', { ids: [(await begin()).id], answer: 'no' });
    await shell.ask('desk.decide', { ids: [(await begin()).id], answer: 'close' });
    // Not a no of the person.
    expect(daemon.recorded.at(-1)).toMatchObject({ action: 'pairing.decide', reason: 'the sheet was closed' });
    const { id } = await begin();
    await expect(approve(id, ['Nope'])).rejects.toMatchObject({
      data: { code: 'unknown_connection', values: { connection: 'Nope' } },
    });
    daemon.now += 300_000;
    await expect(approve(id)).rejects.toThrow(/its five minutes have passed/);
    expect(counted.starts).toBe(0);
    await approve((await begin()).id);
    expect(counted.starts).toBe(1);
  });

  test('to approve gives nothing if the server can’t be started', async () => {
    daemon.serve = () => 'Nothing was changed: port 27432 belongs to nginx.';
    await expect(approve((await begin()).id)).rejects.toThrow(
      'The server could not be started for this pairing, so nothing was sent; start again in the client. Nothing was changed: port 27432 belongs to nginx.',
    );
    expect(daemon.pairings.open()).toEqual([]);
    expect((await shell.ask('tokens.list', {})).tokens).toEqual([]);
    expect(daemon.recorded.at(-1)).toMatchObject({ action: 'pairing.decide', outcome: 'denied', client: 'Ed' });
  });

  test('with no connection, or an unknown one, decides nothing', async () => {
    const { id } = await begin();
    await expect(approve(id, [])).rejects.toMatchObject({ code: -32602 });
    await expect(approve(id, ['Nope'])).rejects.toMatchObject({
      data: { code: 'unknown_connection', values: { connection: 'Nope' } },
    });
    expect((await approve(id)).token).not.toBeNull();
  });

  test('counts once, and no longer five minutes after the request', async () => {
    const { id } = await begin();
    await approve(id);
    await expect(approve(id)).rejects.toThrow(/not open any more/);
    const late = await begin();
    daemon.now += 300_000;
    await expect(approve(late.id)).rejects.toThrow(/its five minutes have passed. Nothing was sent/);
    expect((await shell.ask('tokens.list', {})).tokens).toHaveLength(1);
    expect(daemon.recorded.at(-1)).toMatchObject({ outcome: 'denied' });
  });
});

describe('sheets', () => {
  test('wait for the open one, at most three, and hear their turn', async () => {
    const others = await Promise.all([connect(), connect()]);
    const heard: ControlNotification[] = [];
    others[1]?.onNotification(notification => heard.push(notification));
    const first = await begin();
    const second = await begin({}, others[0]);
    const third = await begin({}, others[1]);
    const fourth = await begin();
    expect([first, second, third, fourth].map(({ pairing }) => pairing?.hasTurn)).toEqual([true, false, false, false]);
    await expect(begin()).rejects.toThrow('Another pairing request is open and 3 more wait');
    await shell.ask('desk.decide', { ids: [first.id], answer: 'close' });
    others[0]?.close();
    await until(() => heard.length > 0, 'its turn');
    // Nothing of the others' requests.
    expect(heard.flatMap(askedIn)).toEqual([{ ...third, pairing: { ...third.pairing, hasTurn: true } }]);
  });

  test('end with their shell: nothing can be decided about them any more', async () => {
    const other = await connect();
    const { id } = await begin({}, other);
    other.close();
    await until(() => daemon.pairings.open().length === 0, 'the request is gone');
    await expect(approve(id)).rejects.toThrow(/no longer waits/);
  });

  test('are their shell’s: another sees no request of it, and decides nothing about one', async () => {
    const other = await connect();
    const { id } = await begin({}, other);
    expect((await shell.ask('desk.list', {})).asks).toEqual([]);
    await expect(approve(id)).rejects.toThrow(/no longer waits/);
    for (const answer of ['no', 'close'] as const)
      await expect(shell.ask('desk.decide', { ids: [id], answer })).rejects.toMatchObject({ code: expect.any(Number) });
    expect((await other.ask('desk.list', {})).asks).toMatchObject([{ id, kind: 'pairing' }]);
  });
});

test('revoking or deleting the token ends its code too', async () => {
  for (const method of ['tokens.revoke', 'tokens.delete'] as const) {
    const answer = await approve((await begin()).id);
    await shell.ask(method, { id: String(answer.token) });
    const code = new URL(answer.address ?? '').searchParams.get('code') ?? '';
    expect(daemon.pairings.redeem(code, verifier)).toEqual({ kind: 'code_not_found' });
  }
});

test.each<[string, unknown]>([
  ['pairing.begin', {}],
  ['pairing.begin', { link: linkWith() }],
  ['pairing.begin', { link: linkWith(), handler: 'Editor' }],
  ['pairing.begin', { link: 'x'.repeat(70_000), handler: null }],
  ['desk.decide', { ids: ['x'] }],
  ['desk.decide', { ids: ['x'], answer: 'maybe' }],
  ['desk.decide', { ids: ['x'], answer: 'yes', grant: { scope: 'readOnly', connections: 'all' } }],
  ['desk.decide', { ids: ['x'], answer: 'no', scope: 'readOnly' }],
])('%s in another form gets -32602 (%#)', async (method, params) => {
  await expect(shell.ask(method as 'desk.decide', params as never)).rejects.toMatchObject({ code: -32602 });
});

test('a program without the proof of a shell can neither start, decide nor close', async () => {
  const { id } = await begin();
  for (const [method, params] of [
    ['pairing.begin', { link: linkWith(), handler: null }],
    ['desk.decide', { ids: [id], answer: 'yes', grant: { scope: 'fullAccess', connections: 'all', expires: 'never' } }],
    ['desk.decide', { ids: [id], answer: 'close' }],
  ] as const) {
    const peer = await rawPeer(daemon.socketPath);
    peer.send(request(method, params));
    expect(await peer.next()).toMatchObject({ error: { code: -33009 } });
    peer.end();
  }
  expect(daemon.pairings.open().map(pairing => pairing.id)).toEqual([id]);
  expect((await shell.ask('tokens.list', {})).tokens).toEqual([]);
});
