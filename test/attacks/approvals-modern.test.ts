/**
 * A 2026-07-28 client wants a statement run that its user didn't allow. It changes, replays, forges
 * or borrows what travels between question and answer (spec §12). Each case ends by looking at the
 * database.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, modern, send } from '../clients/http/wire.ts';
import { type Gate, openGate } from '../journeys/approvals/gate.ts';

let gate: Gate;
let token: string;
let connection: string;
beforeAll(async () => {
  gate = await openGate();
});
afterAll(() => gate.stop());
beforeEach(async () => {
  token = await gate.token();
  connection = await gate.connection();
});

const tool = 'confirm_destructive_operation';
const sql = 'delete from orders';
const yes = { approval: { action: 'accept', content: { approve: true } } };
const canElicit = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

interface Retry {
  readonly by?: string;
  readonly name?: string;
  readonly args?: Record<string, unknown>;
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

function call({ by = token, name = tool, args = { connection, sql }, ...retry }: Retry = {}): Promise<Answer> {
  return send(gate.url, modern(by, 'tools/call', { name, arguments: args, ...retry }, { meta: canElicit }));
}

async function stateOf(asked: Promise<Answer> = call()): Promise<string> {
  const { json } = await asked;
  if (json.result?.resultType !== 'input_required') throw new Error(JSON.stringify(json));
  return String(json.result.requestState);
}

const textOf = ({ json }: Answer): string => String(json.result?.content?.[0]?.text);

async function isRefused(answer: Promise<Answer>): Promise<void> {
  const { json, status } = await answer;
  expect([status, json.error?.code, json.error?.data]).toEqual([200, -32602, { reason: 'invalid_request_state' }]);
  expect(json.error?.message).toMatch(/^This requestState belongs to no open question .*\.$/);
}

test('the honest way: asked, answered, run', async () => {
  const { json } = await call();
  expect(json.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      approval: {
        method: 'elicitation/create',
        params: {
          message: expect.stringContaining('> delete from orders'),
          requestedSchema: { type: 'object', properties: { approve: { type: 'boolean' } }, required: ['approve'] },
        },
      },
    },
    requestState: expect.any(String),
  });
  expect(gate.orders(connection)).toBe(3);
  const done = await call({ requestState: json.result?.requestState, inputResponses: yes });
  expect(done.json.result?.structuredContent).toMatchObject({ rows_affected: 3 });
  expect(gate.orders(connection)).toBe(0);
});

test('a table that grew after the question is asked about again, with new figures, and an approval of those runs', async () => {
  const message = ({ json }: Answer): string => JSON.stringify(json.result?.inputRequests);
  const asked = await call();
  expect(message(asked)).toContain('What it takes:\\n- deletes all 3 rows of orders\\n');
  gate.fill(connection, 40);
  const again = await call({ requestState: asked.json.result?.requestState, inputResponses: yes });
  expect(again.json.result?.resultType).toBe('input_required');
  expect(message(again)).toContain('What it takes:\\n- deletes all 43 rows of orders\\n');
  expect(gate.orders(connection)).toBe(43);
  // The first approval is used up.
  await isRefused(call({ requestState: asked.json.result?.requestState, inputResponses: yes }));
  const done = await call({ requestState: again.json.result?.requestState, inputResponses: yes });
  expect(done.json.result?.structuredContent).toMatchObject({ rows_affected: 43 });
  expect(gate.orders(connection)).toBe(0);
});

describe('nothing runs', () => {
  const changes: Record<string, (state: string) => string> = {
    'its signature changed': state => state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A'),
    'its signature cut off': state => state.split('.')[0] ?? '',
    'an empty signature': state => `${state.split('.')[0]}.`,
    'another id': state => `${'x'.repeat(24)}.${state.split('.')[1]}`,
    'more behind it': state => `${state}.${state}`,
    'a space behind it': state => `${state} `,
    'nothing in it': () => '',
    'one dot': () => '.',
    'what the SDK would write': () => 'v1.eyJwIjp7fSwiZXhwIjo5OTk5OTk5OTk5fQ.AAAA',
    'a megabyte in it': () => `${'x'.repeat(500_000)}.${'y'.repeat(500_000)}`,
  };
  test.each(Object.keys(changes))('with a state with %s', async how => {
    const requestState = changes[how]?.(await stateOf());
    await isRefused(call({ requestState, inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test.each([[7], [null], [{}], [['a']]])('with a state that is %j', async requestState => {
    const { json } = await call({ requestState, inputResponses: yes });
    expect(json.error?.code).toBe(-32602);
    expect(gate.orders(connection)).toBe(3);
  });

  test('a second time for one approval', async () => {
    const requestState = await stateOf();
    await call({ requestState, inputResponses: yes });
    gate.refill(connection);
    await isRefused(call({ requestState, inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test('more than once for one approval that is sent twice at once', async () => {
    const requestState = await stateOf();
    const many = await Promise.all(Array.from({ length: 2 }, () => call({ requestState, inputResponses: yes })));
    expect(many.filter(({ json }) => json.result?.structuredContent !== undefined)).toHaveLength(1);
    expect(many.filter(({ json }) => json.error?.code === -32602)).toHaveLength(1);
  });

  test.each<[string, () => Record<string, unknown>]>([
    ['another statement', () => ({ connection, sql: 'drop table orders' })],
    ['one more blank', () => ({ connection, sql: `${sql} ` })],
    ['the id for the name', () => ({ connection: gate.connections.find(connection)?.id, sql })],
  ])('with %s than was asked about', async (_what, changed) => {
    await isRefused(call({ args: changed(), requestState: await stateOf(), inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test('on another connection than was asked about', async () => {
    const other = await gate.connection();
    await isRefused(call({ args: { connection: other, sql }, requestState: await stateOf(), inputResponses: yes }));
    expect([gate.orders(connection), gate.orders(other)]).toEqual([3, 3]);
  });

  test("with another principal's state", async () => {
    const by = await gate.token();
    await isRefused(call({ by, requestState: await stateOf(), inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test('through another tool', async () => {
    const requestState = await stateOf();
    const answer = await call({ name: 'execute_query', requestState, inputResponses: yes });
    expect(textOf(answer)).toMatch(/^denied: .*confirm_destructive_operation/);
    expect(gate.orders(connection)).toBe(3);
  });

  test.each([-200, 0, 3_600])('after five minutes, with the clock set by %d s', async by => {
    const late = await stateOf();
    gate.setClock(by);
    gate.advanceSeconds(301);
    await isRefused(call({ requestState: late, inputResponses: yes }));
    gate.setClock(0);
    expect(gate.orders(connection)).toBe(3);
  });

  test('on a database that replaced the connection’s meanwhile', async () => {
    const requestState = await stateOf();
    await gate.save(connection, { revision: 2 });
    await isRefused(call({ requestState, inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test('on a connection whose level the user lowered meanwhile', async () => {
    const requestState = await stateOf();
    await gate.save(connection, { externalClients: { level: 'readOnly', writeUntil: null } });
    expect(textOf(await call({ requestState, inputResponses: yes }))).toMatch(/^denied: This connection is read only/);
    expect(gate.orders(connection)).toBe(3);
  });

  test('with a state of an earlier run of the daemon', async () => {
    const earlier = await openGate();
    const requestState = await stateOf();
    try {
      const by = await earlier.token();
      const name = await earlier.connection();
      const args = { connection: name, sql };
      const params = { name: tool, arguments: args, requestState, inputResponses: yes };
      await isRefused(send(earlier.url, modern(by, 'tools/call', params, { meta: canElicit })));
      expect(earlier.orders(name)).toBe(3);
    } finally {
      await earlier.stop();
    }
  });

  test('for an answer without a question: the question is asked', async () => {
    expect((await call({ inputResponses: yes })).json.result?.resultType).toBe('input_required');
    expect(gate.orders(connection)).toBe(3);
  });

  test('if its token has no confirmInClient, whatever it sends', async () => {
    const by = await gate.token({ confirmInClient: false });
    expect(textOf(await call({ by, inputResponses: yes }))).toMatch(/^denied: .*Sallyport can ask nobody/);
    await isRefused(call({ by, requestState: await stateOf(), inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test('for the bridge, which has no such tool', async () => {
    const by = gate.tokens.mintBridgeToken(3_600).plaintext;
    const { json } = await call({ by, requestState: await stateOf(), inputResponses: yes });
    expect(json.result?._meta?.['app.sallyport/refusal']).toEqual({ kind: 'tool_out_of_scope', code: -33007 });
    expect(gate.orders(connection)).toBe(3);
  });

  const nobodys: Record<string, unknown> = {
    'a field that is text': { action: 'accept', content: { approve: 'true' } },
    'a field that is 1': { action: 'accept', content: { approve: 1 } },
    'no field': { action: 'accept', content: {} },
    'no content': { action: 'accept' },
    'another field': { action: 'accept', content: { approved: true, yes: true } },
    'a list': { action: 'accept', content: [true] },
    'another word': { action: 'ACCEPT', content: { approve: true } },
    'no action': { content: { approve: true } },
  };
  test('for a declined form that is ticked', async () => {
    const approval = { action: 'decline', content: { approve: true } };
    const answer = await call({ requestState: await stateOf(), inputResponses: { approval } });
    expect(textOf(answer)).toMatch(/^user_cancelled: /);
    expect(gate.orders(connection)).toBe(3);
  });
  test.each(Object.keys(nobodys))('for an answer with %s, which isn’t the user’s', async what => {
    const answer = await call({ requestState: await stateOf(), inputResponses: { approval: nobodys[what] } });
    expect(textOf(answer)).toMatch(/^denied: This needs the user's yes/);
    expect(gate.orders(connection)).toBe(3);
  });

  test.each([
    ['wrapped', { approval: { method: 'elicitation/create', result: yes.approval } }],
    ['under another name', { constructor: yes.approval, confirm: yes.approval }],
    ['missing', {}],
    ['no object', 'yes'],
  ])('for an answer that is %s: the question is asked again', async (_how, inputResponses) => {
    const requestState = await stateOf();
    const { json } = await call({ requestState, inputResponses });
    expect(json.result?.resultType).toBe('input_required');
    expect(gate.orders(connection)).toBe(3);
    await isRefused(call({ requestState, inputResponses: yes }));
  });
});

test('another order of arguments is no change', async () => {
  const requestState = await stateOf();
  const done = await call({ args: { sql, connection }, requestState, inputResponses: yes });
  expect(done.json.result?.structuredContent).toMatchObject({ rows_affected: 3 });
});

test('at most three questions are open: a fourth replaces the first', async () => {
  const states = [await stateOf(), await stateOf(), await stateOf(), await stateOf()];
  await isRefused(call({ requestState: states[0], inputResponses: yes }));
  expect(gate.orders(connection)).toBe(3);
  const done = await call({ requestState: states[1], inputResponses: yes });
  expect(done.json.result?.structuredContent).toMatchObject({ rows_affected: 3 });
});

test('text of others can neither move the cursor nor pass for our words', async () => {
  const hostile = 'delete from orders /*\u001b[2J\u202e\nTables: none named\r\n\u200bLength: 0*/';
  const { json } = await call({ args: { connection, sql: hostile } });
  const asked = json.result?.inputRequests as { approval: { params: { message: string } } };
  const lines = asked.approval.params.message.split('\n');
  expect(lines.slice(-3)).toEqual([
    '> delete from orders /*\\u{1b}[2J\\u{202e}',
    '> Tables: none named\\u{d}',
    '> \\u{200b}Length: 0*/',
  ]);
  expect(lines.filter(line => line.startsWith('Tables: '))).toEqual(['Tables: orders']);
});

test('a dialog asks nothing about a statement that is too long for it', async () => {
  const long = `delete from orders /* ${'x'.repeat(4_000)} */`;
  expect(textOf(await call({ args: { connection, sql: long } }))).toMatch(
    /^denied: The statement is too long .*Sallyport can ask nobody/,
  );
});

test('the log contains no statement', () => {
  expect(gate.logged.length).toBeGreaterThan(0);
  expect(gate.logged.join('\n')).not.toContain('from orders');
});

describe('an approval that policy refused is used up', () => {
  const levels = {
    open: { level: 'readWrite', writeUntil: null },
    shut: { level: 'blocked', writeUntil: null },
  } as const;

  test('a blocked connection that is opened again', async () => {
    const requestState = await stateOf();
    await gate.save(connection, { externalClients: levels.shut });
    expect((await call({ requestState, inputResponses: yes })).json.result?.structuredContent).toBeUndefined();
    await gate.save(connection, { externalClients: levels.open });
    await isRefused(call({ requestState, inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });

  test('a token that lacked the tool for a while', async () => {
    const requestState = await stateOf();
    const edit = (scope: 'readOnly' | 'fullAccess') =>
      gate.tokens.edit(gate.idOf(token), { scope, connections: undefined, expires: undefined });
    await edit('readOnly');
    expect((await call({ requestState, inputResponses: yes })).json.result?.structuredContent).toBeUndefined();
    await edit('fullAccess');
    await isRefused(call({ requestState, inputResponses: yes }));
    expect(gate.orders(connection)).toBe(3);
  });
});
