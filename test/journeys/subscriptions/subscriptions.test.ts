/**
 * Changes reach real clients: SDK v2 over HTTP and the bridge, and SDK v1 through the bridge, which
 * listens for it.
 */

import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { forgedShell } from '../../attacks/agent-with-a-shell/forged-shell.ts';
import { legacy } from '../../bridge/bridge-process.ts';
import { bridgeCommand, RealHome } from '../../bridge/real-home.ts';
import { listen } from '../../clients/http/event-reader.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { needs } from '../../needs.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { followOnTerminal, missingForFollower } from '../terminal/follower-on-terminal.ts';

let home: RealHome;
let url: string;
let token: string;
let file: string;
const json = async (...words: string[]) => JSON.parse(await home.here(...words, '--json'));

beforeAll(async () => {
  home = new RealHome();
  await json('start');
  await json('settings', 'set', 'limits.requestsPerMinute', '0');
  file = `${home.folder}/shop.db`;
  await json('connections', 'add', file, '--name', 'shop', '--create', '--external-clients', 'read-write');
  ({ token } = await json('tokens', 'mint', '--name', 't', '--scope', 'full-access', '--connections', 'all'));
  url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
}, 60_000);
afterAll(() => home.clean());

const call = (name: string, args: Record<string, unknown>) =>
  send(url, modern(token, 'tools/call', { name, arguments: { connection: 'shop', ...args } }));
const rename = async () => {
  await json('connections', 'set', 'shop', '--name', 'shop-2');
  await json('connections', 'set', 'shop-2', '--name', 'shop');
};

test.each(['HTTP', 'the bridge'])('SDK v2 over %s listens, and hears of the list until it leaves', async way => {
  const client = new Client(
    { name: 'listener', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(
    way === 'HTTP'
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit })
      : new StdioClientTransport({ command: bridgeCommand, env: home.environment, stderr: 'ignore' }),
  );
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
  try {
    const subscription = await client.listen({ resourcesListChanged: true });
    await rename();
    await until(() => heard.includes('list'), 'the list is told of');
    await subscription.close();
    // Once another answer has come, all earlier messages have come too.
    await client.callTool({ name: 'list_connections', arguments: {} });
    const said = heard.length;
    await rename();
    expect((await client.callTool({ name: 'list_connections', arguments: {} })).isError).not.toBe(true);
    expect(heard).toHaveLength(said);
  } finally {
    await client.close();
  }
});

test('SDK v1 through the bridge hears of the list once it asked for it, and can’t subscribe to a resource', async () => {
  const client = new OldClient({ name: 'older', version: '1' });
  await client.connect(new OldTransport({ command: bridgeCommand, env: home.environment, stderr: 'ignore' }));
  let heard = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard++);
  try {
    expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: true });
    await expect(client.subscribeResource({ uri: 'sallyport://connections' })).rejects.toMatchObject({ code: -32601 });
    await client.listResources();
    await until(async () => {
      await rename();
      return heard > 0;
    }, 'the list is told of');
  } finally {
    await client.close();
  }
});

test.each([
  ['v1', 'the bridge'],
  ['v1', 'HTTP'],
  ['v2', 'the bridge'],
])('SDK %s over %s hears that its plan was answered, and reads how', async (kind, way) => {
  const info = { name: `proposer ${kind}`, version: '1' };
  const started = { command: bridgeCommand, env: home.environment, stderr: 'ignore' as const };
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const overHttp = () => new OldHttpTransport(new URL(url), { requestInit }) as Transport;
  const heard: string[] = [];
  const older = new OldClient(info);
  const newer = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  older.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('list'));
  newer.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
  await (kind === 'v1'
    ? older.connect(way === 'HTTP' ? overHttp() : new OldTransport(started))
    : newer.connect(new StdioClientTransport(started)));
  // The two SDKs' types differ; the members called here don't.
  const client = kind === 'v1' ? (older as unknown as Client) : newer;
  const shell = await forgedShell(home.home, 'terminal');
  try {
    if (kind === 'v2') await newer.listen({ resourcesListChanged: true });
    const listed = async () => (await client.listResources()).resources.filter(({ uri }) => uri.includes('answers'));
    expect(await listed()).toEqual([]);
    await until(async () => {
      await rename();
      return heard.length > 0;
    }, 'it listens');
    for (const [answer, word, state] of [
      ['run', 'run', 'done'],
      ['no', 'refused', 'refused'],
    ] as const) {
      const statements = [`create table a_${kind}_${answer} (id int)`, `drop table a_${kind}_${answer}`];
      const plan = { connection: 'shop', statements, reason: 'a try' };
      await client.callTool({ name: 'propose_changes', arguments: plan });
      const { asks } = await shell.ask('desk.open', { ids: [(await json('allow'))[0]?.id] });
      const said = heard.length;
      await shell.ask('desk.decide', { ids: asks.map(({ id }) => id), answer });
      await until(() => heard.length > said, 'the client is told');
      const last = (await listed()).at(-1);
      expect(last?.title).toMatch(new RegExp(`^shop: what was asked at \\d\\d:\\d\\d was ${word}$`));
      const { contents } = await client.readResource({ uri: last?.uri ?? '' });
      const [content] = contents as { text: string }[];
      expect(JSON.parse(content?.text ?? '')).toMatchObject({ connection: 'shop', state });
    }
  } finally {
    shell.close();
    await client.close();
  }
});

test('a bridge listens only for a client that asked for the list, and listens again with the next daemon', async () => {
  const bridge = home.bridge();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'older', version: '1' } };
  await bridge.ask(legacy(1, 'initialize', params));
  const listChanges = () => bridge.lines.filter(line => line.includes('resources/list_changed')).length;
  await rename();
  await bridge.ask(legacy(2, 'resources/list'));
  await until(async () => {
    await rename();
    return listChanges() > 0;
  }, 'it listens');
  await json('stop');
  await json('start');
  const said = listChanges();
  expect((await bridge.ask(legacy(3, 'tools/list'))).result).toBeDefined();
  await until(() => listChanges() > said, 'what may have been missed is told');
  url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
}, 30_000);

needs(missingForFollower()).test(
  'an approved first use adds the connection to the list, only for the client that asked',
  async () => {
    await json('connections', 'add', file, '--name', 'asked', '--ai-policy', 'ask');
    const minted = await json('tokens', 'mint', '--name', 'other', '--scope', 'read-only');
    const [asking, other] = [
      await listen(url, token, { resourcesListChanged: true }),
      await listen(url, minted.token, { resourcesListChanged: true }),
    ];
    const spawnProgram = (program: string, words: readonly string[]) =>
      spawn(program, words, { env: home.environment });
    const answering = await followOnTerminal({ spawnProgram });
    try {
      const answer = call('list_tables', { connection: 'asked' });
      await until(async () => {
        const [question] = await json('allow');
        if (question !== undefined) await json('allow', 'yes', question.id);
        return question !== undefined;
      }, 'the question is answered');
      expect((await answer).json.result?.isError).not.toBe(true);
      await until(() => asking.heard.length === 2, 'who asked is told');
      expect(asking.words().at(-1)).toBe('resources/list_changed');
      expect(other.words()).toEqual(['subscriptions/acknowledged']);
    } finally {
      await answering.end();
      asking.leave();
      other.leave();
    }
  },
);

test('a request for nothing of ours is answered at once', async () => {
  const reader = await listen(url, token, {
    toolsListChanged: true,
    resourceSubscriptions: ['sallyport://connections'],
  });
  await until(() => reader.isOver(), 'it is over');
  expect(reader.words()).toEqual(['subscriptions/acknowledged', 'result']);
});

test('a stop doesn’t wait for listeners', async () => {
  const reader = await listen(url, token, { resourcesListChanged: true });
  const start = performance.now();
  await json('stop');
  expectWithin(start, 2_500);
  expect(reader.words().at(-1)).toBe('result');
});
