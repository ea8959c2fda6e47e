/** Every kind of client through the built bridge to the real daemon. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { legacy, modern } from '../bridge/bridge-process.ts';
import { bridgeCommand, RealHome } from '../bridge/real-home.ts';

const beyondDoubles = '9007199254740993';
const query = {
  name: 'execute_query',
  arguments: { connection: 'demo', sql: `SELECT id FROM payments WHERE id = ${beyondDoubles}` },
};

let home: RealHome;
beforeAll(() => {
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
});
afterAll(() => home.clean());

function connectionName(listed: unknown): string {
  const { structuredContent } = listed as { structuredContent: { connections: { name: string }[] } };
  return structuredContent.connections[0]?.name ?? '';
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

async function listDescribeAndQuery(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(tool => tool.name)).toContain('execute_query');
  const connection = connectionName(await client.callTool({ name: 'list_connections', arguments: {} }));
  const described = await client.callTool({ name: 'describe_table', arguments: { connection, table: 'payments' } });
  expect(JSON.stringify(described)).toContain('order_id');
  const answer = await client.callTool({ ...query, arguments: { ...query.arguments, connection } });
  expect(answer).toMatchObject({ structuredContent: { rows: [[beyondDoubles]] } });
}

describe('a client of SDK v2', () => {
  const modes: [string, ClientOptions, string][] = [
    ['pinned to 2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
    ['that probes', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
    ['of the older era', {}, '2025-11-25'],
  ];
  test.each(modes)('%s', async (_, options, version) => {
    const client = new Client({ name: 'journey', version: '1' }, options);
    await client.connect(new StdioClientTransport({ command: bridgeCommand, env: home.environment }));
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

test('a client of SDK v1', async () => {
  const client = new OldClient({ name: 'journey', version: '1' });
  await client.connect(new OldTransport({ command: bridgeCommand, env: home.environment }));
  try {
    await listDescribeAndQuery(client as AnyClient);
    await client.ping();
  } finally {
    await client.close();
  }
});

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

test('a cancelled statement stops, and the bridge goes on', async () => {
  const bridge = home.bridge();
  const connection = connectionName(
    (await bridge.ask(modern(0, 'tools/call', { name: 'list_connections', arguments: {} }))).result,
  );
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  bridge.send(modern(1, 'tools/call', { name: 'execute_query', arguments: { connection, sql } }));
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  const { error } = await bridge.ask(modern(2, 'tools/list'));
  expect(error).toBeUndefined();
  expect(bridge.lines.map(line => JSON.parse(line).id)).toEqual([0, 2]);
});
