/**
 * A fourth engine needs one folder and the line that opens it: everything between a tool and the
 * engine uses only the port.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import type { Tool } from '../../daemon/clients/mcp/tool.ts';
import { describeTable } from '../../daemon/clients/mcp/tools/describe-table.ts';
import { executeQuery } from '../../daemon/clients/mcp/tools/execute-query.ts';
import { listTables } from '../../daemon/clients/mcp/tools/list-tables.ts';
import { previewWriteTool } from '../../daemon/clients/mcp/tools/preview-write.ts';
import type { ToolPorts } from '../../daemon/clients/mcp/tools/tool-ports.ts';
import type { JsonRows } from '../../daemon/engines/row-text.ts';
import { holdRows } from '../../daemon/statement/held-rows.ts';
import { keepOpenDatabases } from '../../daemon/statement/open-databases.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { engines } from '../../shared/engine.ts';
import { connectionWith, principalWith } from '../access/principals.ts';
import { unheard, unrecorded } from '../activity/unrecorded.ts';
import { askAndRun } from '../attacks/ask-and-run.ts';
import { nobodyAnswers } from '../clients/mcp/nobody-answers.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { collect } from './collecting-sink.ts';
import { openToy } from './toy/database.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const orders = 'id,client,state\n1,Ada,open\n2,Bob,open\n3,Ada,paid\n';

let folder: string;
let ports: ToolPorts;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-toy-'));
  writeFileSync(join(folder, 'orders.csv'), orders);
  writeFileSync(join(folder, 'clients.csv'), 'name\nAda\n');
  const connection = connectionWith({ filePath: folder, externalClients: { level: 'readWrite', writeUntil: null } });
  ports = {
    ...unrecorded,
    connections: await loadConnectionRegister({
      load: async () => [connection],
      save: async () => {},
      remove: async () => {},
      restore: async () => {},
      delete: async () => {},
    }),
    // The line that opens it.
    databases: keepOpenDatabases(saved => openToy(saved, toyPorts)),
    classifier: judgingInThread(),
    limits: () => defaultQueryLimits,
    now: () => now,
    elapsed: () => performance.now(),
    confirmation: nobodyAnswers(() => now),
    held: holdRows(() => performance.now()),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const toyPorts = {
  password: async () => null,
  now: () => performance.now(),
  keyPassphrase: async () => null,
  refuseFile: () => null,
};

const fileOf = (table: string): string => readFileSync(join(folder, `${table}.csv`), 'utf8');

/** The content of its answer, or the refusal's word and sentence. */
async function answerOf<Arguments>(tool: Tool<Arguments>, args: Omit<Arguments, 'connection'>): Promise<unknown> {
  const call = {
    principal: principalWith({ scope: 'readWrite' }),
    client: 'toy',
    signal: new AbortController().signal,
    progress: null,
    requestId: 'r',
    channel: { kind: 'none' } as const,
    elicitationReply: null,
    ...unheard,
  };
  const outcome = await tool.run(call, { connection: 'Shop', ...args } as Arguments);
  if (outcome.kind === 'success') return outcome.text === null ? outcome.structuredContent : JSON.parse(outcome.text);
  return outcome.kind === 'refused' ? saidOf(outcome.refusal) : outcome;
}

const ran = (sql: string, parameters: readonly unknown[] = []): Promise<unknown> =>
  answerOf(executeQuery(ports), { sql, parameters: [...parameters] });

test('list_tables and describe_table show what the folder holds', async () => {
  expect(await answerOf(listTables(ports), { include_row_counts: true })).toMatchObject({
    total: 2,
    schemas: { '': ['clients ~1 rows', 'orders ~3 rows'] },
  });
  expect(await answerOf(describeTable(ports), { table: 'orders', include_sample: true })).toMatchObject({
    tables: [{ name: 'orders', columns: ['id text not null', 'client text not null', 'state text not null'], rows: 3 }],
  });
  expect(await answerOf(describeTable(ports), { table: 'order' })).toMatch(/did you mean orders\?/);
});

test('execute_query reads, with parameters, and passes on the engine’s messages', async () => {
  const read = (await ran('select id, state from orders where client = ?', ['Ada'])) as { readonly rows: JsonRows };
  expect(read).toMatchObject({ columns: ['id text', 'state text'] });
  expect(read.rows.cells()).toEqual([
    ['1', 'open'],
    ['3', 'paid'],
  ]);
  expect(await ran('select id from order')).toMatch(/^query_failed: no such table: order\nDid you mean orders\?/);
  expect(await ran('select idd from orders')).toMatch(/Did you mean id\? orders has id, client, state\.$/);
  expect(await ran('select id from orders where client = ?', [['Ada']])).toMatch(/^invalid_argument: .*parameters\.0/);
});

test('a write is stored; one over the limit isn’t, nor is one that isn’t understood', async () => {
  expect(await ran("update orders set state = 'paid' where id = '2'")).toMatchObject({ rows_affected: 1 });
  expect(fileOf('orders')).toBe(orders.replace('2,Bob,open', '2,Bob,paid'));
  expect(await ran('delete from orders')).toMatch(/^denied: /);
  writeFileSync(join(folder, 'orders.csv'), 'id,client,state\n1,Ada,open\n2,Ada,open\n');
  expect(await ran("delete from orders where client = 'Ada'")).toMatch(/^denied: Nothing was changed: /);
  expect(await ran('drop table orders')).toMatch(/^unsupported: .*no statement of the toy engine/);
  expect(fileOf('orders')).toBe('id,client,state\n1,Ada,open\n2,Ada,open\n');
});

test('its own wall holds if the guard isn’t asked', async () => {
  const database = ports.databases.of(connectionWith({ filePath: folder }));
  expect((await collect(database, 'delete from orders')).outcome).toMatchObject({ kind: 'read_only' });
  expect(fileOf('orders')).toBe(orders);
});

test('preview_write tells what would change, and changes nothing', async () => {
  expect(
    await answerOf(previewWriteTool(ports), { sql: "update orders set state = 'paid' where client = 'Ada'" }),
  ).toMatchObject({
    rows_affected: 2,
    changes: [{ table: 'orders', updated: 2 }],
    rolled_back: true,
  });
  expect(fileOf('orders')).toBe(orders);
});

test('an approval takes what was counted, and no more', async () => {
  const [connection] = ports.connections.list();
  if (connection === undefined) throw new Error('The connection is there.');
  const database = ports.databases.of(connection);
  const grown = await askAndRun(database, 'delete from orders', {
    async decides(question) {
      if (question === 1) writeFileSync(join(folder, 'orders.csv'), orders + '4,Eve,open\n'.repeat(50));
      return question === 1;
    },
  });
  expect(grown.questions.map(({ lines }) => lines)).toEqual([
    ['deletes all 3 rows of orders'],
    ['deletes all 53 rows of orders'],
  ]);
  expect(fileOf('orders')).toContain('4,Eve');
  expect(await askAndRun(database, 'delete from orders')).toMatchObject({ end: 'done' });
  expect(fileOf('orders')).toBe('id,client,state\n');
});

test('its folder has the same ten files as the others', () => {
  const files = readdirSync(new URL('./toy', import.meta.url), { withFileTypes: true });
  const own = files.filter(entry => entry.isFile()).map(({ name }) => name);
  for (const engine of engines)
    expect(readdirSync(new URL(`../../daemon/engines/${engine}`, import.meta.url))).toEqual(
      expect.arrayContaining(own),
    );
});
