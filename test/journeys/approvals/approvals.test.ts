/**
 * Destructive statements and first uses, from real clients to a real database, through the client
 * and through a shell (spec §12).
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import { beginsWith } from '../../begins-with.ts';
import { until } from '../../waiting/until.ts';
import { type AskedClient, clientKinds, connectClient, type Gate, openGate, type UserAct } from './gate.ts';

const tool = 'confirm_destructive_operation';
const drop = 'drop table orders';

let gate: Gate;
const open: { close(): Promise<void> | void }[] = [];
beforeAll(async () => {
  gate = await openGate({ lifetimeSeconds: 3 });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => gate.stop());

async function client(kind: (typeof clientKinds)[number], act: UserAct | null, token?: string): Promise<AskedClient> {
  const connected = await connectClient(kind, gate.url, token ?? (await gate.token()), act);
  open.push(connected);
  return connected;
}

async function shell(answers = true) {
  const attached = await gate.shell(answers);
  // Closed, and the daemon has noticed: later steps must not find it attached.
  open.push({
    close: async () => {
      attached.close();
      if (answers) await until(() => !gate.approvals.someoneAnswers(), 'the shell is gone');
    },
  });
  return attached;
}

describe.each(clientKinds)('%s, no shell attached', kind => {
  test('approval runs the statement once and gives its result set', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    const end = await asking.call(tool, { connection, sql: drop });
    expect(end).toMatchObject({ isError: false, structured: { rows_affected: 0 } });
    expect(gate.orders(connection)).toBeNull();
    expect(asking.asked).toHaveLength(1);
    expect(asking.asked[0]).toContain(`run this destructive statement on ${connection}?`);
    expect(asking.asked[0]).toContain('Tables: orders');
    expect(asking.asked[0]).toContain('Length: 17 characters, 1 line\n> drop table orders');
    expect(asking.asked[0]).toContain('real client (as it calls itself), token laptop');
  });

  test('asks each time', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    await asking.call(tool, { connection, sql: 'delete from orders' });
    await asking.call(tool, { connection, sql: 'delete from orders' });
    expect(asking.asked).toHaveLength(2);
  });

  test.each(['no', 'unticked', 'dismiss'] as const)('%s is user_cancelled, and quiet for a minute', async act => {
    const connection = await gate.connection();
    const asking = await client(kind, act);
    const end = await asking.call(tool, { connection, sql: drop });
    expect([end.isError, end.text]).toEqual([true, expect.stringMatching(/^user_cancelled: /)]);
    const again = await asking.call(tool, { connection, sql: drop });
    expect(again.text).toMatch(/^denied: The user has just said no about "shop\d+".* (60|59) s/);
    expect(asking.asked).toHaveLength(1);
    expect(gate.orders(connection)).toBe(3);
  });

  test('accepting without an answer is no answer: nothing runs, it counts as no denial, and it may be asked again', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'unasked');
    for (let time = 1; time <= 2; time++) {
      const end = await asking.call(tool, { connection, sql: drop });
      expect(end.text).toMatch(/^denied: This needs the user's yes/);
      expect(asking.asked).toHaveLength(time);
    }
    expect(gate.orders(connection)).toBe(3);
  });

  test('a client that can’t ask its user hears that nobody can be asked', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, null);
    const end = await asking.call(tool, { connection, sql: drop });
    expect(end.text).toMatch(/^denied: .*Sallyport can ask nobody/);
    expect(gate.orders(connection)).toBe(3);
  });

  test('a token without confirmInClient is refused at once, and its client isn’t asked', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes', await gate.token({ confirmInClient: false }));
    const end = await asking.call(tool, { connection, sql: drop });
    expect(end.text).toMatch(/^denied: .*Sallyport can ask nobody/);
    expect(asking.asked).toEqual([]);
    expect(gate.orders(connection)).toBe(3);
  });

  test('other statements, and read-only connections, are refused without asking', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    expect((await asking.call(tool, { connection, sql: 'select 1' })).text).toMatch(/^denied: .*execute_query/);
    const readOnly = await gate.connection({ externalClients: { level: 'readOnly', writeUntil: null } });
    expect((await asking.call(tool, { connection: readOnly, sql: drop })).text).toMatch(
      beginsWith(`denied: ${readOnlySentences.connection.says}`),
    );
    expect(asking.asked).toEqual([]);
  });

  test('a token below full access has no such tool', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes', await gate.token({ scope: 'readWrite' }));
    expect((await asking.call(tool, { connection, sql: drop })).text).toMatch(
      /^denied: .*Read & Write doesn't include/,
    );
    expect(asking.asked).toEqual([]);
  });
});

describe.each(clientKinds)('%s, a shell attached', kind => {
  test.each([
    ['yes', /^\{"rows_affected":0[,}]/, null],
    ['no', /^user_cancelled: /, 3],
  ] as const)('the shell is asked, not the client; %s', async (answer, text, rows) => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    const attached = await shell();
    const progress: string[] = [];
    const called = asking.call(
      tool,
      { connection, sql: drop },
      { onprogress: ({ message }) => void progress.push(String(message)) },
    );
    const question = await gate.question();
    expect(question.facts).toMatchObject({
      kind: 'statement',
      client: 'real client',
      tokenName: 'laptop',
      connection: { name: connection },
      statement: {
        text: drop,
        class: 'destructive',
        tables: ['orders'],
        reasonParts: [{ code: 'DROP removes data or schema for good.', values: [] }],
      },
    });
    expect(question.id).toMatch(/^[a-z2-9]{8}$/);
    expect(gate.orders(connection)).toBe(3);
    await attached.ask('desk.decide', { ids: [question.id], answer });
    expect((await called).text).toMatch(text);
    expect(gate.orders(connection)).toBe(rows);
    expect(asking.asked).toEqual([]);
    expect(progress).toContain('waiting for the user');
  });

  test('silence is a timeout', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    await shell();
    expect((await asking.call(tool, { connection, sql: drop })).text).toMatch(/^timeout: /);
    expect(gate.approvals.pending()).toEqual([]);
    expect(gate.orders(connection)).toBe(3);
  });

  test('a call that its client aborts takes its question back', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    const attached = await shell();
    const aborting = new AbortController();
    const called = asking.call(tool, { connection, sql: drop }, { signal: aborting.signal });
    const { id } = await gate.question();
    aborting.abort('enough');
    await called;
    await until(() => gate.approvals.pending().length === 0, 'the question is taken back');
    await expect(attached.ask('desk.decide', { ids: [id], answer: 'yes' })).rejects.toThrow(/no longer waits/);
    expect(gate.orders(connection)).toBe(3);
  });

  test('a user who forbids it meanwhile isn’t asked any more, and nothing runs', async () => {
    const connection = await gate.connection();
    const asking = await client(kind, 'yes');
    const attached = await shell();
    const called = asking.call(tool, { connection, sql: drop });
    const { id } = await gate.question();
    await gate.save(connection, { externalClients: { level: 'readOnly', writeUntil: null } });
    await expect(attached.ask('desk.decide', { ids: [id], answer: 'yes' })).rejects.toThrow('no longer waits');
    expect((await called).text).toMatch(/^denied: The user made "shop\d+" read only while the call ran/);
    expect(gate.orders(connection)).toBe(3);
  });

  test('nor on another database that took the name meanwhile', async () => {
    const [connection, other] = [await gate.connection(), await gate.connection()];
    const asking = await client(kind, 'yes');
    const attached = await shell();
    const called = asking.call(tool, { connection, sql: drop });
    const { id } = await gate.question();
    await gate.save(connection, { filePath: gate.connections.find(other)?.filePath ?? null, revision: 2 });
    await attached.ask('desk.decide', { ids: [id], answer: 'yes' });
    expect((await called).text).toMatch(/^denied: The connection was changed/);
    expect([gate.orders(connection), gate.orders(other)]).toEqual([3, 3]);
  });
});

test.each(['SDK v2, legacy', 'SDK v1'] as const)('%s: silence of the user in the client is a timeout', async kind => {
  const connection = await gate.connection();
  const asking = await client(kind, 'silence');
  expect((await asking.call(tool, { connection, sql: drop })).text).toMatch(/^timeout: /);
  expect(asking.asked).toHaveLength(1);
  expect(gate.orders(connection)).toBe(3);
});

test('waiting takes no slot: with two slots and three open questions a fourth call is answered', async () => {
  const asking = await client('SDK v2, modern', 'yes', await gate.token());
  const attached = await shell();
  const names = [await gate.connection(), await gate.connection(), await gate.connection()];
  const called = [];
  for (const [index, connection] of names.entries()) {
    called.push(asking.call(tool, { connection, sql: drop }));
    await until(() => gate.approvals.pending().length > index, 'it is asked');
  }
  const [connection = ''] = names;
  expect((await asking.call('execute_query', { connection, sql: 'select 1' })).isError).toBe(false);
  expect((await asking.call(tool, { connection, sql: drop })).text).toMatch(/^denied: Too many of your questions/);
  for (const { id } of gate.approvals.pending()) await attached.ask('desk.decide', { ids: [id], answer: 'yes' });
  await Promise.all(called);
  expect(names.map(name => gate.orders(name))).toEqual([null, null, null]);
});

describe.each(clientKinds)('%s, a connection that asks each time', kind => {
  const aiPolicy = 'askEachTime';
  const read = 'select count(*) from orders';

  test('is listed, and its first call waits for a shell; then only that principal is remembered', async () => {
    const connection = await gate.connection({ aiPolicy });
    const asking = await client(kind, 'yes');
    const attached = await shell();
    const listed = await asking.call('list_connections', {});
    expect(listed.text).toContain(connection);
    const called = Promise.all([
      asking.call('execute_query', { connection, sql: read }),
      asking.call('list_tables', { connection }),
    ]);
    const question = await gate.question();
    expect(question.facts).toMatchObject({ kind: 'first_use', connection: { name: connection }, statement: null });
    await attached.ask('desk.decide', { ids: [question.id], answer: 'yes' });
    const [queried, tables] = await called;
    expect([queried.isError, tables.isError]).toEqual([false, false]);
    expect((await asking.call('execute_query', { connection, sql: read })).isError).toBe(false);

    const another = await client(kind, 'yes');
    const theirs = another.call('list_tables', { connection });
    const { id } = await gate.question();
    await attached.ask('desk.decide', { ids: [id], answer: 'no' });
    expect((await theirs).text).toMatch(/^user_cancelled: /);
    expect((await another.call('list_tables', { connection })).text).toMatch(/^denied: The user has just said no/);
    expect((await asking.call('list_tables', { connection })).isError).toBe(false);
    expect([...asking.asked, ...another.asked]).toEqual([]);
  });

  test('never through the client', async () => {
    const connection = await gate.connection({ aiPolicy });
    const asking = await client(kind, 'yes');
    const end = await asking.call('execute_query', { connection, sql: read });
    expect(end.text).toMatch(/^denied: .*Sallyport can ask nobody/);
    expect(asking.asked).toEqual([]);
  });
});

test('the bridge is asked about through a shell too', async () => {
  const connection = await gate.connection({ aiPolicy: 'askEachTime' });
  const asking = await client('SDK v2, modern', 'yes', gate.tokens.mintBridgeToken(3_600).plaintext);
  const attached = await shell();
  const called = asking.call('list_tables', { connection });
  const { id } = await gate.question();
  expect((await attached.ask('desk.list', {})).asks).toMatchObject([{ id, token: null }]);
  await attached.ask('desk.decide', { ids: [id], answer: 'yes' });
  expect((await called).isError).toBe(false);
  expect((await asking.call(tool, { connection, sql: drop })).text).toMatch(/^denied: .*doesn't include/);
});

test('the log says who asked and what was decided, without the statement', () => {
  const lines = gate.logged.join('\n');
  expect(lines).toContain('"answer":"yes"');
  expect(lines).toContain('"answer":"no"');
  expect(lines).toContain('statementHash');
  expect(lines).not.toContain('drop table');
});
