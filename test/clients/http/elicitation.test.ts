/**
 * Questions to clients of the 2025 revisions, as bytes on the wire: whose answer counts and whose
 * doesn't (spec §4, §12).
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Gate, openGate } from '../../journeys/approvals/gate.ts';
import { until } from '../../waiting/until.ts';
import { initialize, legacy, send } from './wire.ts';

let gate: Gate;
let token: string;
let connection: string;
let session: Record<string, string>;
const calls: AbortController[] = [];
beforeAll(async () => {
  gate = await openGate();
});
afterAll(() => gate.stop());
beforeEach(async () => {
  token = await gate.token();
  connection = await gate.connection();
  session = await openSession();
});
afterEach(() => {
  for (const call of calls.splice(0)) call.abort();
});

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
}

async function openSession(by = token, capabilities: unknown = { elicitation: {} }): Promise<Record<string, string>> {
  const hello = initialize('2025-11-25');
  const body = { ...hello, params: { ...(hello.params as object), capabilities } };
  const { headers } = await send(gate.url, legacy(by, body));
  return { 'Mcp-Session-Id': String(headers['mcp-session-id']), 'MCP-Protocol-Version': '2025-11-25' };
}

/**
 * Starts a call.
 * @returns a function that gives the messages of its stream one at a time; null at its end.
 */
async function begin(id: number, within = session, sql = 'delete from orders'): Promise<() => Promise<Message | null>> {
  const aborting = new AbortController();
  calls.push(aborting);
  const params = { name: 'confirm_destructive_operation', arguments: { connection, sql } };
  const { headers, body } = legacy(token, { jsonrpc: '2.0', id, method: 'tools/call', params }, within);
  const init = { method: 'POST', headers: headers ?? {}, body: String(body), signal: aborting.signal };
  const response = await fetch(gate.url, init);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const found = /(?:^|\n)data: (.*)\n\n/.exec(text);
      if (found !== null) {
        text = text.slice(found.index + found[0].length);
        return JSON.parse(String(found[1]));
      }
      const part = await reader?.read();
      if (part === undefined || part.done) return text.startsWith('{') ? JSON.parse(text) : null;
      text += part.value;
    }
  };
}

const yes = { action: 'accept', content: { approve: true } };

function answer(id: unknown, result: unknown = yes, { by = token, within = session } = {}) {
  return send(gate.url, legacy(by, { jsonrpc: '2.0', id, result }, within));
}

test('the question goes out on its call’s stream, with a unique id', async () => {
  const [first, second] = [await begin(1), await begin(2)];
  const [one, two] = [await first(), await second()];
  expect(one).toMatchObject({
    method: 'elicitation/create',
    params: {
      message: expect.stringContaining('> delete from orders'),
      requestedSchema: { type: 'object', properties: { approve: { type: 'boolean' } }, required: ['approve'] },
    },
  });
  expect(one?.id).not.toBe(two?.id);
  expect((await answer(two?.id)).status).toBe(202);
  expect(await second()).toMatchObject({ id: 2, result: { structuredContent: { rows_affected: 3 } } });
  gate.refill(connection);
  await answer(one?.id, { action: 'decline' });
  expect((await first())?.result?.content?.[0]?.text).toMatch(/^user_cancelled: /);
  expect(gate.orders(connection)).toBe(3);
});

test('only the session’s own answer to an open question counts', async () => {
  const next = await begin(1);
  const question = await next();
  const other = await openSession();
  const stranger = await gate.token();
  const theirs = await openSession(stranger);
  expect((await answer(question?.id, yes, { by: stranger, within: session })).status).toBe(404);
  expect((await answer(question?.id, yes, { by: stranger, within: theirs })).status).toBe(202);
  expect((await answer(question?.id, yes, { within: other })).status).toBe(202);
  for (const id of [0, 1, '0', '', null, `${question?.id} `, { id: question?.id }]) await answer(id);
  expect(gate.orders(connection)).toBe(3);
  await answer(question?.id, { action: 'decline' });
  await answer(question?.id);
  expect((await next())?.result?.content?.[0]?.text).toMatch(/^user_cancelled: /);
  expect(gate.orders(connection)).toBe(3);
});

test('a client that answers with an error hasn’t answered', async () => {
  const next = await begin(1);
  const id = (await next())?.id;
  await send(gate.url, legacy(token, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }, session));
  expect((await next())?.result?.content?.[0]?.text).toMatch(/^denied: .*Sallyport can ask nobody/);
  expect(gate.orders(connection)).toBe(3);
});

test('a cancelled call has no question any more', async () => {
  const next = await begin(5);
  const id = (await next())?.id;
  await send(
    gate.url,
    legacy(token, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }, session),
  );
  // So that the client takes its dialog away.
  expect(await next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
  expect(await next()).toBeNull();
  expect((await answer(id)).status).toBe(202);
  expect(gate.orders(connection)).toBe(3);
});

test('nor has one whose connection dropped, nor one whose token was revoked', async () => {
  const dropped = (await (await begin(1))())?.id;
  gate.logged.length = 0;
  calls.pop()?.abort();
  await until(() => gate.logged.some(line => line.includes('"answer":"cancelled"')), 'the question ended');
  await answer(dropped);
  const next = await begin(2);
  const revoked = (await next())?.id;
  await gate.tokens.revoke(gate.idOf(token));
  await next();
  expect((await answer(revoked)).status).toBe(401);
  expect(gate.orders(connection)).toBe(3);
});

test('a session asks only if its client said that it can', async () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }, { elicitation: null }, { elicitation: true }]) {
    const opened = await openSession(token, capabilities);
    if (opened['Mcp-Session-Id'] === 'undefined') continue;
    const next = await begin(1, opened);
    expect((await next())?.result?.content?.[0]?.text).toMatch(/^denied: /);
  }
  const next = await begin(1, await openSession(token, { elicitation: { form: {}, url: {} } }));
  expect((await next())?.method).toBe('elicitation/create');
});

test('a fourth question at once is refused', async () => {
  const open = [await begin(1), await begin(2)];
  for (const next of open) await next();
  // The gate of these tests lets two calls run at once, besides those that wait.
  const third = await begin(3);
  await third();
  const fourth = await begin(4);
  expect((await fourth())?.result?.content?.[0]?.text).toMatch(/^denied: Too many of your questions/);
});

test('a legacy call with an answer in it gets nothing for it', async () => {
  const params = {
    name: 'confirm_destructive_operation',
    arguments: { connection, sql: 'delete from orders' },
    inputResponses: { approval: yes },
    requestState: 'anything',
  };
  const { json } = await send(
    gate.url,
    legacy(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session),
  );
  expect(json.error?.code).toBe(-32602);
  expect(gate.orders(connection)).toBe(3);
});
