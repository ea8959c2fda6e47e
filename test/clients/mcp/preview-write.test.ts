import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import { buildCatalog } from '../../../daemon/clients/mcp/tool-catalog.ts';
import { previewWriteTool } from '../../../daemon/clients/mcp/tools/preview-write.ts';
import type { ToolPorts } from '../../../daemon/clients/mcp/tools/tool-ports.ts';
import { beginsWith } from '../../begins-with.ts';
import { type AskedClient, clientKinds, connectClient, type Gate, openGate } from '../../journeys/approvals/gate.ts';

let gate: Gate;
let shop = '';
const clients: AskedClient[] = [];

beforeAll(async () => {
  gate = await openGate();
  shop = await gate.connection();
});
afterAll(async () => {
  await Promise.all(clients.map(client => client.close()));
  await gate.stop();
});

async function client(kind: (typeof clientKinds)[number], scope: 'readOnly' | 'readWrite'): Promise<AskedClient> {
  const connected = await connectClient(kind, gate.url, await gate.token({ scope }), null);
  clients.push(connected);
  return connected;
}

/** The tool as `tools/list` has it; listing runs nothing, so it needs no ports. */
function published() {
  const catalog = buildCatalog([previewWriteTool({} as ToolPorts)]);
  return { readOnly: catalog.listFor('readOnly'), readWrite: catalog.listFor('readWrite') };
}

describe('preview_write as published', () => {
  test('is listed for Read & Write and above, in few bytes', () => {
    const { readOnly, readWrite } = published();
    expect(readOnly).toEqual([]);
    expect(readWrite.map(tool => tool.name)).toEqual(['preview_write']);
    expect(JSON.stringify(readWrite[0]).length).toBeLessThan(1_600);
  });
});

describe.each(clientKinds)('preview_write for a client of %s', kind => {
  test('tells what would change, and changes nothing', async () => {
    const { call } = await client(kind, 'readWrite');
    const ended = await call('preview_write', { connection: shop, sql: 'delete from orders' });
    expect(ended.isError).toBe(false);
    expect(ended.structured).toEqual({
      rows_affected: 3,
      before: { columns: ['id'], rows: [[1], [2], [3]] },
      changes: [{ table: 'orders', deleted: 3 }],
      rolled_back: true,
    });
    const validate = new AjvJsonSchemaValidator().getValidator(Object(published().readWrite[0]?.outputSchema));
    expect(validate(ended.structured).valid).toBe(true);
    expect(gate.orders(shop)).toBe(3);
  });

  test('shows the key and changes of a row that stays, and all of a new or deleted one', async () => {
    const { call } = await client(kind, 'readWrite');
    const wide = await gate.connection();
    gate.execute(
      wide,
      "create table wide (id integer primary key, a, b, c); insert into wide values (1, 'x', 'y', 'z'), (2, 'x', 'y', 'z')",
    );
    const shown = async (sql: string) => (await call('preview_write', { connection: wide, sql })).structured;
    expect(await shown("update wide set b = 'new' where id = 1")).toMatchObject({
      before: { columns: ['id', 'b'], rows: [[1, 'y']] },
      after: { columns: ['id', 'b'], rows: [[1, 'new']] },
    });
    expect(await shown('delete from wide where id = 2')).toMatchObject({
      before: { columns: ['id', 'a', 'b', 'c'], rows: [[2, 'x', 'y', 'z']] },
    });
    const both =
      "insert into wide values (1, 'x', 'y', 'new'), (3, 'q', 'r', 's') on conflict (id) do update set c = excluded.c";
    expect(await shown(both)).toMatchObject({
      before: { columns: ['id', 'a', 'b', 'c'], rows: [[1, 'x', 'y', 'z']] },
      after: {
        rows: [
          [1, 'x', 'y', 'new'],
          [3, 'q', 'r', 's'],
        ],
      },
    });
  });

  test('refuses statements that it isn’t for', async () => {
    const { call } = await client(kind, 'readWrite');
    const answer = async (sql: string, more = {}) => call('preview_write', { connection: shop, sql, ...more });
    expect((await answer('drop table orders')).text).toMatch(
      /^unsupported: .*Only a statement that is itself an INSERT/,
    );
    expect((await answer('select 1')).text).toMatch(/^unsupported: .*execute_query/);
    expect((await answer('insert into orders values (1)')).text).toMatch(/^query_failed: UNIQUE/);
    const unknown = (await answer('delete from orders', { parameters: [] })).text;
    expect(unknown).toMatch(/(-32602|^invalid_argument).*preview_write has no argument "parameters"/);
    expect(gate.orders(shop)).toBe(3);
  });

  test('is out of scope for a read-only token, and denied on a read-only connection', async () => {
    const reader = await client(kind, 'readOnly');
    expect((await reader.call('preview_write', { connection: shop, sql: 'delete from orders' })).text).toMatch(
      /^denied: Read Only doesn't include preview_write/,
    );
    const closed = await gate.connection({ externalClients: { level: 'readOnly', writeUntil: null } });
    const writer = await client(kind, 'readWrite');
    expect((await writer.call('preview_write', { connection: closed, sql: 'delete from orders' })).text).toMatch(
      beginsWith(`denied: ${readOnlySentences.connection.says}`),
    );
  });
});
