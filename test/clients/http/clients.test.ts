/** Real clients of both SDKs, as in people's programs, against the real HTTP server. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import { until } from '../../waiting/until.ts';
import { type RunningServer, runServer } from './running-server.ts';

interface Connected {
  tools(): Promise<readonly { readonly name: string }[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  close(): Promise<void>;
}
interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}
type Result = Awaited<ReturnType<Client['callTool']>> | Awaited<ReturnType<OldClient['callTool']>>;

let server: RunningServer;
beforeAll(async () => {
  server = await runServer();
});
afterAll(() => server.stop());

const identity = { name: 'real client', version: '1.0.0' };
const connect: Readonly<Record<string, (token: string) => Promise<Connected>>> = {
  'SDK v2, modern': token => newClient(token, { pin: '2026-07-28' }),
  'SDK v2, auto': token => newClient(token, 'auto'),
  'SDK v2, legacy': token => newClient(token, 'legacy'),
  'SDK v1': async token => {
    const client = new OldClient(identity);
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    // The old SDK's own types don't agree with exactOptionalPropertyTypes.
    await client.connect(new OldTransport(new URL(server.url), { requestInit }) as Parameters<OldClient['connect']>[0]);
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
      close: () => client.close(),
    };
  },
};

async function newClient(token: string, mode: 'auto' | 'legacy' | { readonly pin: string }): Promise<Connected> {
  const client = new Client(identity, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    close: () => client.close(),
  };
}

describe.each(Object.keys(connect))('%s', kind => {
  let client: Connected;
  beforeAll(async () => {
    const made = connect[kind]?.(await server.token('readWrite'));
    if (made === undefined) throw new Error(`No such client: ${kind}`);
    client = await made;
  });
  afterAll(() => client.close());

  test('lists the tools of its scope', async () => {
    expect((await client.tools()).map(tool => tool.name)).toEqual(['echo', 'slow', 'failing', 'refusing']);
  });

  test('gets the exact 64-bit integer, checked against the published output schema', async () => {
    const result = await client.call('echo', { text: 'hé ', times: 2, values: [1, 'a'] });
    expect(result.structuredContent).toMatchObject({ text: 'hé hé ', big: '9007199254740993', client: 'real client' });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    expect(result._meta?.['app.sallyport/access']).toBe('read_only');
  });

  test('reads a tool error as a result', async () => {
    const result = await client.call('refusing', { how: 'denied' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `denied: ${readOnlySentences.connection.says}` }],
    });
  });

  test.each<[string, string, Record<string, unknown>, number, RegExp]>([
    ['an unknown tool', 'nope', {}, -32602, /There is no tool "nope"/],
    ['a connection where it may use none', 'refusing', { how: 'no connection' }, -33007, /Ask the user .*"shp"/],
    ['a connection it may not use', 'refusing', { how: 'connection' }, -33007, /Use "shop" or "ledger": .*"shp"/],
    ['a malformed cursor', 'refusing', { how: 'cursor' }, -32602, /cursor/],
  ])('%s is a JSON-RPC error', async (_what, name, args, code, message) => {
    const called = client.call(name, args);
    await expect(called).rejects.toMatchObject({ code });
    await expect(called).rejects.toThrow(message);
  });

  test.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'a tool outside its scope',
      'stop_everything',
      {},
      /^denied: Read & Write doesn't include stop_everything\. Only the user can allow it\.$/,
    ],
  ])('%s is a tool error that the model reads', async (_what, name, args, message) => {
    const { content, isError, _meta } = await client.call(name, args);
    expect([isError, content]).toEqual([true, [{ type: 'text', text: expect.stringMatching(message) }]]);
    expect(_meta?.['app.sallyport/refusal']).toMatchObject({ code: -33007 });
  });

  test('may write null, or an empty value, for what it leaves out', async () => {
    const result = await client.call('echo', { text: 'a', times: '2', values: null, kind: '' });
    expect(result.structuredContent).toMatchObject({ text: 'aa' });
    const none = null as unknown as Record<string, unknown>;
    expect((await client.call('echo', none)).content).toEqual([
      { type: 'text', text: expect.stringMatching(/^invalid_argument: 'text' is required/) },
    ]);
  });

  test('hears about an argument that the tool doesn’t have, as its revision says', async () => {
    const called = client.call('echo', { txt: '' });
    const sentence = 'echo has no argument "txt"; it takes text, times, kind, values. Did you mean text?';
    if (kind === 'SDK v2, modern' || kind === 'SDK v2, auto') {
      await expect(called).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(sentence) });
      return;
    }
    const text = `invalid_argument: ${sentence}`;
    expect(await called).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
  });

  test('hears progress', async () => {
    const heard: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }): void => void heard.push(progress);
    await client.call('slow', { name: `progress ${kind}`, milliseconds: 100 }, { onprogress });
    expect(heard).toEqual([1]);
  });

  test('aborts a call, in the tool too', async () => {
    const aborting = new AbortController();
    const called = client.call('slow', { name: kind }, { signal: aborting.signal });
    called.catch(() => {});
    await until(() => server.slowTool.includes(`began ${kind}`), 'the call began');
    aborting.abort('enough');
    await expect(called).rejects.toThrow();
    await until(() => server.slowTool.includes(`aborted ${kind}`), 'the tool was aborted');
    expect((await client.call('echo', { text: 'still here' })).isError ?? false).toBe(false);
  });

  test('runs calls in parallel', async () => {
    const slow = client.call('slow', { name: `beside ${kind}`, milliseconds: 500 });
    await client.call('echo', { text: 'first' });
    expect(server.slowTool).not.toContain(`ended beside ${kind}`);
    await slow;
  });

  test('is told about a revoked token', async () => {
    const token = await server.token();
    const revoked = await connect[kind]?.(token);
    await server.tokens.revoke(server.idOf(token));
    await expect(revoked?.tools()).rejects.toThrow(/-33009/);
    await revoked?.close();
  });
});

describe('an error in a broken tool', () => {
  test('is an internal failure with the request id of the log, and neither has its words', async () => {
    const client = await connect['SDK v2, modern']?.(await server.token());
    const result = await client?.call('failing', {});
    const text = String(JSON.stringify(result?.content));
    expect(result?.isError).toBe(true);
    const [requestId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text) ?? [];
    expect(text).toContain('internal_failure: ');
    expect(server.logged.filter(line => line.includes(String(requestId)))).toHaveLength(1);
    expect(text + server.logged.join('\n')).not.toContain('vault');
    await client?.close();
  });
});
