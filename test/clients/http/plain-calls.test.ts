/**
 * A plain tool call is answered without the SDK, and no client can tell. Each request is sent
 * twice: as it is, and with a member that changes nothing but sends it through the SDK. Both
 * answers are equal, byte for byte.
 */

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import { plainModernCallOf } from '../../../daemon/clients/http/modern.ts';
import { plainCallOf } from '../../../daemon/clients/mcp/plain-call.ts';
import { success, type Tool } from '../../../daemon/clients/mcp/tool.ts';
import { JsonRows } from '../../../daemon/engines/row-text.ts';
import { anyText } from '../../any-text.ts';
import { unlimitedAdmission } from './admission-for-tests.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { legacy, modern, openSession, type Sending } from './wire.ts';

let server: RunningServer;
let token: string;
let session: Record<string, string>;

beforeAll(async () => {
  server = await runServer({}, unlimitedAdmission(), undefined, undefined, [rowsTool, progressTool]);
  token = await server.token();
  session = await openSession(server.url, token);
});
afterAll(() => server.stop());

const rowsTool: Tool = {
  name: 'rows',
  title: 'Rows',
  description: 'Gives rows that are text already.',
  scope: 'readOnly',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ texts: z.array(z.string()), named: z.boolean() }),
  output: z.object({}),
  async run(_call, args) {
    const { texts, named } = args as { texts: string[]; named: boolean };
    const rows = new JsonRows(texts.map(text => JSON.stringify([text, 1.5, null])));
    const content = { columns: ['"a""b" text'], rows, left_out: undefined, row_count: texts.length };
    return success(content, named ? { 'app.sallyport/access': 'read_only' } : null);
  },
};

const progressTool: Tool = {
  ...rowsTool,
  name: 'progress',
  input: z.strictObject({ before: z.boolean() }),
  async run(call, args) {
    const { before } = args as { before: boolean };
    if (before) for (const step of [1, 2, 3]) call.progress?.(step, step === 2 ? 3 : null, `step ${step}`);
    await new Promise(resolve => setTimeout(resolve, 5));
    if (!before) call.progress?.(1, null, 'almost "done"');
    return success({ done: true });
  },
};

/** Status, headers without the time and ids of requests, body. */
function bytesOf(sending: Sending): Promise<{ readonly head: readonly string[]; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(server.url, { method: 'POST', headers: sending.headers, agent: false }, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const date = answer.rawHeaders.indexOf('Date') + 1;
        const head = answer.rawHeaders.map((text, at) => (at === date ? 'now' : text));
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({
          head: [String(answer.statusCode), ...head],
          body: body.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, 'id'),
        });
      });
    });
    sent.on('error', reject);
    sent.end(sending.body);
  });
}

interface Asked {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly meta?: Record<string, unknown> | undefined;
  readonly id?: unknown;
  readonly more?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

const eras = {
  '2026-07-28': ({ name, arguments: given, meta, id, more, headers }: Asked, viaSdk: boolean): Sending => {
    const params = { name, arguments: given, ...more, ...(viaSdk && { other: 1 }) };
    return modern(token, 'tools/call', params, { ...(meta && { meta }), ...(headers && { headers }), id: id ?? 3 });
  },
  '2025-11-25': ({ name, arguments: given, meta, id, more, headers }: Asked, viaSdk: boolean): Sending => {
    const params = { name, arguments: given, ...(meta && { _meta: meta }), ...more, ...(viaSdk && { other: 1 }) };
    const message = { jsonrpc: '2.0', id: id ?? 3, method: 'tools/call', params };
    return legacy(token, message, { ...session, ...headers });
  },
};

/** True if the request as it is gets its answer without the SDK. */
function isPlain(era: keyof typeof eras, sending: Sending): boolean {
  const body = JSON.parse(String(sending.body));
  if (era === '2025-11-25') return plainCallOf(body, []) !== null;
  const headers = Object.entries(sending.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return plainModernCallOf(body, Object.fromEntries(headers)) !== null;
}

async function expectSame(era: keyof typeof eras, asked: Asked): Promise<string> {
  const sendings = [eras[era](asked, false), eras[era](asked, true)] as const;
  expect(isPlain(era, sendings[1])).toBe(false);
  const [plain, sdk] = await Promise.all([bytesOf(sendings[0]), bytesOf(sendings[1])]);
  expect(plain).toEqual(sdk);
  return plain.body;
}

const accepts = ['application/json', 'text/event-stream', '*/*', 'text/event-stream;q=0, application/json'];

describe.each(['2026-07-28', '2025-11-25'] as const)('%s', era => {
  test.each<[string, Asked]>([
    ['a success with _meta', { name: 'echo', arguments: { text: 'sun "and" \\ \u2028 \u0007 🐚' } }],
    ['an id of text', { name: 'echo', arguments: { text: '' }, id: 'a"\\\n🐚' }],
    ['an id beyond the others', { name: 'echo', arguments: { text: '' }, id: -9007199254740991 }],
    ['rows', { name: 'rows', arguments: { texts: ['a"b', '\\', 'é\u0000\ud800'], named: true } }],
    ['rows without _meta', { name: 'rows', arguments: { texts: [], named: false } }],
    ['a tool error', { name: 'refusing', arguments: { how: 'denied' } }],
    ['a refused connection', { name: 'refusing', arguments: { how: 'connection' } }],
    ['a malformed cursor', { name: 'refusing', arguments: { how: 'cursor' } }],
    ['a tool that throws', { name: 'failing', arguments: {} }],
    ['no arguments', { name: 'failing' }],
    ['a tool out of scope', { name: 'stop_everything', arguments: {} }],
    ['an unknown tool', { name: 'nothing', arguments: {} }],
    ['a tool of an object', { name: 'constructor', arguments: {} }],
    ['an unknown argument', { name: 'echo', arguments: { text: 'a', tone: 1 } }],
    ['an argument of a wrong type', { name: 'echo', arguments: { text: 1 } }],
    ['a rounded integer', { name: 'echo', arguments: { text: 'a', values: [2 ** 53] } }],
    [
      'what others keep in _meta',
      { name: 'echo', arguments: { text: 'a' }, meta: { 'a.b/c': { d: [] }, 'e/f': null } },
    ],
    ['a progress token nobody uses', { name: 'echo', arguments: { text: 'a' }, meta: { progressToken: 'a' } }],
    ['progress', { name: 'progress', arguments: { before: true }, meta: { progressToken: 7 } }],
    ['late progress', { name: 'progress', arguments: { before: false }, meta: { progressToken: 'a"' } }],
  ])('%s', async (_what, asked) => {
    expect(isPlain(era, eras[era](asked, false))).toBe(true);
    for (const Accept of accepts) await expectSame(era, { ...asked, headers: { Accept } });
  });

  test('progress comes before the answer', async () => {
    const body = await expectSame(era, { name: 'progress', arguments: { before: true }, meta: { progressToken: 7 } });
    const steps = body.match(/"progress":\d|"done":true/g) ?? [];
    expect(steps.slice(0, 4)).toEqual(['"progress":1', '"progress":2', '"progress":3', '"done":true']);
  });

  test.each<[string, Asked]>([
    ['no name', { arguments: {} }],
    ['a name of another kind', { name: 7, arguments: {} }],
    ['arguments of another kind', { name: 'echo', arguments: 'text' }],
    ['a list of arguments', { name: 'echo', arguments: [] }],
    ['an id of another kind', { name: 'echo', arguments: { text: 'a' }, id: 1.5 }],
    ['an id that is none', { name: 'echo', arguments: { text: 'a' }, id: {} }],
    ['a progress token of another kind', { name: 'echo', arguments: { text: 'a' }, meta: { progressToken: {} } }],
    ['another client', { name: 'echo', arguments: {}, meta: { 'io.modelcontextprotocol/clientInfo': { name: 1 } } }],
    ['other abilities', { name: 'echo', arguments: {}, meta: { 'io.modelcontextprotocol/clientCapabilities': [] } }],
    [
      'another revision',
      { name: 'echo', arguments: {}, meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
    ],
    ['a level of log', { name: 'echo', arguments: {}, meta: { 'io.modelcontextprotocol/logLevel': 'loud' } }],
    ['another name in the header', { name: 'echo', arguments: { text: 'a' }, headers: { 'Mcp-Name': 'slow' } }],
    ['another method in the header', { name: 'echo', arguments: { text: 'a' }, headers: { 'Mcp-Method': 'ping' } }],
    [
      'an answer nobody asked for',
      { name: 'echo', arguments: { text: 'a' }, more: { requestState: 'a', inputResponses: {} } },
    ],
    ['a task', { name: 'echo', arguments: { text: 'a' }, more: { task: { ttl: 'long' } } }],
  ])('bad: %s', async (_what, asked) => {
    await expectSame(era, asked);
  });

  test('hundreds of others', async () => {
    const meta = fc.dictionary(
      fc.constantFrom(
        'progressToken',
        'a/b',
        'plain',
        'io.modelcontextprotocol/related-task',
        'traceparent',
        '__proto__',
      ),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 3 },
    );
    const asked = fc.record(
      {
        name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('echo', 'rows', 'refusing', 'failing') }, fc.string()),
        arguments: fc.oneof(
          fc.record({ text: anyText(30) }),
          fc.record({ texts: fc.array(anyText()), named: fc.boolean() }),
          fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
          fc.jsonValue(),
        ),
        id: fc.oneof(fc.string(), fc.maxSafeInteger(), fc.jsonValue({ maxDepth: 0 })),
        meta,
      },
      { requiredKeys: ['name'] },
    );
    await fc.assert(
      fc.asyncProperty(asked, async one => {
        // A name that no header can hold can't compare the two ways.
        const headers = /^[ -~]*$/.test(one.name) ? undefined : { 'Mcp-Name': 'other' };
        await expectSame(era, { ...one, ...(headers && { headers }) });
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});
