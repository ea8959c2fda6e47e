import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import type { Connection } from '../../../daemon/access/connection.ts';
import { loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { accountOf, type Principal } from '../../../daemon/access/tokens/token.ts';
import type { ToolCall } from '../../../daemon/clients/mcp/tool.ts';
import { type HistoryToolPorts, searchQueryHistory } from '../../../daemon/clients/mcp/tools/search-query-history.ts';
import { defaultQueryLimits } from '../../../daemon/statement/query-limits.ts';
import { openHistory } from '../../../daemon/storage/history/history.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { connectionWith, principalWith } from '../../access/principals.ts';
import { unheard } from '../../activity/unrecorded.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const home = mkdtempSync(join(temporaryFolder(), 'home-'));
const named = (name: string, changes: Partial<Connection> = {}) =>
  connectionWith({ id: `id-${name}`, name, ...changes });
const saved = [
  named('shop'),
  named('cellar'),
  named('blocked', { externalClients: { level: 'blocked', writeUntil: null } }),
  named('never', { aiPolicy: 'never' }),
  named('asked', { aiPolicy: 'askEachTime' }),
];
const me = principalWith({ id: 'me', tokenId: 'me' });
const full = principalWith({ id: 'boss', tokenId: 'boss', scope: 'fullAccess' });
let allowed = false;
let isOn = true;
let ports: HistoryToolPorts;
let close: () => Promise<void>;

beforeAll(async () => {
  const store = await openStore(join(home, 'sallyport.db'));
  let now = Date.parse('2026-11-01T00:00:00Z');
  const history = openHistory({
    store,
    settings: () => ({ isOn, days: 90 }),
    retentionNow: Date.now,
    now: () => {
      now += 60_000;
      return now;
    },
    report: error => {
      throw error;
    },
  });
  const connections = await loadConnectionRegister({
    load: async () => saved,
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const confirmation = { firstUses: { isAllowed: () => allowed } };
  ports = {
    connections,
    history,
    confirmation,
    now: () => 0,
    limits: () => defaultQueryLimits,
  } as unknown as HistoryToolPorts;
  for (const connection of [...saved, named('deleted')]) {
    for (const principal of ['me', 'boss']) {
      history.record({
        connection,
        principal,
        tokenName: principal,
        client: 'test',
        statement: `select '${principal} on ${connection.name}'`,
        class: 'read',
        outcome: 'success',
        rows: 1,
        durationMilliseconds: 1,
      });
    }
  }
  close = async () => {
    await history.close();
    await store.close();
  };
});
afterAll(() => close());

async function asked(principal: Principal, args: object = {}, client = 'test') {
  const tool = searchQueryHistory(ports);
  const call = { ...unheard, principal, client, signal: new AbortController().signal } as unknown as ToolCall;
  const outcome = await tool.run(call, tool.input.parse(args));
  if (outcome.kind !== 'success') return outcome.kind === 'refused' ? outcome.refusal : outcome;
  const { statements } = z
    .object({ statements: z.array(z.object({ statement: z.string() })) })
    .parse(outcome.structuredContent);
  tool.output.parse(outcome.structuredContent);
  return statements.map(({ statement }) => statement.slice(8, -1));
}

test('a principal sees its own statements on its usable connections, and nothing hidden or gone', async () => {
  expect(await asked(me)).toEqual(['me on cellar', 'me on shop']);
  expect(await asked(me, { query: 'select' })).toEqual(['me on cellar', 'me on shop']);
  expect(await asked(me, { query: 'boss' })).toEqual([]);
  expect(await asked(me, { query: 'blocked' })).toEqual([]);
});

test('Full Access sees everybody’s on its connections, and no others', async () => {
  expect(await asked(full)).toEqual(['boss on cellar', 'me on cellar', 'boss on shop', 'me on shop']);
  expect(await asked({ ...full, connections: ['id-shop'] })).toEqual(['boss on shop', 'me on shop']);
  expect(await asked({ ...full, connections: [] })).toEqual([]);
});

test('every conversation through the bridge has the same history, apart from clients of another name', async () => {
  const subject = {
    connection: named('shop'),
    principal: accountOf(bridged('1')),
    tokenName: 'bridge',
    client: 'Cursor',
  };
  const how = { class: 'read', outcome: 'success', rows: 1, durationMilliseconds: 1 } as const;
  ports.history.record({ ...subject, statement: "select 'earlier'", ...how });
  expect(await asked(bridged('2'), {}, 'Cursor')).toEqual(['earlier']);
  expect(await asked(bridged('2'), { query: 'earlier' }, 'Cursor')).toEqual(['earlier']);
  expect(await asked(bridged('2'), {}, 'Claude Code')).toEqual([]);
  expect(await asked(me, {}, 'Cursor')).toEqual([]);
});

const bridged = (process: string) =>
  principalWith({ id: `bridge:${process}`, tokenId: `hour ${process}`, isBridge: true });

test('an answer without statements says why', async () => {
  const hint = async (args: object, client = 'new', principal = bridged('3')) => {
    const tool = searchQueryHistory(ports);
    const call = { ...unheard, principal, client } as unknown as ToolCall;
    const outcome = await tool.run(call, tool.input.parse(args));
    return outcome.kind === 'success' ? outcome.structuredContent.hint : outcome;
  };
  expect(await hint({})).toBe('Nothing that this client ran there is still kept.');
  expect(await hint({ query: 'x' })).toBe('Nothing that this client ran there is still kept.');
  expect(await hint({ query: 'x' }, 'Cursor')).toMatch(/^None of what this client ran there matches; leave out query/);
  expect(await hint({ query: 'x' }, 'new', full)).toMatch(/^None of what any client ran there matches;/);
  isOn = false;
  const whileOff = await hint({});
  isOn = true;
  expect(whileOff).toMatch(/^The user has switched the history off/);
});

test('a hidden connection is answered like one that does not exist', async () => {
  for (const connection of ['blocked', 'never', 'id-never', 'deleted', 'not there']) {
    expect(await asked(full, { connection })).toMatchObject({ kind: 'connection_unavailable', asked: connection });
    expect(await asked({ ...me, connections: [] }, { connection })).toMatchObject({ usable: [] });
  }
  expect(await asked(me, { connection: 'SHOP' })).toEqual(['me on shop']);
});

test('a connection that asks first is shown only after the approval', async () => {
  allowed = true;
  expect(await asked(me, { query: 'asked' })).toEqual(['me on asked']);
  expect(await asked(me, { connection: 'asked' })).toEqual(['me on asked']);
  allowed = false;
  expect(await asked(me, { query: 'asked' })).toEqual([]);
});

test('times limit it, and invalid ones are refused', async () => {
  expect(await asked(me, { since: '2026-11-01T00:02:30Z', limit: 5 })).toEqual(['me on cellar']);
  expect(await asked(me, { until: '2026-11-01T00:02:30Z' })).toEqual(['me on shop']);
  const { input } = searchQueryHistory(ports);
  for (const wrong of [{ since: 'yesterday' }, { limit: 0 }, { limit: 201 }, { query: '' }, { who: 'boss' }]) {
    expect(input.safeParse(wrong).success).toBe(false);
  }
});

test('its published text is short', () => {
  const { input, output, description } = searchQueryHistory(ports);
  const published = JSON.stringify([z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output), description]);
  expect(published.length).toBeLessThan(1_500);
});

test('long statements are shortened if there are several, and older ones are left out if they don’t fit', async () => {
  const long = `select '${'ü\u0001'.repeat(2_000)}'`;
  const connection = named('shop');
  for (let count = 0; count < 40; count += 1) {
    const subject = { connection, principal: 'long', tokenName: 'long', client: 'test', statement: long } as const;
    ports.history.record({ ...subject, class: 'read', outcome: 'success', rows: 1, durationMilliseconds: 1 });
  }
  const run = async (args: object) => {
    const tool = searchQueryHistory(ports);
    const call = { principal: { ...me, tokenId: 'long' }, client: 'test' } as unknown as ToolCall;
    const outcome = await tool.run(call, tool.input.parse(args));
    return found.parse(outcome.kind === 'success' && outcome.structuredContent);
  };
  const several = await run({});
  expect(Buffer.byteLength(JSON.stringify(several))).toBeLessThan(defaultQueryLimits.defaultAnswerBytes + 200);
  expect(several.statements.length + Number(several.older_left_out)).toBe(20);
  for (const { statement, cut } of several.statements) {
    expect(long.startsWith(statement)).toBe(true);
    expect(cut).toBe(true);
  }
  expect((await run({ limit: 1 })).statements).toMatchObject([{ statement: long }]);
});

const found = z.object({
  statements: z.array(z.object({ statement: z.string(), cut: z.boolean().optional() })),
  older_left_out: z.number().optional(),
});

test('where tables are hidden, a client finds what it ran itself since then, page by page', async () => {
  const sight = { hide: ['audit.*'], only: [], show: [] };
  const how = { class: 'read', outcome: 'success', rows: 1, durationMilliseconds: 1 } as const;
  const record = (statement: string, principal = 'boss') =>
    ports.history.record({
      ...{ connection: named('hiding'), principal, tokenName: principal, client: 'test', statement },
      ...how,
    });
  record('select * from app.over_log');
  const [last] = await ports.history.search({
    ...{ connections: ['id-hiding'], principal: null, text: null, since: null, until: null, limit: 1 },
  });
  const updatedAt = new Date(Date.parse(last?.time ?? '') + 1).toISOString();
  const connections = await loadConnectionRegister({
    load: async () => [named('hiding', { sight, updatedAt })],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const tool = searchQueryHistory({ ...ports, connections } as HistoryToolPorts);
  const call = { ...unheard, principal: full, client: 'test', signal: new AbortController().signal };
  const search = async (args: object) => {
    const outcome = await tool.run(call as unknown as ToolCall, tool.input.parse(args));
    return outcome.kind === 'success' ? outcome.structuredContent : outcome;
  };
  expect(await search({})).toEqual({ statements: [], hint: expect.stringContaining('out of sight') });
  record("select 'seen'");
  record("select 'others'", 'me');
  for (let count = 0; count < 250; count++) record('select * from audit.log');
  expect(await search({ limit: 1 })).toMatchObject({ statements: [{ statement: "select 'seen'" }] });
  expect(await search({ query: 'over_log' })).toMatchObject({ statements: [] });
  expect(await search({ query: 'others' })).toMatchObject({ statements: [] });
  expect(JSON.stringify(await search({ query: 'audit' }))).not.toMatch(/None of what|from audit/);
});
