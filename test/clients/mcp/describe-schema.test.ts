/**
 * What a question makes us look for, and how many tables it makes us describe, on a database that
 * only tells what it was asked.
 */

import { expect, test } from '@jest/globals';
import { describeSchema } from '../../../daemon/clients/mcp/resources/describe-schema.ts';
import type { ToolCall } from '../../../daemon/clients/mcp/tool.ts';
import type { ToolPorts } from '../../../daemon/clients/mcp/tools/tool-ports.ts';
import type { CatalogText, Database, TableDescription } from '../../../daemon/engines/engine.ts';
import { dialect } from '../../../daemon/engines/sqlite/dialect.ts';
import { defaultQueryLimits } from '../../../daemon/statement/query-limits.ts';
import { connectionWith, principalWith } from '../../access/principals.ts';
import { unheard } from '../../activity/unrecorded.ts';

const names = Array.from({ length: 1_000 }, (_, at) => `orders_${at}`);

/** `orders_0` is also a function's name. */
async function ask(question: string) {
  const asked = { words: [] as readonly string[], described: [] as readonly string[] };
  const text = (object: string, kind: CatalogText['kind']): CatalogText => ({
    schema: null,
    object,
    kind,
    objectComment: null,
    column: null,
    isComment: false,
    text: object,
  });
  const database: Pick<Database, 'dialect' | 'listTables' | 'catalogTexts' | 'describeTables'> = {
    dialect,
    listTables: async () => ({
      kind: 'done',
      value: names.map(name => ({ schema: null, name, kind: 'table', comment: null, approximateRowCount: null })),
    }),
    async catalogTexts(_context, words) {
      asked.words = [...asked.words, ...(words ?? [])];
      return { kind: 'done', value: [text('orders_0', 'function'), ...names.map(name => text(name, 'table'))] };
    },
    async describeTables(_context, described) {
      asked.described = described;
      return { kind: 'done', value: described.map(tableCalled) };
    },
  };
  const connection = connectionWith();
  const ports = {
    connections: { list: () => [connection], find: () => connection },
    databases: { of: () => database },
    now: () => 0,
    limits: () => defaultQueryLimits,
    confirmation: {},
  } as unknown as ToolPorts;
  const { signal } = new AbortController();
  const call = { ...unheard, principal: principalWith(), client: 'test', signal } as unknown as ToolCall;
  const outcome = await describeSchema(ports).run(call, { connection: 'Shop', question });
  if (outcome.kind !== 'success') throw new Error(JSON.stringify(outcome));
  const { tables } = outcome.structuredContent as { tables: readonly { readonly name: string }[] };
  return { ...asked, shown: tables.map(({ name }) => name) };
}

function tableCalled(name: string): TableDescription {
  return {
    name,
    schema: null,
    kind: 'table',
    comment: null,
    columns: [],
    primaryKey: [],
    foreignKeys: [],
    referencedBy: [],
    indexes: [],
    checks: [],
    triggers: [],
    partitioning: null,
    ddl: null,
    approximateRowCount: null,
    sizeBytes: null,
  };
}

test('a word longer than any name isn’t looked for, the others are', async () => {
  const { words, shown } = await ask(`${'文'.repeat(65)} orders? ${'x'.repeat(1_000)}`);
  expect(words).toEqual(['order', 'ord']);
  expect(shown).toHaveLength(40);
});

test('only the beginning of a question as long as a book is searched', async () => {
  const filler = 'to be or not '.repeat(400);
  expect((await ask(`orders ${filler} suppliers`)).words).toEqual(['order', 'ord']);
});

test('of a thousand matching tables only those that are shown are described, each once', async () => {
  const { described, shown } = await ask('What became of our orders?');
  expect(described).toHaveLength(40);
  expect(new Set(described).size).toBe(40);
  expect(shown).toEqual(described);
  expect(shown).toContain('orders_0');
});
