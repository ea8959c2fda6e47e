/**
 * An AI client of either SDK that starts the built bridge of a home, as configured, and reads what
 * a model reads.
 */

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bridgeCommand } from '../../bridge/real-home.ts';
import type { RealHome } from '../../shell-terminal/real-home.ts';

export interface BridgeClient {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  query(connection: string, sql: string, more?: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

export async function bridgeClient(
  { folder, home }: Pick<RealHome, 'folder' | 'home'>,
  name: string,
  kind: 'v1' | 'v2' = 'v2',
): Promise<BridgeClient> {
  const env = { HOME: folder, SALLYPORT_HOME: home, PATH: process.env.PATH ?? '' };
  const started = { command: bridgeCommand, args: [], env, stderr: 'ignore' as const };
  const info = { name, version: '1' };
  const client = kind === 'v1' ? new OldClient(info) : new Client(info, { versionNegotiation: { mode: 'auto' } });
  const transport = kind === 'v1' ? new OldTransport(started) : new StdioClientTransport(started);
  // The two SDKs' types differ; the members called here don't.
  await (client as Client).connect(transport as StdioClientTransport);
  const call: BridgeClient['call'] = async (tool, args) => {
    const answer = await (client as Client).callTool({ name: tool, arguments: args });
    const [content] = answer.content as { text?: string }[];
    return content?.text ?? '';
  };
  return {
    call,
    query: (connection, sql, more = {}) => call('execute_query', { connection, sql, ...more }),
    close: () => client.close(),
  };
}
