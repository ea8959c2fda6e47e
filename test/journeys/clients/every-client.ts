/** Real clients of both SDKs over both transports, with a common interface. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { bridgeCommand, type RealHome } from '../../bridge/real-home.ts';
import type { ToolResult } from '../databases/three-engines.ts';

export interface ConnectedClient {
  tools(): Promise<readonly string[]>;
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>;
  /** Answers of `resources/*`, `prompts/*` and `completion/complete`. */
  resources(): Promise<readonly { readonly uri: string; readonly name: string }[]>;
  templates(): Promise<readonly string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<readonly string[]>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  complete(
    template: string,
    argument: string,
    value: string,
    known?: Record<string, string>,
  ): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Doors {
  readonly home: RealHome;
  readonly url: string;
  readonly token: string;
}

type Mode = 'auto' | 'legacy' | { readonly pin: string };
type OldTransport = Parameters<OldClient['connect']>[0];

const identity = { name: 'journey', version: '1' };

export const everyClient: Readonly<Record<string, (doors: Doors) => Promise<ConnectedClient>>> = {
  'SDK v2 pinned, bridge': doors => newClient({ pin: '2026-07-28' }, bridge(doors)),
  'SDK v2 auto, bridge': doors => newClient('auto', bridge(doors)),
  'SDK v2 legacy, bridge': doors => newClient('legacy', bridge(doors)),
  'SDK v1, bridge': doors => oldClient(new OldStdio(started(doors))),
  'SDK v2 pinned, HTTP': doors => newClient({ pin: '2026-07-28' }, http(doors)),
  'SDK v2 auto, HTTP': doors => newClient('auto', http(doors)),
  'SDK v2 legacy, HTTP': doors => newClient('legacy', http(doors)),
  // The old SDK's own types don't agree with exactOptionalPropertyTypes.
  'SDK v1, HTTP': ({ url, token }) => oldClient(new OldHttp(new URL(url), authorized(token)) as OldTransport),
};

function bridge(doors: Doors): StdioClientTransport {
  return new StdioClientTransport(started(doors));
}

/** A bridge's stderr belongs in its client's log. */
function started({ home }: Doors) {
  return { command: bridgeCommand, env: home.environment, stderr: 'ignore' } as const;
}

function http({ url, token }: Doors): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { ...authorized(token), fetch: noticing });
}

/** The SDK's own error for a failed negotiation doesn't have the server's answer. */
const refusals: string[] = [];

const noticing: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (!response.ok) refusals.push(`${response.status} ${await response.clone().text()}`.slice(0, 300));
  return response;
};

function authorized(token: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
}

async function newClient(mode: Mode, transport: Parameters<Client['connect']>[0]): Promise<ConnectedClient> {
  const client = new Client(identity, { versionNegotiation: { mode } });
  await client.connect(transport).catch((error: Error) => {
    throw new Error(`${error.message} The last refusals over HTTP: ${JSON.stringify(refusals)}`, { cause: error });
  });
  return {
    tools: async () => (await client.listTools()).tools.map(tool => tool.name),
    call: async (name, args, signal) =>
      (await client.callTool({ name, arguments: args }, signal && { signal })) as ToolResult,
    ...contextOf(client),
    close: () => client.close(),
  };
}

async function oldClient(transport: OldTransport): Promise<ConnectedClient> {
  const client = new OldClient(identity);
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(tool => tool.name),
    call: async (name, args, signal) =>
      (await client.callTool({ name, arguments: args }, undefined, signal && { signal })) as ToolResult,
    ...contextOf(client),
    close: () => client.close(),
  };
}

type Context = Pick<ConnectedClient, 'resources' | 'templates' | 'read' | 'prompts' | 'prompt' | 'complete'>;

/** Both SDKs name these alike. */
function contextOf(client: Client | OldClient): Context {
  return {
    resources: async () => (await client.listResources()).resources,
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(template => template.uriTemplate),
    read: async uri => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? String(content.text) : '';
    },
    prompts: async () => (await client.listPrompts()).prompts.map(prompt => prompt.name),
    prompt: async (name, args) => JSON.stringify((await client.getPrompt({ name, arguments: args })).messages),
    complete: async (uri, argument, value, known = {}) => {
      const ref = { type: 'ref/resource', uri } as const;
      const { completion } = await client.complete({
        ref,
        argument: { name: argument, value },
        context: { arguments: known },
      });
      return completion.values;
    },
  };
}
