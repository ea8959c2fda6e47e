/** Each kind of client, through the built bridge to the real daemon. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type JSONRPCMessage, type Progress, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { legacy, modern } from '../../bridge/bridge-process.ts';
import { bridgeCommand, RealHome } from '../../bridge/real-home.ts';
import { whileWritten } from '../../engines/sqlite/while-written.ts';
import { here } from '../../waiting/limits.ts';

const beyondDoubles = '9007199254740993';
const query = {
  name: 'execute_query',
  arguments: { connection: 'demo', sql: `SELECT id FROM payments WHERE id = ${beyondDoubles}` },
};

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

let home: RealHome;
beforeAll(() => {
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
});
afterAll(() => home.clean());

const demoFile = () => join(home.home, 'demo.db');

function connectionName(listed: unknown): string {
  const { structuredContent } = listed as { structuredContent: { connections: { name: string }[] } };
  return structuredContent.connections[0]?.name ?? '';
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  readResource(params: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>;
  complete(params: unknown): Promise<unknown>;
}

async function listDescribeAndQuery(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(tool => tool.name)).toContain('execute_query');
  const connection = connectionName(await client.callTool({ name: 'list_connections', arguments: {} }));
  const described = await client.callTool({ name: 'describe_table', arguments: { connection, table: 'payments' } });
  expect(JSON.stringify(described)).toContain('order_id');
  const answer = await client.callTool({ ...query, arguments: { ...query.arguments, connection } });
  expect(answer).toMatchObject({ structuredContent: { rows: [[beyondDoubles]] } });
  await readGetAndComplete(client, connection);
}

async function readGetAndComplete(client: AnyClient, connection: string): Promise<void> {
  const { resources } = await client.listResources();
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(5);
  for (const { uri } of resources) expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri }] });
  await expect(client.readResource({ uri: 'sallyport://nowhere' })).rejects.toMatchObject({ code: -32602 });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toContain('explain_table');
  const got = await client.getPrompt({ name: 'explain_table', arguments: { connection, table: 'payments' } });
  expect(JSON.stringify(got)).toContain('order_id');
  const completed = await client.complete({
    ref: { type: 'ref/prompt', name: 'explain_table' },
    argument: { name: 'table', value: 'pay' },
    context: { arguments: { connection } },
  });
  expect(JSON.stringify(completed)).toContain('payments');
}

describe('a client of SDK v2', () => {
  const modes: [string, ClientOptions, string][] = [
    ['pinned to 2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
    ['that probes', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
    ['of the older era', {}, '2025-11-25'],
    ['that speaks 2025-06-18 alone', { supportedProtocolVersions: ['2025-06-18'] }, '2025-06-18'],
    // It is offered a version that it didn't ask for, and accepts it.
    ['that would rather speak 2025-03-26', { supportedProtocolVersions: ['2025-03-26', '2025-11-25'] }, '2025-11-25'],
    ['that would rather speak 2024-11-05', { supportedProtocolVersions: ['2024-11-05', '2025-11-25'] }, '2025-11-25'],
  ];
  test.each(modes)('%s', async (_, options, version) => {
    const client = new Client({ name: 'journey', version: '1' }, options);
    await client.connect(new StdioClientTransport({ command: bridgeCommand, env: home.environment, stderr: 'ignore' }));
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getServerVersion()?.name).toBe('sallyport');
      expect(client.getInstructions()).toContain('list_connections');
      await listDescribeAndQuery(client as AnyClient);
    } finally {
      await client.close();
    }
  });
});

test('a client of SDK v2 that accepts nothing newer than 2025-03-26 hears what exists, and gives up', async () => {
  const client = new Client({ name: 'journey', version: '1' }, { supportedProtocolVersions: ['2025-03-26'] });
  const transport = new StdioClientTransport({ command: bridgeCommand, env: home.environment, stderr: 'ignore' });
  await expect(client.connect(transport)).rejects.toThrow('2025-11-25');
  await client.close();
});

/**
 * SDK v1 always asks for its newest version. Its older releases asked for theirs, and accepted any
 * they knew.
 */
class OldReleaseTransport extends OldTransport {
  readonly asks: string;

  constructor(asks: string) {
    super({ command: bridgeCommand, env: home.environment, stderr: 'ignore' });
    this.asks = asks;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || message.method !== 'initialize') return super.send(message);
    return super.send({ ...message, params: { ...message.params, protocolVersion: this.asks } });
  }
}

test.each(SUPPORTED_PROTOCOL_VERSIONS)(
  'a client of SDK v1 that asks for %s',
  async asked => {
    const client = new OldClient({ name: 'journey', version: '1' });
    const told: Progress[] = [];
    await client.connect(new OldReleaseTransport(asked));
    try {
      expect(client.getServerCapabilities()).toEqual({
        tools: { listChanged: false },
        resources: { listChanged: true },
        prompts: {},
        completions: {},
      });
      await listDescribeAndQuery(client as AnyClient);
      await client.ping();
      const enough = new AbortController();
      const onprogress = (progress: Progress): void => {
        told.push(progress);
        enough.abort('enough');
      };
      const options = { onprogress, signal: enough.signal, timeout: here(90_000) };
      await whileWritten(demoFile(), () =>
        expect(client.callTool(query, undefined, options)).rejects.toThrow('enough'),
      );
      expect(told[0]?.message).toMatch(/^running for /);
    } finally {
      await client.close();
    }
  },
  120_000,
);

test('raw lines as Claude Code sends them: the probe is answered, the call goes through', async () => {
  const bridge = home.bridge();
  const discovered = await bridge.ask(modern(0, 'server/discover'));
  expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'] });
  const listed = await bridge.ask(modern(1, 'tools/call', { name: 'list_connections', arguments: {} }));
  const connection = connectionName(listed.result);
  bridge.send(modern(2, 'tools/call', { ...query, arguments: { ...query.arguments, connection } }));
  expect(await bridge.line(message => message.id === 2)).toContain(beyondDoubles);
});

test.each(['2025-06-18', '2025-11-25'])('raw lines as Codex sends them, with %s', async protocolVersion => {
  const bridge = home.bridge();
  const clientInfo = { name: 'codex-mcp-client', version: '0.165.0', title: 'Codex' };
  const params = { protocolVersion, capabilities: { elicitation: {} }, clientInfo };
  expect((await bridge.ask(legacy(0, 'initialize', params))).result).toMatchObject({ protocolVersion });
  bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const { result } = await bridge.ask(legacy(1, 'tools/list'));
  expect(JSON.stringify(result)).toContain('describe_table');
  const { error } = await bridge.ask(legacy(2, 'tools/call', { name: 'no_such_tool', arguments: {} }));
  expect(error?.code).toBe(-32602);
  expect((await bridge.ask(legacy(3, 'no/such/method'))).error?.code).toBe(-32601);
});

test('lines that a client shouldn’t send, during a session of either era', async () => {
  const bridge = home.bridge();
  for (const era of [modern, legacy]) {
    const from = bridge.lines.length;
    bridge.write(`\r\n\n\t\n${JSON.stringify(era('crlf', 'tools/list'))}\r\n`);
    bridge.send('{"jsonrpc":"2.0","id":"cut off","method":');
    bridge.send(`[${JSON.stringify(era(1, 'tools/list'))}]`);
    bridge.send('GET / HTTP/1.1');
    expect((await bridge.ask(era('after', 'tools/list'))).error).toBeUndefined();
    await bridge.answer('crlf');
    const ids = bridge.lines.slice(from).map(line => JSON.parse(line).id);
    // A batch is refused once per id in it; messages without a readable id are refused without one.
    expect(ids.filter(id => id !== undefined).sort()).toEqual([1, 'after', 'crlf']);
    expect(ids.filter(id => id === undefined)).toHaveLength(2);
    bridge.lines.length = 0;
  }
});

test('forty calls at once: each is answered, or told that there are too many', async () => {
  const bridge = home.bridge();
  const call = { name: 'list_connections', arguments: {} };
  for (let id = 0; id < 40; id++) bridge.send(modern(id, 'tools/call', call));
  for (let id = 0; id < 40; id++) expect([undefined, -33010]).toContain((await bridge.answer(id)).error?.code);
  // The first eight are within the limit.
  for (let id = 0; id < 8; id++) expect((await bridge.answer(id)).error).toBeUndefined();
});

test('answers come when they are ready, not in the order of the questions', async () => {
  const bridge = home.bridge();
  await bridge.ask(modern('first', 'tools/list'));
  await whileWritten(demoFile(), async () => {
    const sql = 'select count(*) from payments';
    const slow = { name: 'execute_query', arguments: { connection: 'demo', sql } };
    bridge.send(modern('slow', 'tools/call', slow));
    bridge.send(legacy('slow too', 'tools/call', slow));
    for (let id = 0; id < 5; id++) bridge.send((id % 2 === 0 ? modern : legacy)(id, 'tools/list'));
    for (let id = 0; id < 5; id++) await bridge.answer(id);
  });
  for (const id of ['slow', 'slow too']) {
    expect(await bridge.answer(id)).toHaveProperty('result.structuredContent.rows.length', 1);
  }
  const order = bridge.lines.map(line => JSON.parse(line).id);
  expect(order.slice(0, 6).sort()).toEqual([0, 1, 2, 3, 4, 'first']);
}, 90_000);

test('a cancelled statement stops, and the bridge continues', async () => {
  const bridge = home.bridge();
  const connection = connectionName(
    (await bridge.ask(modern(0, 'tools/call', { name: 'list_connections', arguments: {} }))).result,
  );
  bridge.send(modern(1, 'tools/call', { name: 'execute_query', arguments: { connection, sql: endless } }));
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  const { error } = await bridge.ask(modern(2, 'tools/list'));
  expect(error).toBeUndefined();
  expect(bridge.lines.map(line => JSON.parse(line).id)).toEqual([0, 2]);
});
